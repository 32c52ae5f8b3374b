import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ByteString } from '../../foundation/byte-string.ts';
import { FileDisk } from '../disk/file-disk.ts';
import { encodedParts, type PlainRow } from './encoded-rows.ts';
import { IndexCache } from './index-cache.ts';
import type { MergeInput, MergeJob } from './merge-runs.ts';
import { MergeThreads } from './merge-threads.ts';
import { Run } from './run.ts';
import { RunCursor } from './run-cursor.ts';
import { RunWriter } from './run-file.ts';

const everything = { from: '' as ByteString, to: '\xff\xff\xff\xff' as ByteString };
const row = (key: string, value: string | null): PlainRow => ({
  key: key as ByteString,
  value: value === null ? null : Buffer.from(value),
});

interface Bench {
  readonly directory: string;
  readonly disk: FileDisk;
  readonly threads: MergeThreads;
}

async function withThreads(use: (bench: Bench) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ringfold-merge-'));
  const disk = await FileDisk.open(directory);
  const threads = new MergeThreads();
  try {
    await use({ directory, disk, threads });
  } finally {
    await threads.close();
    await disk.close();
    await rm(directory, { recursive: true });
  }
}

async function input(disk: FileDisk, number: number, rows: Iterable<PlainRow>): Promise<MergeInput> {
  const path = `rows/${number}.run`;
  const file = await disk.createAppendFile(path);
  const writer = new RunWriter(file);
  for (const blocks of encodedParts(rows, 4096)) await writer.append(blocks);
  const { sizeBytes, crc } = await writer.finish();
  await file.close();
  return { record: { number, sequence: number, sizeBytes, crc }, path, ranges: [everything] };
}

const jobOf = (inputs: readonly MergeInput[], outputPath: string): MergeJob => ({
  inputs,
  outputPath,
  blockBytes: 4096,
  dropRemovals: true,
});

function* manyRows(count: number): Generator<PlainRow> {
  for (let n = 0; n < count; n++) yield row(String(n).padStart(8, '0'), 'x'.repeat(200));
}

const never = new AbortController().signal;

test('runs are merged in another thread', () =>
  withThreads(async ({ directory, disk, threads }) => {
    const older = await input(disk, 1, [row('a', 'old'), row('b', 'old'), row('c', 'old'), row('d', 'old')]);
    const newer = await input(disk, 2, [row('a', 'new'), row('b', null)]);
    const seen = { ...older, ranges: [{ from: 'a' as ByteString, to: 'd' as ByteString }] };
    const size = await threads.mergerFor(directory).merge(jobOf([newer, seen], 'rows/3.run'), never);
    assert.equal(size?.rows, 2);
    const record = { number: 3, sequence: 2, sizeBytes: size.sizeBytes, crc: size.crc };
    const run = await Run.open(record, await disk.openReadFile('rows/3.run'), new IndexCache(0));
    const cursor = new RunCursor(run, [everything], false);
    const found: string[] = [];
    for (await cursor.load(); !cursor.hasEnded; await cursor.load()) {
      found.push(`${cursor.key}=${cursor.row?.value}`);
      cursor.advance();
    }
    assert.deepEqual(found, ['a=new', 'c=old']);
    await run.close();
  }));

test('a merge that is no longer wanted ends soon, and one that was never wanted does not begin', () =>
  withThreads(async ({ directory, disk, threads }) => {
    const merger = threads.mergerFor(directory);
    const large = await input(disk, 1, manyRows(200_000));
    const isThere = async (name: string) => (await readdir(join(directory, 'rows'))).includes(name);
    const cancelling = new AbortController();
    cancelling.abort();
    assert.equal(await merger.merge(jobOf([large], 'rows/2.run'), cancelling.signal), undefined);
    assert.ok(!(await isThere('2.run')));
    // It may have ended when this process gets round to it, so one of some must not have.
    for (let number = 3; number < 9; number++) {
      const cut = new AbortController();
      const merging = merger.merge(jobOf([large], `rows/${number}.run`), cut.signal);
      while (!(await isThere(`${number}.run`))) await new Promise((resolve) => setTimeout(resolve, 1));
      cut.abort();
      if ((await merging) === undefined) return;
    }
    assert.fail('none was ended');
  }));

test('a failure comes back with its code, and the next merge is done all the same', () =>
  withThreads(async ({ directory, disk, threads }) => {
    const merger = threads.mergerFor(directory);
    const sound = await input(disk, 1, manyRows(10));
    const cut = await input(disk, 2, manyRows(1000));
    const flipped = await input(disk, 3, manyRows(1000));
    await truncate(join(directory, cut.path), cut.record.sizeBytes - 1000);
    const bytes = (await disk.read(flipped.path)) ?? assert.fail();
    bytes[50] = (bytes[50] as number) ^ 1;
    await writeFile(join(directory, flipped.path), bytes);
    const isDamage = { name: 'RingfoldError', code: 'corrupt-data' };
    await assert.rejects(merger.merge(jobOf([sound, cut], 'rows/10.run'), never), isDamage);
    await assert.rejects(merger.merge(jobOf([flipped, sound], 'rows/11.run'), never), isDamage);
    await assert.rejects(merger.merge(jobOf([sound], sound.path), never), { code: 'EEXIST' });
    const gone = threads.mergerFor(join(directory, 'gone'));
    await assert.rejects(gone.merge(jobOf([sound], 'rows/12.run'), never), { code: 'ENOENT' });
    assert.equal((await merger.merge(jobOf([sound], 'rows/13.run'), never))?.rows, 10);
  }));

test('merges of several directories, asked for at once, each get their own answer', () =>
  withThreads(async ({ directory, disk, threads }) => {
    const inputs = await Promise.all(
      [1, 2, 3, 4].map((number) => input(disk, number, manyRows(number * 10))),
    );
    const sizes = await Promise.all(
      inputs.map((part, index) =>
        threads.mergerFor(directory).merge(jobOf([part], `rows/1${index}.run`), never),
      ),
    );
    assert.deepEqual(
      sizes.map((size) => size?.rows),
      [10, 20, 30, 40],
    );
  }));

test('when the threads are closed a merge under way is refused, and a later one begins them anew', () =>
  withThreads(async ({ directory, disk, threads }) => {
    const merger = threads.mergerFor(directory);
    const large = await input(disk, 1, manyRows(100_000));
    const refused = assert.rejects(merger.merge(jobOf([large], 'rows/2.run'), never));
    await threads.close();
    await refused;
    const small = await input(disk, 3, manyRows(5));
    assert.equal((await merger.merge(jobOf([small], 'rows/4.run'), never))?.rows, 5);
    await threads.close();
    await threads.close();
  }));
