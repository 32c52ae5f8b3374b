import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextTurn, systemScheduler } from '../../foundation/scheduler.ts';
import type { AppendFile } from '../disk.ts';
import { MemoryDisk } from '../memory/memory-disk.ts';
import { GroupCommit, type LogWriter } from './group-commit.ts';
import { encodeNote, entryKinds, isOrdered } from './log-entry.ts';
import { partitionNumber } from './log-state.ts';
import { NodeLog } from './node-log.ts';
import { TurnEnds } from './turn-ends.ts';

const identity = { clusterId: '0123456789abcdef0123456789abcdef', nodeId: 0 };
const rows = { rowBytes: 0, isApplied: () => true };

/** A disk whose writes wait to be let through, one at a time. */
class GatedDisk extends MemoryDisk {
  /** Bytes and number of parts of each append that was asked for. */
  readonly appends: { readonly parts: number; readonly bytes: number }[] = [];
  isOpen = true;
  inFlight = 0;
  mostInFlight = 0;
  #waiting: ((error?: Error) => void)[] = [];

  override async createAppendFile(path: string): Promise<AppendFile> {
    const file = await super.createAppendFile(path);
    const append = file.append.bind(file);
    file.append = async (parts) => {
      this.appends.push({ parts: parts.length, bytes: parts.reduce((sum, part) => sum + part.length, 0) });
      this.inFlight += 1;
      this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
      try {
        if (!this.isOpen) await this.#gate();
        await append(parts);
      } finally {
        this.inFlight -= 1;
      }
    };
    return file;
  }

  #gate(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push((error) => (error === undefined ? resolve() : reject(error)));
    });
  }

  /** Lets the write under way end, well or with an error. */
  async letThrough(error?: Error): Promise<void> {
    this.#waiting.shift()?.(error);
    await turns();
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn(systemScheduler);
}

class Bench {
  readonly disk: GatedDisk;
  readonly log: NodeLog;
  readonly commit: GroupCommit;
  readonly failures: unknown[] = [];
  readonly events: string[] = [];
  nowMs = 0;

  private constructor(disk: GatedDisk, log: NodeLog, segmentBytes: number) {
    const clock = { now: () => 0, microseconds: () => 0, monotonic: () => this.nowMs };
    const settings = { segmentBytes, skipSync: false, writeOnAfterFailure: false };
    this.disk = disk;
    this.log = log;
    this.commit = new GroupCommit(log, rows, clock, new TurnEnds(systemScheduler), settings, (error) =>
      this.failures.push(error),
    );
  }

  static async open(segmentBytes = 10 ** 6): Promise<Bench> {
    const disk = new GatedDisk();
    const log = await NodeLog.open(disk, identity);
    await log.beginSegment(0, rows);
    disk.appends.length = 0;
    return new Bench(disk, log, segmentBytes);
  }

  writer(name: string): LogWriter {
    const { events } = this;
    return {
      queuedLsn: 0,
      writingLsn: 0,
      durableLsn: 0,
      isQueued: false,
      fold() {
        events.push(`${name} folds ${this.durableLsn}`);
      },
      onDurable() {
        events.push(`${name} durable ${this.durableLsn}`);
      },
    };
  }

  enqueue(writer: LogWriter, physicalPartition: number, lsn: number): void {
    const entry = entryOf(physicalPartition, lsn);
    this.commit.enqueue(entry, 0, entry.length, writer, lsn);
  }

  note(name: string): Promise<void> {
    const noted = this.commit.note(entryOf(0, 0, entryKinds.promise), () =>
      this.events.push(`${name} folds`),
    );
    return noted.then(
      () => void this.events.push(`${name} resolved`),
      (error) => void this.events.push(`${name} rejected: ${error.message}`),
    );
  }

  /** Partition and LSN of every ordered entry that the disk holds. */
  async logged(): Promise<string[]> {
    const found: string[] = [];
    const everything = new Map([[partitionNumber(2, 0), -1]]);
    await this.log.readFrom(
      everything,
      async () => {},
      async (entries) => {
        for (const { kind, physicalPartition, lsn } of entries)
          if (isOrdered(kind)) found.push(`${physicalPartition}#${lsn}`);
      },
    );
    return found;
  }
}

function entryOf(physicalPartition: number, lsn: number, kind: 1 | 5 = entryKinds.rows): Buffer {
  return encodeNote({ kind, container: 2, physicalPartition, generation: 1, epoch: 1, lsn, timeMs: 0 }, null);
}

test('entries become durable in their order, and each writer hears how far it has got', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ writer: fc.nat({ max: 2 }), isLast: fc.boolean() }), { maxLength: 30 }),
      async (calls) => {
        const bench = await Bench.open(400);
        const writers = ['a', 'b', 'c'].map((name) => bench.writer(name));
        const expected: string[] = [];
        for (const { writer: index, isLast } of calls) {
          const writer = writers[index];
          assert(writer !== undefined);
          bench.enqueue(writer, index, writer.queuedLsn + 1);
          expected.push(`${index}#${writer.queuedLsn}`);
          if (isLast) await Promise.resolve();
        }
        await bench.commit.whenIdle();
        assert.deepEqual(await bench.logged(), expected);
        assert.equal(bench.disk.mostInFlight <= 1, true, 'one write is in flight');
        assert.equal(bench.commit.queuedBytes, 0);
        for (const writer of writers) assert.equal(writer.durableLsn, writer.queuedLsn);
        assert.deepEqual(bench.failures, []);
      },
    ),
    { numRuns: 60 },
  );
});

test('what one turn brings, and what comes while a write is under way, is one frame each', async () => {
  const bench = await Bench.open();
  const writer = bench.writer('a');
  bench.disk.isOpen = false;
  for (const lsn of [1, 2, 3]) bench.enqueue(writer, 0, lsn);
  await turns();
  for (const lsn of [4, 5]) {
    bench.enqueue(writer, 0, lsn);
    await turns();
  }
  assert.equal(bench.disk.appends.length, 1);
  assert.equal(writer.durableLsn, 0);
  await bench.disk.letThrough();
  assert.equal(writer.durableLsn, 3);
  assert.equal(bench.disk.appends.length, 2);
  await bench.disk.letThrough();
  assert.equal(writer.durableLsn, 5);
  assert.deepEqual(bench.events, ['a folds 3', 'a durable 3', 'a folds 5', 'a durable 5']);
});

test('turns that bring more, one after the other, are one frame, but not for longer than a moment', async () => {
  const bench = await Bench.open();
  const writer = bench.writer('a');
  for (let lsn = 1; lsn <= 20; lsn++) {
    bench.enqueue(writer, 0, lsn);
    await nextTurn(systemScheduler);
  }
  assert.equal(bench.disk.appends.length, 0);
  await bench.commit.whenIdle();
  assert.equal(bench.disk.appends.length, 1);
  assert.equal(writer.durableLsn, 20);
  bench.disk.isOpen = false;
  for (let lsn = 21; lsn <= 40; lsn++) {
    bench.nowMs += 0.1;
    bench.enqueue(writer, 0, lsn);
    await nextTurn(systemScheduler);
  }
  assert.equal(bench.disk.appends.length, 2, 'the clock says that it has waited long enough');
  bench.disk.isOpen = true;
  await bench.disk.letThrough();
  await bench.commit.whenIdle();
  assert.equal(writer.durableLsn, 40);
  assert.equal(bench.disk.appends.length, 3);
});

test('stretches that stand side by side in a buffer are written as one part', async () => {
  const bench = await Bench.open();
  const writer = bench.writer('a');
  const entries = [1, 2, 3].map((lsn) => entryOf(0, lsn));
  const chunk = Buffer.concat(entries);
  const length = entries[0]?.length ?? 0;
  for (const index of [0, 1, 2])
    bench.commit.enqueue(chunk, index * length, (index + 1) * length, writer, index + 1);
  await bench.commit.whenIdle();
  // The frame's header is a part of its own.
  assert.deepEqual(
    bench.disk.appends.map(({ parts }) => parts),
    [2],
  );
  assert.deepEqual(await bench.logged(), ['0#1', '0#2', '0#3']);
});

test('everything of a frame is folded before anybody is told that it is durable', async () => {
  const bench = await Bench.open();
  const noted = bench.note('note');
  bench.enqueue(bench.writer('a'), 0, 1);
  bench.enqueue(bench.writer('b'), 1, 1);
  await noted;
  await bench.commit.whenIdle();
  const told = bench.events.findIndex((event) => /durable|resolved/.test(event));
  assert.deepEqual(bench.events.slice(0, told).sort(), ['a folds 1', 'b folds 1', 'note folds']);
  assert.deepEqual(bench.events.slice(told).sort(), ['a durable 1', 'b durable 1', 'note resolved']);
});

test('a write that fails tells nobody "durable", and nothing more is written', async () => {
  const bench = await Bench.open();
  bench.disk.isOpen = false;
  const writer = bench.writer('a');
  bench.enqueue(writer, 0, 1);
  const noted = bench.note('note');
  await turns();
  bench.enqueue(writer, 0, 2);
  await bench.disk.letThrough(new Error('EIO'));
  await noted;
  assert.deepEqual(bench.events, ['note rejected: EIO']);
  assert.deepEqual(
    bench.failures.map((error) => (error as Error).message),
    ['EIO'],
  );
  assert.equal(bench.disk.appends.length, 1);
  assert.equal(writer.durableLsn, 0);
});

test('a sync that fails tells nobody "durable" either', async () => {
  const bench = await Bench.open(1);
  const create = bench.disk.createAppendFile.bind(bench.disk);
  bench.disk.createAppendFile = async (path) => {
    const file = await create(path);
    let syncs = 0;
    file.sync = async () => {
      // The first is that of the segment's own beginning.
      if (++syncs > 1) throw new Error('EIO');
    };
    return file;
  };
  const writer = bench.writer('a');
  bench.enqueue(writer, 0, 1);
  await bench.commit.whenIdle();
  assert.equal(writer.durableLsn, 1);
  bench.enqueue(writer, 0, 2);
  await turns();
  assert.equal(writer.durableLsn, 1);
  assert.equal(bench.failures.length, 1);
});

test('closing drops what is queued, tells nobody of what is under way, and waits for it', async () => {
  const bench = await Bench.open();
  bench.disk.isOpen = false;
  const writer = bench.writer('a');
  bench.enqueue(writer, 0, 1);
  await turns();
  bench.enqueue(writer, 0, 2);
  const queued = bench.note('queued');
  let isClosed = false;
  const closing = bench.commit.close(new Error('stopping')).then(() => {
    isClosed = true;
  });
  await queued;
  assert.deepEqual(bench.events, ['queued rejected: stopping']);
  assert.equal(bench.commit.queuedBytes, 0);
  assert.equal(isClosed, false);
  await bench.disk.letThrough();
  await closing;
  assert.deepEqual(bench.events, ['queued rejected: stopping']);
  assert.equal(writer.durableLsn, 0);
  assert.equal(bench.disk.appends.length, 1);
  bench.enqueue(writer, 0, 3);
  await bench.note('late');
  assert.deepEqual(bench.events.at(-1), 'late rejected: the log is closed');
  assert.equal(bench.disk.appends.length, 1);
});

test('closing lets go of a note whose write never ends', async () => {
  const bench = await Bench.open();
  bench.disk.isOpen = false;
  void bench.note('note');
  await turns();
  void bench.commit.close(new Error('the disk does not answer'));
  await turns();
  assert.deepEqual(bench.events, ['note rejected: the disk does not answer']);
});

test('a note that cannot be folded leaves no other note of its frame waiting', async () => {
  const bench = await Bench.open();
  const before = bench.note('before');
  const broken = bench.commit.note(entryOf(0, 0, entryKinds.promise), () => {
    throw new Error('gap in log');
  });
  const behind = bench.note('behind');
  await assert.rejects(broken, /gap in log/);
  await turns();
  assert.equal(bench.failures.length, 1);
  assert.equal(bench.events.filter((event) => /before re|behind re/.test(event)).length, 2);
  await Promise.all([before, behind]);
});

test('how long a write has not been answered is counted from its beginning', async () => {
  const bench = await Bench.open();
  bench.disk.isOpen = false;
  const writer = bench.writer('a');
  assert.equal(bench.commit.waitingMs, 0);
  bench.enqueue(writer, 0, 1);
  await turns();
  bench.nowMs = 40;
  assert.equal(bench.commit.waitingMs, 40);
  bench.enqueue(writer, 0, 2);
  await bench.disk.letThrough();
  assert.equal(bench.commit.waitingMs, 0, 'the next frame began just now');
  bench.nowMs = 50;
  assert.equal(bench.commit.waitingMs, 10);
  await bench.disk.letThrough();
  assert.equal(bench.commit.waitingMs, 0);
});

test('a segment that is long enough is followed by a new one, and the next frame goes there', async () => {
  const bench = await Bench.open(200);
  const writer = bench.writer('a');
  for (const lsn of [1, 2, 3, 4, 5, 6]) {
    bench.enqueue(writer, 0, lsn);
    await bench.commit.whenIdle();
  }
  assert(bench.log.segmentCount > 1);
  assert.deepEqual(await bench.logged(), ['0#1', '0#2', '0#3', '0#4', '0#5', '0#6']);
});
