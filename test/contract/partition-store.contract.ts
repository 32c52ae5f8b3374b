import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../src/errors/ringfold-error.ts';
import { type ByteString, concatBytes, endOfPrefix } from '../../src/foundation/byte-string.ts';
import { LogicalPartition } from '../../src/partitioning/logical-partition.ts';
import type { PartitionMap } from '../../src/partitioning/partition-map.ts';
import { cqlRingPosition } from '../../src/partitioning/ring-position.ts';
import { basicOperationKinds, putIfEqual, putRows } from '../../src/storage/operation-kinds.ts';
import {
  type Operation,
  type OperationKind,
  type Outcome,
  type PartitionAddress,
  type PartitionStore,
  type ReadOutcome,
  type Row,
  type RowPage,
  readsNothing,
  type Scan,
} from '../../src/storage/partition-store.ts';
import { PartitionStoreContract } from '../../src/storage/partition-store-contract.ts';

export interface OpenedStore {
  /** With the operation kinds of `contractOperationKinds`. */
  readonly store: PartitionStore;
  /** A container that is empty and has one physical partition. */
  readonly container: number;
  map(): PartitionMap;
  /** Splits the physical partition in the middle of its range. */
  split(physicalPartition: number): Promise<unknown>;
  /** From now on no write reaches a quorum, until the function returned is called. */
  interrupt(): () => void;
  cleanUp(): Promise<void>;
}

/** Adds a letter to a row: whoever reads it later knows the order of all. */
const append: OperationKind = (body, rows) => {
  const { key, letter } = body as { readonly key: ByteString; readonly letter: string };
  const value = `${rows.get(key)?.toString() ?? ''}${letter}`;
  return { kind: 'write', writes: [{ key, value: Buffer.from(value) }], answer: value };
};

/** Writes how many rows there are in its range. */
const count: OperationKind = (body, rows) => {
  const { key } = body as { readonly key: ByteString };
  return { kind: 'write', writes: [{ key, value: Buffer.from(String(rows.range(0).length)) }] };
};

const refuse: OperationKind = () => ({ kind: 'refuse', error: new RingfoldError('bad-request') });

export const contractOperationKinds: ReadonlyMap<string, OperationKind> = new Map([
  ...basicOperationKinds,
  ['append', append],
  ['count', count],
  ['refuse', refuse],
]);

/** What every partition store must pass. `open` gives a new, empty one each time. */
export function partitionStoreContract(name: string, open: () => Promise<OpenedStore>): void {
  async function withStore(use: (bench: Bench) => Promise<void>): Promise<void> {
    const opened = await open();
    try {
      await use(new Bench(opened));
    } finally {
      await opened.cleanUp();
    }
  }

  describe(`${name} keeps the partition store contract`, () => {
    test('a read that begins after a commit sees it', () =>
      withStore(async (bench) => {
        const one = bench.logicalPartition('one');
        assert.equal((await bench.put(one, { a: 'first', b: '' })).kind, 'committed');
        assert.deepEqual(await bench.readAll(one), { a: 'first', b: '' });
        assert.equal((await bench.put(one, { a: null, c: 'third' })).kind, 'committed');
        assert.deepEqual(await bench.readAll(one), { b: '', c: 'third' });
        assert.equal(await bench.read(one, 'a'), null);
        assert.equal(await bench.read(one, 'b'), '');
        assert.equal(await bench.read(one, 'never written'), null);
      }));

    test('an operation that refuses changes nothing and gives its reason', () =>
      withStore(async (bench) => {
        const one = bench.logicalPartition('one');
        const outcome = await bench.transact(one, { kind: 'refuse', body: undefined, reads: readsNothing });
        assert(outcome.kind === 'refused');
        assert.equal(outcome.error.code, 'bad-request');
        assert.deepEqual(await bench.readAll(one), {});
      }));

    test('a conditional write applies if and only if the row is as expected', () =>
      withStore(async (bench) => {
        const one = bench.logicalPartition('one');
        assert.deepEqual(await bench.putIfEqual(one, 'a', null, { a: 'x' }), { applied: true });
        assert.deepEqual(await bench.putIfEqual(one, 'a', null, { a: 'y' }), { applied: false });
        assert.deepEqual(await bench.putIfEqual(one, 'a', 'x', { a: 'z', b: 'w' }), { applied: true });
        assert.deepEqual(await bench.readAll(one), { a: 'z', b: 'w' });
      }));

    test('of many conditional writes at once that expect the same, one applies', () =>
      withStore(async (bench) => {
        const one = bench.logicalPartition('one');
        const numbers = Array.from({ length: 20 }, (_, index) => `${index}`);
        const answers = await Promise.all(
          numbers.map((value) => bench.putIfEqual(one, 'a', null, { a: value })),
        );
        assert.deepEqual(
          answers.filter(({ applied }) => applied),
          [{ applied: true }],
        );
        assert.equal(await bench.read(one, 'a'), '0');
      }));

    test('transactions on a logical partition happen in the order of their calls', () =>
      withStore(async (bench) => {
        const names = ['one', 'two', 'three'].map((each) => bench.logicalPartition(each));
        const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(4);
        const outcomes = [...letters].flatMap((letter) =>
          names.map((each) => bench.transact(each, bench.appending(each, 'row', letter))),
        );
        for (const outcome of await Promise.all(outcomes)) assert.equal(outcome.kind, 'committed');
        for (const each of names) assert.equal(await bench.read(each, 'row'), letters);
      }));

    test('a transaction sees the ranges it declares, its predecessors in flight included', () =>
      withStore(async (bench) => {
        const one = bench.logicalPartition('one');
        const before = [bench.put(one, { a: '1', b: '2' }), bench.put(one, { b: null, c: '3', d: '4' })];
        const counted = bench.transact(one, {
          kind: 'count',
          body: { key: bench.keyOf(one, 'z') },
          reads: { keys: [], ranges: [{ from: bench.keyOf(one, 'a'), to: bench.keyOf(one, 'z') }] },
        });
        await Promise.all([...before, counted]);
        assert.equal(await bench.read(one, 'z'), '3');
      }));

    test('nothing that is not committed is read, and memory agrees with the disk', () =>
      withStore(async (bench) => {
        const one = bench.logicalPartition('one');
        await bench.put(one, { a: '0', b: '0' });
        for (let round = 1; round <= 20; round++) {
          const write = bench.put(one, { a: `${round}`, b: `${round}` });
          // Called in the same turn: the write cannot have been answered, so it must not be seen.
          assert.notEqual(bench.readCached(one, 'a'), `${round}`);
          await write;
          const cached = bench.readCached(one, 'a') ?? (await bench.read(one, 'a'));
          assert.equal(cached, `${round}`);
        }
      }));

    test('a scan sees one moment of a logical partition', () =>
      withStore(async (bench) => {
        const one = bench.logicalPartition('one');
        await bench.put(one, { a: '0', b: '0', c: '0' });
        let isOver = false;
        const write = async (): Promise<void> => {
          for (let round = 1; round <= 50; round++) {
            await bench.put(one, { a: `${round}`, b: `${round}`, c: `${round}` });
          }
          isOver = true;
        };
        const writing = write();
        let last = 0;
        while (!isOver) {
          const values = Object.values(await bench.readAll(one));
          assert.deepEqual(values, [values[0], values[0], values[0]]);
          assert(Number(values[0]) >= last, 'what was read is not un-read');
          last = Number(values[0]);
          // A scan that memory answers takes no turn of the event loop; the writer needs one.
          await new Promise((resolve) => setImmediate(resolve));
        }
        await writing;
      }));

    test('pages walk any range in order, forwards and backwards, within their limits', () =>
      withStore(async (bench) => {
        const one = bench.logicalPartition('one');
        const rows: Record<string, string> = {};
        for (let index = 0; index < 40; index++) {
          rows[`row${String(index * 7).padStart(3, '0')}`] = 'v'.repeat(index);
        }
        await bench.put(one, rows);
        // So that a page is made from memory and from disk alike.
        await bench.put(one, { row014: null, row100: 'late', row273: null });
        const present = Object.entries({ ...rows, row100: 'late' })
          .filter(([key]) => key !== 'row014' && key !== 'row273')
          .sort(([left], [right]) => (left < right ? -1 : 1));
        const edge = fc.integer({ min: 0, max: 300 }).map((n) => `row${String(n).padStart(3, '0')}`);
        await fc.assert(
          fc.asyncProperty(
            edge,
            edge,
            fc.integer({ min: 1, max: 50 }),
            fc.integer({ min: 1, max: 400 }),
            fc.boolean(),
            async (from, to, maxRows, maxBytes, reverse) => {
              fc.pre(from < to);
              const expected = present.filter(([key]) => key >= from && key < to);
              if (reverse) expected.reverse();
              assert.deepEqual(await bench.walk(one, from, to, { maxRows, maxBytes, reverse }), expected);
            },
          ),
          { numRuns: 60 },
        );
      }));

    test('logical partitions do not see each other', () =>
      withStore(async (bench) => {
        const names = ['a', 'ab', 'b', '', 'a\0b'].map((each) => bench.logicalPartition(each));
        for (const [index, each] of names.entries()) await bench.put(each, { row: `${index}` });
        for (const [index, each] of names.entries()) {
          assert.deepEqual(await bench.readAll(each), { row: `${index}` });
        }
      }));

    test('after a split the old address has moved, and the new ones have every row', () =>
      withStore(async (bench) => {
        const names = Array.from({ length: 12 }, (_, index) => bench.logicalPartition(`key${index}`));
        for (const [index, each] of names.entries()) await bench.put(each, { row: `${index}` });
        const old = bench.addressOf(names[0] as LogicalPartition);
        const before = bench.opened.map();
        await bench.opened.split(old.physicalPartition);
        const after = bench.opened.map();
        assert.equal(after.partitions.length, 2);
        const first = names[0] as LogicalPartition;
        const { store } = bench;
        const key = bench.keyOf(first, 'row');
        const outcomes = [
          await bench.transactAt(old, first, bench.putting(first, { row: 'late' })),
          await store.read(old, key),
          await store.scan(old, bench.everything(first)),
        ];
        for (const outcome of outcomes) {
          assert(outcome.kind === 'moved');
          assert(outcome.mapVersion > before.version && outcome.mapVersion <= after.version);
        }
        assert.equal(store.readCached(old, key), undefined);
        assert.equal(store.scanCached(old, bench.everything(first)), undefined);
        for (const [index, each] of names.entries()) {
          assert.equal(await bench.read(each, 'row'), `${index}`);
          assert.equal((await bench.put(each, { row: `${index} again` })).kind, 'committed');
          assert.equal(await bench.read(each, 'row'), `${index} again`);
        }
      }));

    test('writes under way while a partition splits are committed or moved, never lost', () =>
      withStore(async (bench) => {
        const names = Array.from({ length: 8 }, (_, index) => bench.logicalPartition(`key${index}`));
        let isOver = false;
        const writer = async (each: LogicalPartition): Promise<number> => {
          let written = 0;
          while (!isOver) {
            const outcome = await bench.put(each, { row: `${written + 1}` });
            assert(outcome.kind === 'committed' || outcome.kind === 'moved', outcome.kind);
            if (outcome.kind === 'committed') written++;
          }
          return written;
        };
        const writing = Promise.all(names.map(writer));
        for (let round = 0; round < 3; round++) {
          await bench.opened.split(bench.addressOf(names[0] as LogicalPartition).physicalPartition);
        }
        isOver = true;
        for (const [index, written] of (await writing).entries()) {
          assert.equal(await bench.read(names[index] as LogicalPartition, 'row'), `${written}`);
        }
      }));

    test('a write that cannot reach a quorum is unknown, and settled as kept once it has', () =>
      withStore(async (bench) => {
        const one = bench.logicalPartition('one');
        await bench.put(one, { a: 'before' });
        const restore = bench.opened.interrupt();
        const outcome = await bench.put(one, { a: 'after' });
        assert(outcome.kind === 'unknown', outcome.kind);
        assert.equal(await bench.read(one, 'a'), 'before');
        const late = await bench.put(one, { a: 'later still' });
        assert(late.kind === 'refused' && late.error.code === 'too-few-replicas', late.kind);
        assert.equal(bench.store.settle(outcome.transactionId), 'undecided');
        restore();
        while (bench.store.settle(outcome.transactionId) === 'undecided') {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        assert.equal(bench.store.settle(outcome.transactionId), 'kept');
        assert.equal(await bench.read(one, 'a'), 'after');
      }));
  });
}

/** A store with short ways to say what the suite does. */
class Bench {
  readonly opened: OpenedStore;
  readonly store: PartitionStore;

  constructor(opened: OpenedStore) {
    this.opened = opened;
    this.store = new PartitionStoreContract(opened.store);
  }

  logicalPartition(name: string): LogicalPartition {
    const bytes = name as ByteString;
    const ringPosition = cqlRingPosition(Buffer.from(name, 'latin1'));
    return new LogicalPartition(this.opened.container, { ringPosition, bytes });
  }

  addressOf(logicalPartition: LogicalPartition): PartitionAddress {
    const { id } = this.opened.map().ownerOf(logicalPartition.ringPosition);
    return { container: this.opened.container, physicalPartition: id };
  }

  keyOf(logicalPartition: LogicalPartition, row: string): ByteString {
    return concatBytes(logicalPartition.prefix, row as ByteString);
  }

  transact(logicalPartition: LogicalPartition, operation: Operation): Promise<Outcome> {
    return this.transactAt(this.addressOf(logicalPartition), logicalPartition, operation);
  }

  transactAt(
    address: PartitionAddress,
    logicalPartition: LogicalPartition,
    operation: Operation,
  ): Promise<Outcome> {
    return new Promise((resolve) => this.store.transact(address, logicalPartition, operation, resolve));
  }

  put(logicalPartition: LogicalPartition, rows: Readonly<Record<string, string | null>>): Promise<Outcome> {
    return this.transact(logicalPartition, this.putting(logicalPartition, rows));
  }

  putting(logicalPartition: LogicalPartition, rows: Readonly<Record<string, string | null>>): Operation {
    return putRows(this.#writes(logicalPartition, rows));
  }

  appending(logicalPartition: LogicalPartition, row: string, letter: string): Operation {
    const key = this.keyOf(logicalPartition, row);
    return { kind: 'append', body: { key, letter }, reads: { keys: [key], ranges: [] } };
  }

  async putIfEqual(
    logicalPartition: LogicalPartition,
    row: string,
    expected: string | null,
    rows: Readonly<Record<string, string | null>>,
  ): Promise<{ applied: boolean }> {
    const key = this.keyOf(logicalPartition, row);
    const expectedBytes = expected === null ? null : Buffer.from(expected);
    const operation = putIfEqual(key, expectedBytes, this.#writes(logicalPartition, rows));
    const outcome = await this.transact(logicalPartition, operation);
    assert(outcome.kind === 'committed', outcome.kind);
    return outcome.answer as { applied: boolean };
  }

  readCached(logicalPartition: LogicalPartition, row: string): string | null | undefined {
    return this.store
      .readCached(this.addressOf(logicalPartition), this.keyOf(logicalPartition, row))
      ?.toString();
  }

  /** Asks the disk as well as memory: they must agree, since nobody writes meanwhile. */
  async read(logicalPartition: LogicalPartition, row: string): Promise<string | null> {
    const address = this.addressOf(logicalPartition);
    const key = this.keyOf(logicalPartition, row);
    const outcome: ReadOutcome = await this.store.read(address, key);
    assert(outcome.kind === 'read', outcome.kind);
    const cached = this.store.readCached(address, key);
    if (cached !== undefined) assert.deepEqual(cached, outcome.value);
    return outcome.value === null ? null : outcome.value.toString();
  }

  everything(logicalPartition: LogicalPartition): Scan {
    const { prefix } = logicalPartition;
    const to = endOfPrefix(prefix) as ByteString;
    return { from: prefix, to, maxRows: 1_000, maxBytes: 2 ** 20, reverse: false };
  }

  async readAll(logicalPartition: LogicalPartition): Promise<Record<string, string>> {
    const page = await this.#page(logicalPartition, this.everything(logicalPartition));
    assert(page.complete);
    return Object.fromEntries(page.rows.map((row) => this.#textOf(logicalPartition, row)));
  }

  /** All pages of the range, one after another. */
  async walk(
    logicalPartition: LogicalPartition,
    from: string,
    to: string,
    limits: Pick<Scan, 'maxRows' | 'maxBytes' | 'reverse'>,
  ): Promise<[string, string][]> {
    let scan = { ...limits, from: this.keyOf(logicalPartition, from), to: this.keyOf(logicalPartition, to) };
    const found: [string, string][] = [];
    for (;;) {
      const page = await this.#page(logicalPartition, scan);
      found.push(...page.rows.map((row) => this.#textOf(logicalPartition, row)));
      const last = page.rows.at(-1);
      if (page.complete || last === undefined) return found;
      if (limits.reverse) scan = { ...scan, to: last.key };
      else scan = { ...scan, from: concatBytes(last.key, '\0' as ByteString) };
    }
  }

  async #page(logicalPartition: LogicalPartition, scan: Scan): Promise<RowPage> {
    const address = this.addressOf(logicalPartition);
    const cached = this.store.scanCached(address, scan);
    const outcome = await this.store.scan(address, scan);
    assert(outcome.kind === 'read', outcome.kind);
    if (cached?.complete && outcome.page.complete && cached.rows.length === outcome.page.rows.length) {
      assert.deepEqual(
        cached.rows.map(({ key }) => key),
        outcome.page.rows.map(({ key }) => key),
      );
    }
    return outcome.page;
  }

  #writes(logicalPartition: LogicalPartition, rows: Readonly<Record<string, string | null>>) {
    return Object.entries(rows).map(([row, value]) => ({
      key: this.keyOf(logicalPartition, row),
      value: value === null ? null : Buffer.from(value),
    }));
  }

  #textOf({ prefix }: LogicalPartition, { key, value }: Row): [string, string] {
    return [key.slice(prefix.length), value.toString()];
  }
}
