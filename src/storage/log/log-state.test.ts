import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodeEntries,
  type EntryHeader,
  type EntryKind,
  encodeNote,
  entryKinds,
  type LogEntry,
} from './log-entry.ts';
import { epochAt, LogState, lastCommonLsn, type PartitionLogState, partitionNumber } from './log-state.ts';

const container = 2;

function entry(kind: EntryKind, fields: Partial<EntryHeader>, body: unknown = null): LogEntry {
  const header = {
    kind,
    container,
    physicalPartition: 0,
    generation: 1,
    epoch: 0,
    lsn: 0,
    timeMs: 0,
    ...fields,
  };
  const [decoded] = decodeEntries(encodeNote(header, body));
  assert(decoded !== undefined);
  return decoded;
}

function rows(physicalPartition: number, epoch: number, lsn: number): LogEntry {
  return entry(entryKinds.rows, { physicalPartition, epoch, lsn });
}

function folded(entries: readonly LogEntry[]): LogState {
  const state = new LogState();
  for (const each of entries) state.apply(each);
  return state;
}

function stateOf(state: LogState, physicalPartition: number): PartitionLogState {
  const found = state.get({ container, physicalPartition });
  assert(found !== undefined, `partition ${physicalPartition} is known`);
  return found;
}

/** As it is written down: absent and undefined are one there. */
function plain(state: LogState): unknown {
  const { promisedEpoch, rowProgress } = state;
  const partitions = [...state.partitions.values()].sort((a, b) => a.physicalPartition - b.physicalPartition);
  return JSON.parse(JSON.stringify({ promisedEpoch, rowProgress, partitions }));
}

/** What happened to one node's log, as a person would tell it; `back` is how far something is voided. */
type Step = { readonly kind: string; readonly pick: number; readonly other: number; readonly back: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(
      ...['rows', 'rows', 'rows', 'rows', 'void', 'split', 'merge', 'membership', 'epoch', 'promise'],
      ...['copying', 'base', 'forget'],
    ),
    pick: fc.nat({ max: 50 }),
    other: fc.nat({ max: 50 }),
    back: fc.nat({ max: 3 }),
  }),
  { maxLength: 40 },
);

/** Entries that a node could have logged in this order. */
function entriesOf(story: readonly Step[]): LogEntry[] {
  const state = new LogState();
  const entries: LogEntry[] = [];
  let nextId = 2;
  const log = (each: LogEntry): void => {
    state.apply(each);
    entries.push(each);
  };
  const pickOpen = (pick: number): PartitionLogState => {
    const open = [...state.partitions.values()].filter(({ ending }) => ending === undefined);
    return open[pick % Math.max(open.length, 1)] ?? state.of({ container, physicalPartition: nextId++ });
  };
  const newestEpoch = (of: PartitionLogState): number => Math.max(of.logEpoch, of.epochs.at(-1)?.epoch ?? 0);
  for (const { kind, pick, other, back } of story) {
    const own = pickOpen(pick);
    const { physicalPartition, lastLsn, baseLsn } = own;
    const here = { physicalPartition, epoch: newestEpoch(own), lsn: lastLsn + 1 };
    const earlier = Math.max(baseLsn + 1, lastLsn + 1 - back);
    if (kind === 'rows') log(entry(entryKinds.rows, here));
    if (kind === 'void') log(entry(entryKinds.rows, { ...here, epoch: here.epoch + 1, lsn: earlier }));
    if (kind === 'split') {
      log(entry(entryKinds.split, here, { children: [nextId, nextId + 1], at: '80' }));
      nextId += 2;
    }
    if (kind === 'merge') {
      const neighbour = pickOpen(other);
      const note = { left: physicalPartition, right: neighbour.physicalPartition, child: nextId };
      if (neighbour === own) continue;
      nextId += 1;
      log(entry(entryKinds.merge, here, note));
      const there = {
        physicalPartition: note.right,
        epoch: newestEpoch(neighbour),
        lsn: neighbour.lastLsn + 1,
      };
      if (back > 0) log(entry(entryKinds.merge, there, note));
    }
    if (kind === 'membership')
      log(entry(entryKinds.membership, here, { members: [0, 1, 2, 4], generation: back + 2 }));
    if (kind === 'epoch') log(entry(entryKinds.epoch, { ...here, epoch: here.epoch + 1, lsn: earlier - 1 }));
    if (kind === 'promise') log(entry(entryKinds.promise, { epoch: pick }));
    if (kind === 'copying') log(entry(entryKinds.copying, { physicalPartition }));
    if (kind === 'forget') log(entry(entryKinds.forget, { physicalPartition }));
    if (kind === 'base') {
      const lsn = lastLsn + back;
      const epochs = [{ epoch: here.epoch, firstLsn: lsn + 1 }];
      log(
        entry(
          entryKinds.base,
          { physicalPartition },
          {
            container,
            physicalPartition,
            logEpoch: here.epoch,
            lastLsn: lsn,
            baseLsn: lsn,
            epochs,
            isCopying: false,
          },
        ),
      );
    }
  }
  return entries;
}

test('a snapshot and what follows it say the same as everything from the beginning', () => {
  fc.assert(
    fc.property(steps, fc.nat(), (story, cut) => {
      const entries = entriesOf(story);
      const at = cut % (entries.length + 1);
      const before = folded(entries.slice(0, at));
      before.rowProgress = { rowBytes: 1234, firstUnapplied: 3 };
      const resumed = folded([...decodeEntries(before.snapshotEntry(99)), ...entries.slice(at)]);
      const whole = folded(entries);
      whole.rowProgress = { rowBytes: 1234, firstUnapplied: 3 };
      assert.deepEqual(plain(resumed), plain(whole));
    }),
  );
});

test('a snapshot replaces all that was known before it', () => {
  fc.assert(
    fc.property(steps, steps, (one, other) => {
      const state = folded(entriesOf(one));
      const snapshot = folded(entriesOf(other));
      for (const each of decodeEntries(snapshot.snapshotEntry(0))) state.apply(each);
      assert.deepEqual(plain(state), plain(snapshot));
    }),
  );
});

/** One partition's log, told as the epoch of each LSN: entries of one epoch at one LSN are the same entry. */
interface Told {
  readonly state: PartitionLogState;
  readonly epochOf: number[];
}

/** One life of the process: entries of its epoch, behind what it voided of those before. */
interface Life {
  readonly epochStep: number;
  readonly back: number;
  readonly count: number;
  /** Whether an epoch note said where it begins, or only its first entry did. */
  readonly isNoted: boolean;
}

const lives: fc.Arbitrary<Life[]> = fc.array(
  fc.record({
    epochStep: fc.integer({ min: 1, max: 2 }),
    back: fc.nat({ max: 3 }),
    count: fc.integer({ min: 1, max: 3 }),
    isNoted: fc.boolean(),
  }),
  { maxLength: 6 },
);

function told(story: readonly Life[]): Told {
  const log = new LogState();
  const epochOf: number[] = [];
  let epoch = 0;
  for (const { epochStep, back, count, isNoted } of story) {
    epoch += epochStep;
    epochOf.length = Math.max(0, epochOf.length - back);
    if (isNoted) log.apply(entry(entryKinds.epoch, { epoch, lsn: epochOf.length }));
    for (let index = 0; index < count; index++) {
      epochOf.push(epoch);
      log.apply(rows(0, epoch, epochOf.length));
    }
  }
  return { state: log.of({ container, physicalPartition: 0 }), epochOf };
}

test('the epoch history says of every LSN in which epoch its entry was written', () => {
  fc.assert(
    fc.property(lives, (story) => {
      const { state, epochOf } = told(story);
      assert.equal(state.lastLsn, epochOf.length);
      for (const [index, epoch] of epochOf.entries()) assert.equal(epochAt(state.epochs, index + 1), epoch);
    }),
  );
});

test('two logs agree through the last LSN up to which all their epochs are the same, whichever is asked first', () => {
  fc.assert(
    fc.property(lives, lives, lives, (shared, one, other) => {
      const left = told([...shared, ...one]);
      const right = told([...shared, ...other]);
      let common = 0;
      while (common < Math.min(left.epochOf.length, right.epochOf.length)) {
        if (left.epochOf[common] !== right.epochOf[common]) break;
        common += 1;
      }
      assert.equal(lastCommonLsn(left.state, right.state), common);
      assert.equal(lastCommonLsn(right.state, left.state), common);
      assert(common <= left.state.lastLsn && common <= right.state.lastLsn);
      assert.equal(lastCommonLsn(left.state, left.state), left.state.lastLsn);
    }),
  );
});

test('of two logs of one history the shorter is all common', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1 }), { maxLength: 12 }), fc.nat(), (newEpochs, cut) => {
      let epoch = 1;
      const entries = newEpochs.map((step, index) => {
        epoch += step;
        return rows(0, epoch, index + 1);
      });
      const short = folded(entries.slice(0, cut % (entries.length + 1)));
      const long = folded(entries);
      const address = { container, physicalPartition: 0 };
      assert.equal(lastCommonLsn(short.of(address), long.of(address)), short.of(address).lastLsn);
    }),
  );
});

test('an entry of a higher epoch voids what stood at its LSN and behind it', () => {
  const state = folded([rows(0, 1, 1), rows(0, 1, 2), rows(0, 1, 3), rows(0, 2, 2)]);
  const own = stateOf(state, 0);
  assert.equal(own.lastLsn, 2);
  assert.deepEqual(
    [1, 2].map((lsn) => epochAt(own.epochs, lsn)),
    [1, 2],
  );
});

test('an epoch note sets the log epoch and voids what is behind its LSN', () => {
  const state = folded([
    rows(0, 1, 1),
    rows(0, 1, 2),
    rows(0, 1, 3),
    entry(entryKinds.epoch, { epoch: 4, lsn: 2 }),
  ]);
  const own = stateOf(state, 0);
  assert.deepEqual([own.lastLsn, own.logEpoch], [2, 4]);
  assert.equal(epochAt(own.epochs, 2), 1);
  state.apply(rows(0, 4, 3));
  assert.equal(epochAt(stateOf(state, 0).epochs, 3), 4);
});

test('an entry that would leave a gap is refused, and changes nothing', () => {
  const state = folded([rows(0, 1, 1)]);
  const before = plain(state);
  assert.throws(() => state.apply(rows(0, 1, 3)), { code: 'corrupt-data' });
  assert.deepEqual(plain(state), before);
});

test('voiding a split takes its children away; voiding a membership takes the replica set back', () => {
  const split = entry(entryKinds.split, { epoch: 1, lsn: 2 }, { children: [1, 2], at: '80' });
  const state = folded([rows(0, 1, 1), split, rows(0, 2, 2)]);
  assert.equal(stateOf(state, 0).ending, undefined);
  assert.equal(state.get({ container, physicalPartition: 1 }), undefined);
  const membership = entry(
    entryKinds.membership,
    { epoch: 1, lsn: 2 },
    { members: [0, 1, 2, 4], generation: 2 },
  );
  const moved = folded([rows(0, 1, 1), membership, rows(0, 1, 3)]);
  assert.equal(stateOf(moved, 0).membership?.generation, 2);
  moved.apply(rows(0, 2, 3));
  assert.equal(stateOf(moved, 0).membership?.generation, 2);
  moved.apply(rows(0, 3, 2));
  assert.equal(stateOf(moved, 0).membership, undefined);
});

test('the children of a split go on from its LSN, in the log epoch of their parent', () => {
  const split = entry(entryKinds.split, { epoch: 5, lsn: 2 }, { children: [1, 2], at: '80' });
  const state = folded([entry(entryKinds.epoch, { epoch: 5, lsn: 0 }), rows(0, 5, 1), split]);
  for (const child of [1, 2]) {
    const { lastLsn, baseLsn, logEpoch, ending } = stateOf(state, child);
    assert.deepEqual(
      { lastLsn, baseLsn, logEpoch, ending },
      { lastLsn: 2, baseLsn: 2, logEpoch: 5, ending: undefined },
    );
  }
});

test('the child of a merge begins when both parents have ended, one after the higher LSN', () => {
  const note = { left: 1, right: 2, child: 3 };
  const state = folded([rows(1, 1, 1), rows(2, 1, 1), rows(2, 1, 2), rows(2, 1, 3)]);
  state.apply(entry(entryKinds.merge, { physicalPartition: 2, epoch: 1, lsn: 4 }, note));
  assert.equal(state.get({ container, physicalPartition: 3 }), undefined);
  state.apply(entry(entryKinds.merge, { physicalPartition: 1, epoch: 1, lsn: 2 }, note));
  assert.equal(stateOf(state, 3).lastLsn, 5);
});

test('a promise is never lowered', () => {
  const state = folded([3, 7, 5].map((epoch) => entry(entryKinds.promise, { epoch })));
  assert.equal(state.promisedEpoch, 7);
});

test('a partition that is being copied is so until its base, and one that is forgotten is unknown', () => {
  const state = folded([rows(0, 1, 1), entry(entryKinds.copying, {})]);
  assert.equal(stateOf(state, 0).isCopying, true);
  const base = { ...stateOf(state, 0), lastLsn: 9, baseLsn: 9, isCopying: false };
  state.apply(entry(entryKinds.base, {}, base));
  assert.deepEqual([stateOf(state, 0).isCopying, stateOf(state, 0).lastLsn], [false, 9]);
  state.apply(entry(entryKinds.forget, {}));
  assert.equal(state.get({ container, physicalPartition: 0 }), undefined);
});

test('partitions of different containers have different numbers', () => {
  const address = fc.record({
    container: fc.nat({ max: 2 ** 32 - 1 }),
    physicalPartition: fc.nat({ max: 2 ** 20 - 1 }),
  });
  fc.assert(
    fc.property(address, address, (one, other) => {
      const isSame = one.container === other.container && one.physicalPartition === other.physicalPartition;
      const numbers = [one, other].map((each) => partitionNumber(each.container, each.physicalPartition));
      assert.equal(numbers[0] === numbers[1], isSame);
      assert(numbers.every(Number.isSafeInteger));
    }),
  );
});
