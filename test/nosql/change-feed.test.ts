import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ChangeFeedIteratorOptions,
  ChangeFeedMode,
  ChangeFeedPolicy,
  ChangeFeedRetentionTimeSpan,
  ChangeFeedStartFrom,
  type Container,
} from '@azure/cosmos';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

interface Changed {
  readonly id: string;
  readonly version?: number;
  readonly _lsn?: number;
}

/** All that is there now, and where to go on. */
async function readChanges(
  container: Container,
  options: ChangeFeedIteratorOptions,
): Promise<{ items: Changed[]; continuation: string }> {
  const iterator = container.items.getChangeFeedIterator<Changed>(options);
  const items: Changed[] = [];
  let continuation = '';
  let ranges = 0;
  while (iterator.hasMoreResults) {
    const page = await iterator.readNext();
    if (page.continuationToken !== undefined) continuation = page.continuationToken;
    // Every range answers 304 in its turn when it has nothing left.
    if (page.statusCode === 304) {
      ranges += 1;
      if (ranges > 20) break;
      if (page.count === 0 && items.length >= 0) break;
    } else {
      items.push(...page.result);
    }
  }
  return { items, continuation };
}

test('the feed from the beginning has the newest version of each item in the order of writing', async () => {
  const container = await server.container();
  for (const id of ['a', 'b', 'c', 'd']) await container.items.create({ id, pk: 'k', version: 1 });
  await container.items.upsert({ id: 'b', pk: 'k', version: 2 });
  await container.item('c', 'k').delete();
  const { items } = await readChanges(container, { changeFeedStartFrom: ChangeFeedStartFrom.Beginning() });
  assert.deepEqual(
    items.map(({ id, version }) => [id, version]),
    [
      ['a', 1],
      ['d', 1],
      ['b', 2],
    ],
  );
  const lsns = items.map(({ _lsn }) => _lsn ?? 0);
  assert.deepEqual(
    lsns,
    lsns.toSorted((x, y) => x - y),
  );
});

test('a continuation gives what was written after it, and nothing twice', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'k' });
  const first = await readChanges(container, { changeFeedStartFrom: ChangeFeedStartFrom.Beginning() });
  assert.deepEqual(
    first.items.map(({ id }) => id),
    ['a'],
  );
  await container.items.create({ id: 'b', pk: 'other' });
  const second = await readChanges(container, {
    changeFeedStartFrom: ChangeFeedStartFrom.Continuation(first.continuation),
  });
  assert.deepEqual(
    second.items.map(({ id }) => id),
    ['b'],
  );
});

test('the feed from now has nothing of what was before', async () => {
  const container = await server.container();
  await container.items.create({ id: 'before', pk: 'k' });
  const iterator = container.items.getChangeFeedIterator<Changed>({
    changeFeedStartFrom: ChangeFeedStartFrom.Now(),
  });
  const nothing = await iterator.readNext();
  assert.equal(nothing.statusCode, 304);
  await container.items.create({ id: 'after', pk: 'k' });
  const page = await iterator.readNext();
  assert.deepEqual(
    page.result.map(({ id }) => id),
    ['after'],
  );
});

test('the feed of one partition key has its changes alone', async () => {
  const container = await server.container();
  for (const { id, pk } of [
    { id: 'a', pk: 'x' },
    { id: 'b', pk: 'y' },
    { id: 'c', pk: 'x' },
  ])
    await container.items.create({ id, pk });
  const { items } = await readChanges(container, {
    changeFeedStartFrom: ChangeFeedStartFrom.Beginning('x'),
  });
  assert.deepEqual(
    items.map(({ id }) => id),
    ['a', 'c'],
  );
});

test('the feed from a time has what was written since', async () => {
  const container = await server.container();
  await container.items.create({ id: 'old', pk: 'k' });
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const time = new Date();
  await container.items.create({ id: 'new', pk: 'k' });
  const { items } = await readChanges(container, { changeFeedStartFrom: ChangeFeedStartFrom.Time(time) });
  assert.deepEqual(
    items.map(({ id }) => id),
    ['new'],
  );
});

test('a feed goes on through a split', async () => {
  const container = await server.container();
  for (let at = 0; at < 10; at++) await container.items.create({ id: `i${at}`, pk: `k${at}` });
  const iterator = container.items.getChangeFeedIterator<Changed>({
    changeFeedStartFrom: ChangeFeedStartFrom.Beginning(),
    maxItemCount: 3,
  });
  const found: string[] = [];
  found.push(...(await iterator.readNext()).result.map(({ id }) => id));
  const { resource } = await container.read();
  const number = server.ringfold.store.containers().find((one) => {
    const map = server.ringfold.store.mapOf(one);
    return map !== undefined && one === Math.max(...server.ringfold.store.containers());
  });
  assert(resource !== undefined && number !== undefined);
  await server.ringfold.store.splitPartition(number, 0, 'midpoint');
  for (let empty = 0; empty < 4; ) {
    const page = await iterator.readNext();
    if (page.statusCode === 304) empty += 1;
    else found.push(...page.result.map(({ id }) => id));
  }
  assert.deepEqual(found.toSorted(), Array.from({ length: 10 }, (_, at) => `i${at}`).toSorted());
});

test('all versions and deletes: creates, replaces and deletes, each with what was before', async () => {
  const container = await server.container({
    changeFeedPolicy: new ChangeFeedPolicy(ChangeFeedRetentionTimeSpan.fromMinutes(10)),
  });
  const iterator = container.items.getChangeFeedIterator<Record<string, never>>({
    changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes,
    changeFeedStartFrom: ChangeFeedStartFrom.Now(),
  });
  assert.equal((await iterator.readNext()).statusCode, 304);
  await container.items.create({ id: 'a', pk: 'k', version: 1 });
  await container.items.upsert({ id: 'a', pk: 'k', version: 2 });
  await container.item('a', 'k').delete();
  const { result } = await iterator.readNext();
  const shown = result as unknown as {
    current?: { version: number };
    previous?: { version: number };
    metadata: { operationType: string };
  }[];
  assert.deepEqual(
    shown.map(({ current, previous, metadata }) => [
      metadata.operationType,
      current?.version,
      previous?.version,
    ]),
    [
      ['create', 1, undefined],
      ['replace', 2, 1],
      ['delete', undefined, 2],
    ],
  );
});

test('latest versions come with what is said about them apart, where a client asks for that form', async () => {
  const container = await server.container();
  await container.items.create({ id: 'a', pk: 'k', n: 1 });
  const { resource, headers } = await container.items.upsert({ id: 'a', pk: 'k', n: 2 });
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const answer = await server.send('GET', `/${link}/docs`, {
    type: 'docs',
    link,
    headers: { 'a-im': 'Incremental Feed', 'x-ms-cosmos-changefeed-wire-format-version': '2021-09-15' },
  });
  assert.equal(answer.status, 200);
  const { Documents } = (await answer.json()) as { Documents: unknown };
  assert.deepEqual(Documents, [
    { current: resource, metadata: { lsn: Number(headers['lsn']), crts: resource?._ts } },
  ]);
});

test('how far a reader is behind shows by the session token and the LSN of a change, in both feeds', async () => {
  const container = await server.container({
    changeFeedPolicy: new ChangeFeedPolicy(ChangeFeedRetentionTimeSpan.fromMinutes(10)),
  });
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const read = (headers: Record<string, string>) =>
    server.send('GET', `/${link}/docs`, { type: 'docs', link, headers });
  const now = await read({ 'a-im': 'Full-Fidelity Feed', 'if-none-match': '*' });
  const start = now.headers.get('etag') ?? '';
  for (const id of ['a', 'b', 'c']) await container.items.create({ id, pk: 'k' });
  const behind = (answer: Response, lsn: number | undefined): number =>
    Number(answer.headers.get('x-ms-session-token')?.split('#')[1]) - (lsn ?? 0) + 1;
  const latest = await read({ 'a-im': 'Incremental Feed' });
  const { Documents } = (await latest.json()) as { Documents: Changed[] };
  assert.equal(behind(latest, Documents[0]?._lsn), 3);
  assert.equal(behind(latest, Number(latest.headers.get('etag')?.replaceAll('"', ''))), 1);
  const all = await read({ 'a-im': 'Full-Fidelity Feed', 'if-none-match': start });
  const { Documents: changes } = (await all.json()) as { Documents: { metadata: { lsn: number } }[] };
  assert.equal(behind(all, changes[0]?.metadata.lsn), 3);
});

test('all versions and deletes are refused where they are not kept', async () => {
  const container = await server.container();
  const iterator = container.items.getChangeFeedIterator({
    changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes,
    changeFeedStartFrom: ChangeFeedStartFrom.Now(),
  });
  await assert.rejects(iterator.readNext(), { code: 400 });
});

test('all versions and deletes: a position older than they are kept is a 400, a younger one goes on', async () => {
  const container = await server.container({
    changeFeedPolicy: new ChangeFeedPolicy(ChangeFeedRetentionTimeSpan.fromMinutes(10)),
  });
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const read = (position: string, more: Record<string, string> = {}) =>
    server.send('GET', `/${link}/docs`, {
      type: 'docs',
      link,
      headers: { 'a-im': 'Full-Fidelity Feed', 'if-none-match': position, ...more },
    });
  const start = (await read('*')).headers.get('etag') ?? '';
  for (const id of ['a', 'b', 'c']) await container.items.create({ id, pk: 'k' });
  const first = await read(start, { 'x-ms-max-item-count': '1' });
  assert.equal(first.headers.get('x-ms-item-count'), '1');
  const [, lsn, seconds] = /^"(\d+)-(\d+)"$/.exec(first.headers.get('etag') ?? '') ?? [];
  const secondsAgo = (ago: number) => Math.floor(Date.now() / 1_000) - ago;
  assert.ok(Math.abs(Number(seconds) - secondsAgo(0)) < 60, `${seconds} is not now`);
  const rest = await read(`"${lsn}-${secondsAgo(570)}"`);
  assert.equal(rest.headers.get('x-ms-item-count'), '2');
  const tooOld = await read(`"${lsn}-${secondsAgo(610)}"`);
  assert.equal(tooOld.status, 400);
  assert.match(((await tooOld.json()) as { message: string }).message, /older than the 10 minutes/);
  assert.equal((await read(`"0=${lsn}-${secondsAgo(610)}"`)).status, 400);
  assert.equal((await read(`"0=${lsn}-${secondsAgo(570)}"`)).status, 200);
  // That of a reader of newest versions says nothing of time.
  assert.equal((await read(`"${lsn}"`)).status, 400);
});

/** The pages of a reader that names no part of the container, to the 304; and where it is then. */
async function readByNobodysRange(
  container: Container,
  headers: Record<string, string>,
): Promise<{ ids: string[]; position: string; pages: number }> {
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const ids: string[] = [];
  let position = headers['if-none-match'];
  for (let pages = 0; ; pages++) {
    const answer = await server.send('GET', `/${link}/docs`, {
      type: 'docs',
      link,
      headers: {
        'a-im': 'Incremental Feed',
        ...headers,
        ...(position === undefined ? {} : { 'if-none-match': position }),
      },
    });
    position = answer.headers.get('etag') ?? '';
    if (answer.status === 304) return { ids, position, pages };
    assert.equal(answer.status, 200);
    const { Documents } = (await answer.json()) as { Documents: Changed[] };
    ids.push(...Documents.map(({ id }) => id));
  }
}

test('a reader that names no range gets the changes of all physical partitions, and goes on through a split', async () => {
  const container = await server.container({ throughput: 20_000 });
  const expected = Array.from({ length: 30 }, (_, number) => `i${number}`);
  const before = await readByNobodysRange(container, { 'if-none-match': '*' });
  await Promise.all(expected.map((id) => container.items.create({ id, pk: id })));
  const all = await readByNobodysRange(container, { 'x-ms-max-item-count': '4' });
  assert.deepEqual(all.ids.toSorted(), expected.toSorted());
  assert.ok(all.pages >= 8, `${all.pages} pages`);
  const since = await readByNobodysRange(container, { 'if-none-match': before.position });
  assert.deepEqual(since.ids.toSorted(), expected.toSorted());
  const { store } = server.ringfold;
  await store.splitPartition(Math.max(...store.containers()), 0, 'midpoint');
  await container.items.upsert({ id: 'i7', pk: 'i7', version: 2 });
  const later = await readByNobodysRange(container, { 'if-none-match': all.position });
  assert.deepEqual(later.ids, ['i7']);
});

test('a reader that names no range may begin at a time', async () => {
  const container = await server.container({ throughput: 20_000 });
  await Promise.all(['a', 'b', 'c', 'd'].map((id) => container.items.create({ id, pk: id })));
  const minute = 60_000;
  const sinceThen = (ms: number) => ({
    'if-modified-since': new Date(Date.now() + ms).toUTCString(),
    'x-ms-max-item-count': '1',
  });
  assert.deepEqual((await readByNobodysRange(container, sinceThen(-minute))).ids.toSorted(), [
    'a',
    'b',
    'c',
    'd',
  ]);
  assert.deepEqual((await readByNobodysRange(container, sinceThen(minute))).ids, []);
});

test('the position of another container is refused', async () => {
  const container = await server.container({ throughput: 20_000 });
  const link = `dbs/${container.database.id}/colls/${container.id}`;
  const headers = { 'a-im': 'Incremental Feed', 'if-none-match': '"77=3"' };
  const answer = await server.send('GET', `/${link}/docs`, { type: 'docs', link, headers });
  assert.equal(answer.status, 400);
});
