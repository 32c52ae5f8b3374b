import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ByteString } from '../../foundation/byte-string.ts';
import type { Scheduler } from '../../foundation/scheduler.ts';
import type { Disk } from '../disk.ts';
import { MemoryDisk } from '../memory/memory-disk.ts';
import { encodedParts } from './encoded-rows.ts';
import { MergeGroups } from './merge-groups.ts';
import {
  contentKey,
  type MergeInput,
  type MergeJob,
  type MergeOutcome,
  mergeTogether,
} from './merge-runs.ts';
import { RunWriter } from './run-file.ts';

const everything = { from: '' as ByteString, to: '\xff\xff\xff\xff' as ByteString };
const blockBytes = 200;
const outputPath = 'rows/00000009.run';
const never = new AbortController().signal;

async function run(disk: Disk, number: number, keys: readonly string[]): Promise<MergeInput> {
  const path = `rows/0000000${number}.run`;
  const file = await disk.createAppendFile(path);
  const writer = new RunWriter(file);
  const rows = keys.map((key) => ({ key: key as ByteString, value: Buffer.from(`${key} of ${number}`) }));
  for (const blocks of encodedParts(rows, blockBytes)) await writer.append(blocks);
  const { sizeBytes, crc } = await writer.finish();
  return { record: { number, sequence: number, sizeBytes, crc }, path, ranges: [everything] };
}

const keys = Array.from({ length: 100 }, (_, n) => `key ${String(n).padStart(3, '0')}`);

/** A node with two runs, and the job of merging them. */
async function node(disk: Disk = new MemoryDisk()): Promise<{ disk: Disk; job: MergeJob }> {
  const inputs = [await run(disk, 2, keys.slice(50)), await run(disk, 1, keys)];
  return { disk, job: { inputs, outputPath, blockBytes, dropRemovals: true } };
}

/** An outcome for each part. */
async function mergeAll(
  parts: readonly { disk: Disk; job: MergeJob; cancel?: AbortSignal }[],
): Promise<MergeOutcome[]> {
  const outcomes: MergeOutcome[] = [];
  await mergeTogether(
    parts.map((part, index) => ({
      cancel: never,
      ...part,
      settle: (outcome) => {
        assert.equal(outcomes[index], undefined, 'each part is settled once');
        outcomes[index] = outcome;
      },
    })),
  );
  return outcomes;
}

const kinds = (outcomes: readonly MergeOutcome[]) => outcomes.map(({ kind }) => kind);
const outputOf = async (disk: Disk) => (await disk.read(outputPath)) as Buffer;

/** The disk, but for making files. */
function diskWith(disk: Disk, createAppendFile: Disk['createAppendFile']): Disk {
  return {
    list: (folder) => disk.list(folder),
    read: (path) => disk.read(path),
    sizeOf: (path) => disk.sizeOf(path),
    replace: (path, content) => disk.replace(path, content),
    createAppendFile,
    openReadFile: (path) => disk.openReadFile(path),
    remove: (path) => disk.remove(path),
    freeBytes: () => disk.freeBytes(),
    isIntact: (path, minimumBytes) => disk.isIntact(path, minimumBytes),
    close: () => disk.close(),
  };
}

test('what is merged together is one run, the same on each node', async () => {
  const parts = [await node(), await node(), await node()];
  const outcomes = await mergeAll(parts);
  assert.deepEqual(kinds(outcomes), ['merged', 'merged', 'merged']);
  const [first, ...others] = await Promise.all(parts.map(({ disk }) => outputOf(disk)));
  assert.ok(first !== undefined && others.every((other) => other.equals(first)));
  assert.ok(outcomes.every((outcome) => outcome.kind === 'merged' && outcome.run.rows === 100));
});

test('a node that cannot be written to fails alone', async () => {
  const broken = new MemoryDisk();
  const { job } = await node(broken);
  const disk = diskWith(broken, async () => {
    throw new Error('EIO');
  });
  const whole = await node();
  for (const parts of [
    [{ disk, job }, whole],
    [whole, { disk, job }],
  ]) {
    const outcomes = await mergeAll(parts);
    assert.deepEqual(kinds(outcomes), parts[0] === whole ? ['merged', 'failed'] : ['failed', 'merged']);
    await whole.disk.remove(outputPath);
  }
});

test('a source that is damaged fails, and another node is read from for the rest', async () => {
  const damaged = await node();
  const [input] = damaged.job.inputs;
  assert.ok(input !== undefined);
  const bytes = (await damaged.disk.read(input.path)) as Buffer;
  bytes.writeUInt8(bytes.readUInt8(30) ^ 1, 30);
  await damaged.disk.replace(input.path, bytes);
  const others = [await node(), await node()];
  const outcomes = await mergeAll([damaged, ...others]);
  assert.deepEqual(kinds(outcomes), ['failed', 'merged', 'merged']);
});

test('a node whose disk hangs is left out once it is no longer wanted; it is told when the disk answers, and nobody waits for that', async () => {
  const memory = new MemoryDisk();
  const hung = await node(memory);
  let answer = (): void => {};
  const disk = diskWith(memory, async (path) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return memory.createAppendFile(path);
  });
  const cancel = new AbortController();
  const other = await node();
  const merging = mergeAll([{ ...hung, disk, cancel: cancel.signal }, other]);
  setImmediate(() => cancel.abort());
  const outcomes = await merging;
  assert.deepEqual([outcomes[0], outcomes[1]?.kind], [undefined, 'merged']);
  answer();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(outcomes[0]?.kind, 'cancelled');
});

test('jobs have the same key when their runs have the same rows, whatever their numbers', async () => {
  const disk = new MemoryDisk();
  const [left, same, other] = [
    await run(disk, 1, ['a']),
    await run(disk, 1 + 1, ['a']),
    await run(disk, 3, ['b']),
  ];
  const job = (input: MergeInput): MergeJob => ({
    inputs: [input],
    outputPath,
    blockBytes,
    dropRemovals: true,
  });
  assert.notEqual(contentKey(job(left)), contentKey(job(other)));
  assert.notEqual(contentKey(job(left)), contentKey(job(same)), 'their values differ');
  const renamed = { ...left, record: { ...left.record, number: 7, sequence: 8 }, path: 'elsewhere' };
  assert.equal(contentKey(job(left)), contentKey(job(renamed)));
  assert.notEqual(contentKey(job(left)), contentKey({ ...job(left), dropRemovals: false }));
  assert.notEqual(contentKey(job(left)), contentKey(job({ ...left, ranges: [] })));
});

function schedulerOf(timers: (() => void)[]): Scheduler {
  return {
    after: (_, task) => {
      timers.push(task);
      return () => {
        timers.splice(timers.indexOf(task), 1);
      };
    },
  };
}

test('a merge waits for the same one of the other nodes, but not for long', async () => {
  const groups: number[] = [];
  const timers: (() => void)[] = [];
  const scheduler = schedulerOf(timers);
  const merges = new MergeGroups<number>(async (members) => {
    groups.push(members.length);
    for (const { settle } of members) settle({ kind: 'merged', run: { sizeBytes: 1, rows: 1, crc: 1 } });
  }, scheduler);
  for (let place = 0; place < 3; place++) merges.addPlace();
  const { job } = await node();
  await Promise.all([0, 1, 2].map((place) => merges.merge(place, job, never)));
  assert.deepEqual(groups, [3]);
  const two = [0, 1].map((place) => merges.merge(place, job, never));
  const another = merges.merge(2, { ...job, dropRemovals: false }, never);
  assert.deepEqual(groups, [3]);
  for (const ring of [...timers]) ring();
  await Promise.all([...two, another]);
  assert.deepEqual(groups, [3, 2, 1]);
});

test('a merge that was cancelled while it waited is not begun', async () => {
  const timers: (() => void)[] = [];
  const scheduler = schedulerOf(timers);
  const merges = new MergeGroups<number>(async () => assert.fail('nothing is to be merged'), scheduler);
  merges.addPlace();
  merges.addPlace();
  const cancel = new AbortController();
  const merging = merges.merge(0, (await node()).job, cancel.signal);
  cancel.abort();
  assert.equal(await merging, undefined);
  for (const ring of [...timers]) ring();
});
