import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HmacKey } from './hmac-key.ts';
import { isSignedWith, otherSignedForms, signedDates, signedForm } from './master-key-signature.ts';
import { parseResourcePath } from './resource-path.ts';

const dates = signedDates('Thu, 27 Apr 2017 00:51:12 GMT', undefined);

// The example of the documentation of the REST API.
test('the documented example is signed as documented', () => {
  const key = new HmacKey(
    Buffer.from(
      'dsZQi3KtZmCv1ljt3VNWNm7sQUF1y5rJfC6kv5JiwvW0EndXdDku/dkKBp8/ufDToSxLzR4y+O/0H/t4bQtVNw==',
      'base64',
    ),
  );
  const path = parseResourcePath('/dbs/ToDoList');
  const form = signedForm('GET', path, dates);
  assert.equal(form, 'get\ndbs\ndbs/ToDoList\nthu, 27 apr 2017 00:51:12 gmt\n\n');
  assert.ok(isSignedWith(key, form, 'c09PEVJrgp2uQRkr934kFbTqhByc7TVr3OHyqlu+c+c='));
});

test('any other signature is none', () => {
  const key = new HmacKey(Buffer.alloc(64, 1));
  const form = signedForm('GET', parseResourcePath('/dbs'), dates);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String({ minLength: 44, maxLength: 44 })), (signature) => {
      assert.ok(!isSignedWith(key, form, signature));
    }),
    { verbose: 1 },
  );
});

test('of a feed its owner is signed, of a resource the resource, by names that are decoded', () => {
  const signed = (url: string): string =>
    signedForm('POST', parseResourcePath(url), '').slice('post\n'.length);
  assert.equal(signed('/dbs'), 'dbs\n\n');
  assert.equal(signed('/'), '\n\n');
  assert.equal(signed('/dbs/a%20b/colls/C/docs/'), 'docs\ndbs/a b/colls/C\n');
  assert.equal(signed('//dbs/a/colls/C/docs/x%2Fy/'), 'docs\ndbs/a/colls/C/docs/x/y\n');
  assert.equal(signed('/offers?x=1'), 'offers\n\n');
});

test('by rid the last is signed in small letters; some clients sign operations and conflicts as something else', () => {
  const others = (url: string): string[] => otherSignedForms('GET', parseResourcePath(url), '');
  assert.deepEqual(others('/offers/AbC1'), ['get\noffers\nabc1\n']);
  assert.deepEqual(others('/dbs/AB==/colls/AbCd=/pkranges'), ['get\npkranges\nabcd=\n']);
  assert.ok(others('/dbs/a/colls/b/operations/partitionkeydelete').includes('get\ncolls\ndbs/a/colls/b\n'));
  assert.ok(
    others('/dbs/a/colls/b/operations/partitionkeydelete').includes('get\npartitionkey\ndbs/a/colls/b\n'),
  );
  assert.ok(others('/dbs/a/colls/b/conflicts/c').includes('get\nusers\ndbs/a/colls/b/conflicts/c\n'));
});
