import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdminAccess, type AdminRights, refuseBeyond } from './admin-access.ts';

const keys = { full: ['primary==', 'secondary=='], readonly: ['reader==', 'other-reader=='] };

function rightsOf(
  isOnlyLoopback: boolean,
  headers: Readonly<Record<string, string>>,
  [remoteAddress, localAddress]: readonly [string, string] = ['127.0.0.1', '127.0.0.1'],
): AdminRights {
  const fields = new Map(Object.entries(headers));
  return new AdminAccess(keys, isOnlyLoopback).rightsOf({ fields, remoteAddress, localAddress });
}

test('on a server of loopback alone nobody of this machine is asked for a key', () => {
  for (const host of ['localhost', 'LOCALHOST:8081', '127.0.0.1:8081', '[::1]:8081', '[::1]'])
    assert.equal(rightsOf(true, { host }), 'everything', host);
  assert.equal(rightsOf(true, { host: 'localhost:1' }, ['::1', '::1']), 'everything');
  assert.equal(
    rightsOf(true, { host: 'localhost:1' }, ['::ffff:127.0.0.1', '::ffff:127.0.0.1']),
    'everything',
  );
});

test('on a server that others can reach everybody is asked, also on its own machine', () => {
  assert.equal(rightsOf(false, { host: 'localhost:8081' }), 'none');
});

test('a proxy on this machine speaks for others, whichever way it shows', () => {
  const host = 'localhost:8081';
  for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'])
    assert.equal(rightsOf(true, { host, [name]: '203.0.113.9' }), 'none', name);
  for (const other of ['db.example.com', '127.example.com', 'localhost.example.com:8081', '203.0.113.9', ''])
    assert.equal(rightsOf(true, { host: other }), 'none', other);
  assert.equal(rightsOf(true, {}), 'none');
});

test('a web page of another origin is not of this machine', () => {
  const host = 'localhost:8081';
  assert.equal(rightsOf(true, { host, origin: 'https://example.com' }), 'none');
  assert.equal(rightsOf(true, { host, origin: 'null' }), 'none');
  assert.equal(rightsOf(true, { host, origin: 'http://localhost:8081' }), 'everything');
});

test('a key gives the rights that it has, and one that is none is refused', () => {
  const host = 'db.example.com';
  const away = ['203.0.113.9', '203.0.113.1'] as const;
  const withKey = (authorization: string): AdminRights => rightsOf(false, { host, authorization }, away);
  assert.equal(withKey('Bearer primary=='), 'everything');
  assert.equal(withKey('bearer secondary=='), 'everything');
  assert.equal(withKey('Bearer reader=='), 'reading');
  assert.equal(withKey('Bearer other-reader=='), 'reading');
  assert.throws(() => withKey('Bearer wrong=='), { status: 401 });
  assert.throws(() => withKey('Basic primary=='), { status: 401 });
  assert.throws(() => withKey('Bearer '), { status: 401 });
});

test('who has no key does nothing, and who has one that reads changes nothing', () => {
  refuseBeyond('everything', 'DELETE');
  refuseBeyond('reading', 'GET');
  refuseBeyond('reading', 'HEAD');
  assert.throws(() => refuseBeyond('reading', 'POST'), { status: 403 });
  assert.throws(() => refuseBeyond('none', 'GET'), { status: 401 });
});
