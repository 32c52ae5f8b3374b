import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpRefusal } from './http-refusal.ts';
import { parseHead, type RequestHead } from './request-head.ts';

function headOf(lines: string, line = 'GET / HTTP/1.1'): RequestHead {
  return parseHead([line, 'Host: x', ...(lines === '' ? [] : [lines])].join('\r\n'));
}

function statusOf(text: string): number | undefined {
  try {
    parseHead(text);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof HttpRefusal);
    return error.status;
  }
}

test('names are known in any letters, values lose the blanks around them, and values of one name are joined', () => {
  const { fields } = headOf('X-Ms-A:1\r\nx-ms-a: \t 2 \t\r\nUser-Agent: u\r\nuser-agent: v\r\nEmpty:');
  assert.deepEqual(
    [...fields],
    [
      ['host', 'x'],
      ['x-ms-a', '1, 2'],
      ['user-agent', 'u'],
      ['empty', ''],
    ],
  );
});

test('a path in UTF-8 is that path percent-encoded', () => {
  const utf8 = Buffer.from('/dbs/d/colls/c/docs/a%20ü€', 'utf8').toString('latin1');
  assert.equal(headOf('', `GET ${utf8} HTTP/1.1`).url, '/dbs/d/colls/c/docs/a%20%C3%BC%E2%82%AC');
});

test('a line may name scheme and host, which then count more than the header', () => {
  const { url, fields } = headOf('', 'GET https://y:8081/dbs/d?a=b HTTP/1.1');
  assert.deepEqual([url, fields.get('host')], ['/dbs/d?a=b', 'y:8081']);
  const urls = ['http://y', 'http://y/', 'http://y?a', '*'].map(
    (target) => headOf('', `GET ${target} HTTP/1.1`).url,
  );
  assert.deepEqual(urls, ['/', '/', '/?a', '*']);
});

test('a line with something that is no host is refused', () => {
  for (const target of ['http://', 'http:///dbs', 'http://\x80/', 'http://a@b/', 'http://a b/', 'ftp://a/'])
    assert.throws(() => parseHead(`GET ${target} HTTP/1.1\r\nhost: h`), HttpRefusal, target);
});

test('a connection is kept unless somebody says otherwise', () => {
  const kept = (connection: string, line?: string): boolean => headOf(connection, line).isKeptAlive;
  assert.ok(kept(''));
  assert.ok(kept('Connection: Keep-Alive'));
  assert.ok(kept('Connection: upgrade'));
  assert.ok(!kept('Connection: close'));
  assert.ok(!kept('Connection: keep-alive, Close'));
  assert.ok(!kept('', 'GET / HTTP/1.0'));
  assert.ok(kept('Connection: keep-alive', 'GET / HTTP/1.0'));
});

test('a body has a length or comes in chunks', () => {
  assert.equal(headOf('').bodyBytes, 0);
  assert.equal(headOf('Content-Length: 0').bodyBytes, 0);
  assert.equal(headOf('Content-Length: 007').bodyBytes, 7);
  assert.equal(headOf('Transfer-Encoding: Chunked').bodyBytes, 'chunked');
});

test('what another server could read differently is refused', () => {
  const refused = [
    'Content-Length: 1\r\nContent-Length: 1',
    'Content-Length: 1\r\nTransfer-Encoding: chunked',
    'Content-Length: +1',
    'Content-Length: 1, 1',
    'Content-Length: 0x1',
    'Content-Length: 1\t',
    'Content-Length: 1 \t ',
    'Transfer-Encoding: chunked\t',
    'Content-Length:',
    'Content-Length: 9999999999999999',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
    'Transfer-Encoding: identity',
    'Transfer-Encoding: \x0bchunked',
    'Host: y',
    'Content-Length : 1',
    ' Content-Length: 1',
    'a: b\r\n c',
    'a: b\nContent-Length: 1',
    'a: b\rContent-Length: 1',
    'a: b\0c',
    'no colon',
    ': no name',
    'a b: c',
  ];
  for (const lines of refused) assert.equal(statusOf(`GET / HTTP/1.1\r\nHost: x\r\n${lines}`), 400, lines);
  const lines = [
    'GET / HTTP/1.1\r\na: b',
    'GET  / HTTP/1.1\r\nHost: x',
    'GET / HTTP/1.1 \r\nHost: x',
    'get / HTTP/1.1\r\nHost: x',
    'GET / HTTP/1.2\r\nHost: x',
    'GET / HTTP/2.0\r\nHost: x',
    'GET / HTTP/11\r\nHost: x',
    'GET /a b HTTP/1.1\r\nHost: x',
    'GET a HTTP/1.1\r\nHost: x',
    'GET /\t HTTP/1.1\r\nHost: x',
    'GET /',
    '',
    'POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked',
  ];
  for (const text of lines) assert.equal(statusOf(text), 400, text);
});

test('a head has at most two thousand headers', () => {
  const text = (count: number): string => `GET / HTTP/1.1\r\nHost: x${'\r\na:'.repeat(count - 1)}`;
  assert.equal(statusOf(text(2_000)), undefined);
  assert.equal(statusOf(text(2_001)), 431);
});

test('nothing but 100-continue can be expected', () => {
  assert.ok(headOf('Expect: 100-Continue').isWaiting);
  assert.ok(!headOf('Expect: 100-continue', 'GET / HTTP/1.0').isWaiting);
  assert.equal(statusOf('GET / HTTP/1.1\r\nHost: x\r\nExpect: a pony'), 417);
});
