// Partial updates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container, PatchOperation, PatchRequestBody } from '@azure/cosmos';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

type Body = Record<string, unknown>;

async function patched(container: Container, before: Body, operations: readonly unknown[]): Promise<Body> {
  await container.items.upsert({ id: 'a', pk: 'p', ...before });
  const { resource, statusCode } = await container.item('a', 'p').patch<Body>(operations as PatchOperation[]);
  assert.equal(statusCode, 200);
  const { id, pk, _rid, _self, _etag, _attachments, _ts, ...own }: Body = resource ?? {};
  assert.deepEqual([id, pk], ['a', 'p']);
  const { resource: stored } = await container.item('a', 'p').read<Body>();
  assert.deepEqual(stored, resource);
  return own;
}

test('add sets a property, inserts into an array and appends to it', async () => {
  const container = await server.container();
  const after = await patched(container, { n: 1, list: [1, 3] }, [
    { op: 'add', path: '/new', value: { x: null } },
    { op: 'add', path: '/n', value: 2 },
    { op: 'add', path: '/list/1', value: 2 },
    { op: 'add', path: '/list/-', value: 4 },
    { op: 'add', path: '/new/y', value: 'deep' },
  ]);
  assert.deepEqual(after, { n: 2, list: [1, 2, 3, 4], new: { x: null, y: 'deep' } });
});

test('set sets a property and overwrites an element', async () => {
  const container = await server.container();
  const after = await patched(container, { list: [1, 2] }, [
    { op: 'set', path: '/list/0', value: 9 },
    { op: 'set', path: '/m', value: [] },
  ]);
  assert.deepEqual(after, { list: [9, 2], m: [] });
});

test('replace and remove need what they name', async () => {
  const container = await server.container();
  const after = await patched(container, { a: 1, b: { c: 1, d: 2 }, list: [1, 2, 3] }, [
    { op: 'replace', path: '/a', value: 'x' },
    { op: 'remove', path: '/b/c' },
    { op: 'remove', path: '/list/1' },
  ]);
  assert.deepEqual(after, { a: 'x', b: { d: 2 }, list: [1, 3] });
  const item = container.item('a', 'p');
  assert.equal((await failure(item.patch([{ op: 'replace', path: '/none', value: 1 }]))).code, 400);
  assert.equal((await failure(item.patch([{ op: 'remove', path: '/none' }]))).code, 400);
});

test('incr adds to a number and makes one that is not there', async () => {
  const container = await server.container();
  const after = await patched(container, { n: 5, f: 0.5 }, [
    { op: 'incr', path: '/n', value: -2 },
    { op: 'incr', path: '/f', value: 0.25 },
    { op: 'incr', path: '/new', value: 7 },
  ]);
  assert.deepEqual(after, { n: 3, f: 0.75, new: 7 });
  await container.items.upsert({ id: 'a', pk: 'p', text: 'x' });
  assert.equal(
    (await failure(container.item('a', 'p').patch([{ op: 'incr', path: '/text', value: 1 }]))).code,
    400,
  );
});

test('move takes a value from one place to another', async () => {
  const container = await server.container();
  const after = await patched(container, { a: { deep: [1, 2] }, b: {} }, [
    { op: 'move', from: '/a/deep', path: '/b/moved' },
  ]);
  assert.deepEqual(after, { a: {}, b: { moved: [1, 2] } });
});

test('names in paths are escaped as JSON pointers escape them', async () => {
  const container = await server.container();
  const after = await patched(container, { 'a/b': 1, 'm~n': 2 }, [
    { op: 'set', path: '/a~1b', value: 10 },
    { op: 'set', path: '/m~0n', value: 20 },
  ]);
  assert.deepEqual(after, { 'a/b': 10, 'm~n': 20 });
});

test('what a patch does not touch keeps its digits and its order', async () => {
  const container = await server.container();
  const link = `dbs/${container.database.id}/colls/c`;
  const headers = { 'x-ms-documentdb-partitionkey': '["p"]' };
  const body =
    '{"id":"a","pk":"p","2":9007199254740993,"1":1.10,"__proto__":{"y":12345678901234567890},"n":9007199254740993}';
  await server.send('POST', `/${link}/docs`, { type: 'docs', link, headers, body });
  const operations =
    '{"operations":[{"op":"set","path":"/new","value":9007199254740995},{"op":"incr","path":"/n","value":1}]}';
  const request = { type: 'docs', link: `${link}/docs/a`, headers, body: operations };
  const text = await (await server.send('PATCH', `/${link}/docs/a`, request)).text();
  const expected = `${body.slice(0, -1).replace('"n":9007199254740993', '"n":9007199254740994')},"new":9007199254740995`;
  assert.ok(text.startsWith(expected), text);
});

test('a patch that fails half way changes nothing', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p', n: 1 });
  const operations: PatchOperation[] = [
    { op: 'set', path: '/n', value: 2 },
    { op: 'add', path: '/none/deep', value: 1 },
  ];
  const error = await failure(container.item('a', 'p').patch(operations));
  assert.equal(error.code, 400);
  assert.match(
    error.message,
    /For Operation\(2\): Add Operation can only create a child object of an existing node/,
  );
  assert.equal((await container.item('a', 'p').read<{ n: number }>()).resource?.n, 1);
});

test('the id, the partition key and system properties cannot be patched', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  for (const path of ['/id', '/pk', '/_ts', '/_etag', '/_rid', '/_self'])
    assert.equal(
      (await failure(container.item('a', 'p').patch([{ op: 'set', path, value: 'x' }]))).code,
      400,
      path,
    );
});

test('a patch has one to ten operations, of known kinds, with paths', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p' });
  const item = container.item('a', 'p');
  const set = (n: number) => ({ op: 'set' as const, path: `/n${n}`, value: n });
  await item.patch(Array.from({ length: 10 }, (_, n) => set(n)));
  const wrong: unknown[] = [
    Array.from({ length: 11 }, (_, n) => set(n)),
    [],
    [{ op: 'bad', path: '/n', value: 1 }],
    [{ op: 'set', path: 'n', value: 1 }],
    [{ op: 'set', path: '/n' }],
    [{ op: 'add', path: '/list/x', value: 1 }],
  ];
  await item.patch([{ op: 'set', path: '/list', value: [] }]);
  for (const operations of wrong)
    assert.equal(
      (await failure(item.patch(operations as PatchOperation[]))).code,
      400,
      JSON.stringify(operations),
    );
});

test('a patch of nothing is a 404', async () => {
  const container = await server.container();
  const error = await failure(container.item('a', 'p').patch([{ op: 'set', path: '/n', value: 1 }]));
  assert.equal(error.code, 404);
});

test('a condition that holds lets the patch through, one that does not is a 412', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'p', n: 1 });
  const request = (condition: string): PatchRequestBody => ({
    operations: [{ op: 'incr', path: '/n', value: 1 }],
    condition,
  });
  const item = container.item('a', 'p');
  assert.equal((await item.patch(request('from c where c.n = 1'))).statusCode, 200);
  const error = await failure(item.patch(request('from c where c.n = 1')));
  assert.deepEqual([error.code, error.substatus], [412, 1110]);
  assert.equal((await failure(item.patch(request('from c where c.n =')))).code, 400);
  assert.equal((await item.read<{ n: number }>()).resource?.n, 2);
});
