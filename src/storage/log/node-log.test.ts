import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MemoryDisk } from '../memory/memory-disk.ts';
import { encodeNote, entryKinds, type LogEntry } from './log-entry.ts';
import { encodeFrameHeader } from './log-frame.ts';
import { partitionNumber } from './log-state.ts';
import { NodeLog, type RowStoreProgress } from './node-log.ts';

const identity = { clusterId: '0123456789abcdef0123456789abcdef', nodeId: 3 };
const address = { container: 2, physicalPartition: 0 };
const partition = partitionNumber(2, 0);

/** A row store that has everything up to `lsn`. */
function appliedThrough(lsn: number, rowBytes = 0): RowStoreProgress {
  return { rowBytes, isApplied: (_partition, wanted) => wanted <= lsn };
}

const nothingApplied = appliedThrough(0);

function rowsEntry(lsn: number, text = `entry ${lsn}`): Buffer {
  const header = { kind: entryKinds.rows, ...address, generation: 1, epoch: 1, lsn, timeMs: lsn };
  return encodeNote(header, text);
}

/** Appends as a node does: the state hears of an entry when its frame is durable. */
async function append(log: NodeLog, firstLsn: number, lastLsn = firstLsn, text?: string): Promise<void> {
  const entries = Array.from({ length: lastLsn - firstLsn + 1 }, (_, index) =>
    rowsEntry(firstLsn + index, text),
  );
  await log.append(entries, true);
  log.state.advance(log.state.of(address), 1, firstLsn, lastLsn);
}

async function newLog(disk: MemoryDisk): Promise<NodeLog> {
  const log = await NodeLog.open(disk, identity);
  await log.beginSegment(0, nothingApplied);
  return log;
}

/** `segments` segments of `frames` frames of one entry each; the row store keeps up. */
async function logOf(disk: MemoryDisk, segments: number, frames: number): Promise<NodeLog> {
  const log = await newLog(disk);
  for (let segment = 0, lsn = 1; segment < segments; segment++) {
    if (segment > 0) await log.beginSegment(0, appliedThrough(lsn - 1, lsn));
    for (let frame = 0; frame < frames; frame++, lsn++) await append(log, lsn);
  }
  return log;
}

const noRest = async (): Promise<void> => {};

async function lsnsIn(log: NodeLog, after = 0): Promise<number[]> {
  const lsns: number[] = [];
  await log.readFrom(new Map([[partition, after]]), noRest, async (entries: readonly LogEntry[]) => {
    for (const entry of entries) {
      if (entry.kind !== entryKinds.rows) continue;
      assert(entry.bytes.equals(rowsEntry(entry.lsn)), 'an entry is one that was written');
      lsns.push(entry.lsn);
    }
  });
  return lsns;
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

async function fileOf(disk: MemoryDisk, path: string): Promise<Buffer> {
  const file = await disk.read(path);
  assert(file !== undefined);
  return file;
}

const first = 'log/0000000001.log';
const second = 'log/0000000002.log';
const third = 'log/0000000003.log';

/** Where each frame of a log of one segment ends, and the file itself. */
async function smallLog(): Promise<{ file: Buffer; ends: number[] }> {
  const disk = new MemoryDisk();
  const log = await newLog(disk);
  const ends: number[] = [];
  for (const lsn of upTo(5)) {
    await append(log, lsn);
    ends.push(log.activeSizeBytes);
  }
  return { file: await fileOf(disk, first), ends };
}

async function diskWith(files: Readonly<Record<string, Buffer>>): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  for (const [path, content] of Object.entries(files)) await disk.replace(path, content);
  return disk;
}

function flippedAt(file: Buffer, at: number): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt8(copy.readUInt8(at) ^ 0x10, at);
  return copy;
}

test('a log that is cut off anywhere opens with exactly the whole frames before the cut', async () => {
  const { file, ends } = await smallLog();
  for (let cut = 0; cut <= file.length; cut++) {
    const disk = await diskWith({ [first]: file.subarray(0, cut) });
    const log = await NodeLog.open(disk, identity);
    const whole = ends.filter((end) => end <= cut).length;
    assert.equal(log.state.of(address).lastLsn, whole, `cut at ${cut}`);
    assert.deepEqual(await lsnsIn(log), upTo(whole));
  }
});

test('a log goes on behind a cut, and is whole when it is opened again', async () => {
  const { file, ends } = await smallLog();
  for (let cut = 0; cut <= file.length; cut += 7) {
    const disk = await diskWith({ [first]: file.subarray(0, cut) });
    const whole = ends.filter((end) => end <= cut).length;
    const log = await newLog(disk);
    await append(log, whole + 1, whole + 2);
    const again = await NodeLog.open(disk, identity);
    assert.deepEqual(await lsnsIn(again), upTo(whole + 2), `cut at ${cut}`);
  }
});

test('a flipped byte in the last frame ends the log before it; anywhere else it is refused', async () => {
  const { file, ends } = await smallLog();
  const lastFrameAt = ends.at(-2) ?? 0;
  for (let at = 0; at < file.length; at++) {
    const disk = await diskWith({ [first]: flippedAt(file, at) });
    if (at < lastFrameAt) {
      await assert.rejects(NodeLog.open(disk, identity), { code: 'corrupt-data' }, `byte ${at}`);
    } else {
      assert.deepEqual(await lsnsIn(await NodeLog.open(disk, identity)), upTo(4), `byte ${at}`);
    }
  }
});

/** Damaged in every way: a byte flipped anywhere, cut off anywhere. */
async function* damagedLogs(files: Readonly<Record<string, Buffer>>, path: string) {
  const file = files[path] as Buffer;
  for (let at = 0; at < file.length; at++) {
    yield { what: `byte ${at} of ${path}`, disk: await diskWith({ ...files, [path]: flippedAt(file, at) }) };
    if (at % 5 > 0) continue;
    const cut = { ...files, [path]: file.subarray(0, at) };
    yield { what: `${path} cut at ${at}`, disk: await diskWith(cut) };
  }
}

async function filesOf(disk: MemoryDisk): Promise<Record<string, Buffer>> {
  return Object.fromEntries(
    await Promise.all([first, second, third].map(async (path) => [path, await fileOf(disk, path)])),
  );
}

test('in a log of several segments no damage passes for a shorter or another log', async () => {
  const disk = new MemoryDisk();
  await logOf(disk, 3, 2);
  const files = await filesOf(disk);
  for (const path of [first, second])
    for await (const { what, disk: damaged } of damagedLogs(files, path)) {
      const opened = await NodeLog.open(damaged, identity).catch((error) => error.code);
      // What is in the row store is looked at when somebody reads it.
      if (!(opened instanceof NodeLog)) assert.equal(opened, 'corrupt-data', what);
      else {
        await assert.rejects(lsnsIn(opened), { code: 'corrupt-data' }, what);
        assert.equal(await opened.verify(noRest), false, what);
      }
    }
  const gone = await diskWith({ [first]: files[first] as Buffer, [third]: files[third] as Buffer });
  await assert.rejects(NodeLog.open(gone, identity), { code: 'corrupt-data' });
});

test('no log opens that is damaged where it may hold what the row store has not', async () => {
  const disk = new MemoryDisk();
  const log = await newLog(disk);
  await append(log, 1, 2);
  await log.beginSegment(0, appliedThrough(2, 2));
  await append(log, 3, 4);
  await log.beginSegment(0, appliedThrough(3, 3));
  await append(log, 5);
  const files = await filesOf(disk);
  for await (const { what, disk: damaged } of damagedLogs(files, second))
    await assert.rejects(NodeLog.open(damaged, identity), { code: 'corrupt-data' }, what);
});

test('of segments that are in the row store only the beginning is read to open a log', async () => {
  let readBytes = 0;
  class CountingDisk extends MemoryDisk {
    override async read(path: string, maxBytes?: number): Promise<Buffer | undefined> {
      const read = await super.read(path, maxBytes);
      readBytes += read?.length ?? 0;
      return read;
    }
  }
  const disk = new CountingDisk();
  const log = await newLog(disk);
  for (const lsn of upTo(2)) {
    await append(log, lsn, lsn, 'x'.repeat(1_000_000));
    await log.beginSegment(0, appliedThrough(lsn, lsn));
  }
  readBytes = 0;
  const again = await NodeLog.open(disk, identity, true);
  assert(readBytes < 100_000, `${readBytes} bytes`);
  assert.equal(again.sizeBytes, log.sizeBytes);
  assert.deepEqual(again.state.of(address).lastLsn, 2);
  assert.equal(await again.verify(noRest), true);
});

test('whatever happens to a byte of the last segment, no entry is read that was not written', async () => {
  const disk = new MemoryDisk();
  await logOf(disk, 2, 3);
  const files = { [first]: await fileOf(disk, first) };
  const last = await fileOf(disk, second);
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: last.length - 1 }),
      fc.integer({ min: 1, max: 255 }),
      async (at, change) => {
        const damaged = Buffer.from(last);
        damaged.writeUInt8(damaged.readUInt8(at) ^ change, at);
        const opened = await NodeLog.open(await diskWith({ ...files, [second]: damaged }), identity).catch(
          (error) => error.code,
        );
        if (opened instanceof NodeLog) assert.deepEqual(await lsnsIn(opened), upTo(5));
        else assert.equal(opened, 'corrupt-data');
      },
    ),
  );
});

test("a torn frame whose rows hold the bytes of a frame, its own or another log's, is torn all the same", async () => {
  const { file: ownLog } = await smallLog();
  const body = Buffer.from('from some other log');
  const foreign = Buffer.concat([encodeFrameHeader(9, 1, [body], 0).header, body]);
  for (const value of [foreign, ownLog.subarray(0, 400)]) {
    const disk = new MemoryDisk();
    const log = await newLog(disk);
    for (const lsn of upTo(5)) await append(log, lsn);
    await log.append([rowsEntry(6), value, Buffer.from('the end is lost')], true);
    const file = await fileOf(disk, first);
    const torn = await diskWith({ [first]: file.subarray(0, file.length - 5) });
    assert.deepEqual(await lsnsIn(await NodeLog.open(torn, identity)), upTo(5));
  }
});

test('a log of another node or cluster is refused, and so is one of another format', async () => {
  const { file } = await smallLog();
  const disk = await diskWith({ [first]: file });
  await assert.rejects(NodeLog.open(disk, { ...identity, nodeId: 4 }), { code: 'data-directory-foreign' });
  const clusterId = identity.clusterId.replace('0', 'f');
  await assert.rejects(NodeLog.open(disk, { ...identity, clusterId }), { code: 'data-directory-foreign' });
});

test('the stump of a segment that a crash left is passed over and replaced', async () => {
  const disk = new MemoryDisk();
  await logOf(disk, 1, 2);
  for (const stump of [Buffer.alloc(0), Buffer.from('RINGF'), Buffer.alloc(60)]) {
    const torn = await diskWith({ [first]: await fileOf(disk, first), [second]: stump });
    const log = await newLog(torn);
    await append(log, 3);
    assert.deepEqual(await lsnsIn(await NodeLog.open(torn, identity)), [1, 2, 3]);
  }
});

test('unless it was stopped in order, the last segment is written anew through its last sound frame', async () => {
  const { file, ends } = await smallLog();
  const cut = (ends.at(-1) ?? 0) - 1;
  const disk = await diskWith({ [first]: file.subarray(0, cut) });
  await NodeLog.open(disk, identity, true);
  assert.equal((await fileOf(disk, first)).length, cut);
  await NodeLog.open(disk, identity, false);
  assert.deepEqual(await fileOf(disk, first), file.subarray(0, ends.at(-2)));
});

test('what the log says is the same whether all segments are there or the oldest are gone', async () => {
  const disk = new MemoryDisk();
  const log = await logOf(disk, 4, 3);
  const before = structuredClone(log.state.partitions);
  await log.trim(0, 0, appliedThrough(100, 100));
  assert.equal(log.segmentCount, 1);
  const again = await NodeLog.open(disk, identity);
  assert.equal(JSON.stringify([...again.state.partitions]), JSON.stringify([...before]));
});

test('reading from an LSN brings every entry behind it that the log has, in order', async () => {
  const disk = new MemoryDisk();
  const log = await logOf(disk, 4, 3);
  for (let after = 0; after <= 12; after++) {
    const lsns = await lsnsIn(log, after);
    assert.deepEqual(
      lsns.filter((lsn) => lsn > after),
      upTo(12).filter((lsn) => lsn > after),
    );
    assert.deepEqual(
      lsns,
      lsns.toSorted((left, right) => left - right),
    );
  }
  assert.deepEqual(await lsnsIn(log, 10), [10, 11, 12], 'segments that hold nothing wanted are not read');
});

test('trimming never removes an entry that is not applied, and tells how far the log still reaches', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 12 }),
      fc.oneof(fc.constant(0), fc.nat({ max: 3_000 })),
      async (applied, keepBytes) => {
        const log = await logOf(new MemoryDisk(), 4, 3);
        const sizeBefore = log.sizeBytes;
        await log.trim(keepBytes, 0, appliedThrough(applied, 100));
        const reach = log.reach(partition, 0);
        assert(reach <= applied, 'what is not applied is still there');
        if (keepBytes === 0) assert.equal(reach, Math.min(9, applied - (applied % 3)), 'all else is gone');
        assert.deepEqual(
          await lsnsIn(log, reach),
          upTo(12).filter((lsn) => lsn > reach),
        );
        assert(log.sizeBytes >= Math.min(keepBytes, sizeBefore), 'no more is removed than was asked for');
        assert(log.segmentCount >= 1);
      },
    ),
    { numRuns: 50 },
  );
});

test('trimming keeps what a row store would need that lost the last bytes it was given', async () => {
  const disk = new MemoryDisk();
  const log = await NodeLog.open(disk, identity);
  // The row store is given a hundred bytes for each entry, and has all of them when the next segment begins.
  for (let segment = 0; segment < 6; segment++) {
    await log.beginSegment(0, appliedThrough(segment, segment * 100));
    await append(log, segment + 1);
  }
  const rows = appliedThrough(6, 600);
  await log.trim(0, 250, rows);
  const lsns = await lsnsIn(log);
  assert(lsns.includes(4) && lsns.includes(5) && lsns.includes(6), `the last 250 bytes: ${lsns}`);
  const read: number[] = [];
  await log.readForRows(250, new Map(), noRest, async (entries) => {
    for (const { kind, lsn } of entries) if (kind === entryKinds.rows) read.push(lsn);
  });
  assert(read.includes(4) && read.at(-1) === 6, `read again: ${read}`);
  await log.trim(0, 0, rows);
  assert.equal(log.segmentCount, 1);
});

test('entries that had not been applied when a segment began are applied again with it', async () => {
  const log = await NodeLog.open(new MemoryDisk(), identity);
  await log.beginSegment(0, appliedThrough(0, 0));
  await append(log, 1);
  // The row store lags: when the second and third segment begin it has been given nothing.
  await log.beginSegment(0, appliedThrough(0, 0));
  await append(log, 2);
  await log.beginSegment(0, appliedThrough(0, 0));
  await append(log, 3);
  await log.beginSegment(0, appliedThrough(3, 300));
  const read: number[] = [];
  await log.readForRows(300, new Map(), noRest, async (entries) => {
    for (const { kind, lsn } of entries) if (kind === entryKinds.rows) read.push(lsn);
  });
  assert.deepEqual(read, [1, 2, 3]);
});

test('nothing is trimmed while somebody reads', async () => {
  const log = await logOf(new MemoryDisk(), 3, 2);
  const seen: number[] = [];
  await log.readFrom(new Map([[partition, 0]]), noRest, async (entries) => {
    await log.trim(0, 0, appliedThrough(100, 100));
    for (const { kind, lsn } of entries) if (kind === entryKinds.rows) seen.push(lsn);
  });
  assert.deepEqual(seen, upTo(6));
  await log.trim(0, 0, appliedThrough(100, 100));
  assert.equal(log.segmentCount, 1);
});

test('after a failed write the log takes nothing more, though the disk may be well again', async () => {
  for (const failing of ['append', 'sync'] as const) {
    const disk = new MemoryDisk();
    const log = await newLog(disk);
    await append(log, 1);
    await log.beginSegment(0, nothingApplied);
    const create = disk.createAppendFile.bind(disk);
    let isFailing = false;
    disk.createAppendFile = async (path) => {
      const file = await create(path);
      const original = file[failing].bind(file) as (parts: readonly Buffer[]) => Promise<void>;
      file[failing] = async (parts: readonly Buffer[] = []) => {
        if (isFailing) throw new Error('EIO');
        await original(parts);
      };
      return file;
    };
    await log.beginSegment(0, nothingApplied);
    isFailing = true;
    await assert.rejects(append(log, 2), /EIO/);
    isFailing = false;
    assert.equal(log.isUsable, false);
    await assert.rejects(append(log, 2), /EIO/);
    await assert.rejects(log.beginSegment(0, nothingApplied), /EIO/);
    assert.deepEqual(
      (await lsnsIn(log)).filter((lsn) => lsn < 2),
      [1],
    );
  }
});

test('a log that was closed takes nothing more', async () => {
  const log = await logOf(new MemoryDisk(), 1, 1);
  await log.close();
  assert.equal(log.isUsable, false);
  await assert.rejects(append(log, 2), { code: 'stopping' });
});

test('a log that is verified at leisure is trimmed meanwhile', async () => {
  const log = await newLog(new MemoryDisk());
  for (const lsn of upTo(4)) {
    await append(log, lsn, lsn, 'x'.repeat(100_000));
    await log.beginSegment(0, appliedThrough(lsn, lsn));
  }
  let rests = 0;
  const trimmed = async (): Promise<void> => {
    rests += 1;
    await log.trim(0, 0, appliedThrough(100, 100));
    assert.equal(log.segmentCount, 1);
  };
  assert.equal(await log.verify(trimmed), true);
  assert.equal(rests, 1);
});

test('verifying finds any damage to what is durable, and rests on the way through a long log', async () => {
  const disk = new MemoryDisk();
  const log = await newLog(disk);
  for (const lsn of upTo(3)) await append(log, lsn, lsn, 'x'.repeat(600_000));
  await log.beginSegment(0, nothingApplied);
  await append(log, 4);
  let rests = 0;
  const rest = async (): Promise<void> => {
    rests += 1;
  };
  assert.equal(await log.verify(rest), true);
  assert.equal(rests, 3);
  for (const path of [first, second]) {
    const file = await fileOf(disk, path);
    await disk.replace(path, flippedAt(file, file.length - 1));
    assert.equal(await log.verify(rest), false);
    await disk.replace(path, file.subarray(0, -1));
    assert.equal(await log.verify(rest), false);
    await disk.replace(path, file);
  }
  assert.equal(await log.isIntact(), true);
  await disk.remove(second);
  assert.equal(await log.isIntact(), false);
});
