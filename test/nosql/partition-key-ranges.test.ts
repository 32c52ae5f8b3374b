import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '@azure/cosmos';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

interface Range {
  readonly id: string;
  readonly minInclusive: string;
  readonly maxExclusive: string;
  readonly parents: readonly string[];
  readonly throughputFraction: number;
}

async function readRanges(container: Container): Promise<Range[]> {
  const { resources } = await container.readPartitionKeyRanges().fetchAll();
  return resources as unknown as Range[];
}

/** The number of the container in the store, which admin JSON speaks of. */
async function numberOf(container: Container): Promise<number> {
  const answer = await fetch(`${server.endpoint}/_ringfold/containers`);
  const { containers } = (await answer.json()) as { containers: { container: number; table?: string }[] };
  const found = containers.find(({ table }) => table === `${container.database.id}/${container.id}`);
  assert(found !== undefined, JSON.stringify(containers));
  return found.container;
}

async function change(container: Container, kind: 'split' | 'merge', body: object): Promise<void> {
  const answer = await fetch(`${server.endpoint}/_ringfold/containers/${await numberOf(container)}/${kind}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, await answer.text());
}

function rangesOf(container: Container, headers: Record<string, string>): Promise<Response> {
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  return server.send('GET', `/${link}/pkranges`, { type: 'pkranges', link, headers });
}

test('a container of little throughput has one range, the whole ring', async () => {
  const ranges = await readRanges(await server.container());
  assert.deepEqual(
    ranges.map(({ id, minInclusive, maxExclusive, parents }) => ({
      id,
      minInclusive,
      maxExclusive,
      parents,
    })),
    [{ id: '0', minInclusive: '', maxExclusive: 'FF', parents: [] }],
  );
});

test('a container of much throughput has several ranges without gap or overlap', async () => {
  const ranges = await readRanges(await server.container({ throughput: 30_000 }));
  assert.ok(ranges.length >= 3);
  assert.equal(ranges[0]?.minInclusive, '');
  assert.equal(ranges.at(-1)?.maxExclusive, 'FF');
  for (const [index, range] of ranges.slice(1).entries())
    assert.equal(range.minInclusive, ranges[index]?.maxExclusive);
  const whole = ranges.reduce((sum, { throughputFraction }) => sum + throughputFraction, 0);
  assert.ok(Math.abs(whole - 1) < 1e-9);
});

test('a client that has the ranges gets a 304 with the ETag until they change', async () => {
  const container = await server.container();
  const first = await rangesOf(container, { 'a-im': 'Incremental Feed', 'x-ms-max-item-count': '-1' });
  assert.equal(first.status, 200);
  const etag = first.headers.get('etag') ?? '';
  const second = await rangesOf(container, { 'a-im': 'Incremental Feed', 'if-none-match': etag });
  assert.equal(second.status, 304);
  assert.equal(second.headers.get('etag'), etag);
  assert.equal(await second.text(), '');
  await change(container, 'split', { partition: 0 });
  const third = await rangesOf(container, { 'a-im': 'Incremental Feed', 'if-none-match': etag });
  assert.equal(third.status, 200);
});

test('ranges name all that they came from', async () => {
  const container = await server.container();
  await change(container, 'split', { partition: 0 });
  await change(container, 'split', { partition: 1 });
  assert.deepEqual(
    (await readRanges(container)).map(({ id, parents }) => [id, parents]),
    [
      ['3', ['0', '1']],
      ['4', ['0', '1']],
      ['2', ['0']],
    ],
  );
  await change(container, 'merge', { left: 3, right: 4 });
  assert.deepEqual(
    (await readRanges(container)).map(({ id, parents }) => [id, parents]),
    [
      ['5', ['0', '1', '3', '4']],
      ['2', ['0']],
    ],
  );
});

test('a range that was split is gone with 410 and 1002, and its children go on with its continuation', async () => {
  const container = await server.container();
  for (let at = 0; at < 20; at++) await container.items.create({ id: `i${at}`, pk: `k${at}` });
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const page = (range: string, more: Record<string, string> = {}) =>
    server.send('GET', `/${link}/docs`, {
      type: 'docs',
      link,
      headers: { 'x-ms-documentdb-partitionkeyrangeid': range, 'x-ms-max-item-count': '7', ...more },
    });
  const first = await page('0');
  const continuation = first.headers.get('x-ms-continuation') ?? '';
  const found = ((await first.json()) as { Documents: { id: string }[] }).Documents.map(({ id }) => id);
  assert.deepEqual(found, ['i0', 'i1', 'i2', 'i3', 'i4', 'i5', 'i6']);
  await change(container, 'split', { partition: 0 });
  const gone = await page('0', { 'x-ms-continuation': continuation });
  assert.equal(gone.status, 410);
  assert.equal(gone.headers.get('x-ms-substatus'), '1002');
  for (const range of ['1', '2']) {
    for (let next: string | null = continuation; next !== null; ) {
      const answer = await page(range, { 'x-ms-continuation': next });
      assert.equal(answer.status, 200);
      found.push(...((await answer.json()) as { Documents: { id: string }[] }).Documents.map(({ id }) => id));
      next = answer.headers.get('x-ms-continuation');
    }
  }
  assert.deepEqual(found.toSorted(), Array.from({ length: 20 }, (_, at) => `i${at}`).toSorted());
});
