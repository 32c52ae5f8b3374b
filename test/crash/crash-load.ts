// Clients of a store that may die at any moment: they write several rows at once, overwrite, delete, write on condition and read,
// on a few logical partitions spread over the ring, and put down everything they do and hear in a journal.

import { RingfoldError } from '../../src/errors/ringfold-error.ts';
import { type ByteString, byteStringOf, concatBytes, endOfPrefix } from '../../src/foundation/byte-string.ts';
import { integerBetween, type Random } from '../../src/foundation/random.ts';
import { initialBoundaries } from '../../src/partitioning/initial-layout.ts';
import { LogicalPartition } from '../../src/partitioning/logical-partition.ts';
import { cqlPartitionKey, partitionKeyDefinition } from '../../src/partitioning/partition-key.ts';
import type { PartitionMap } from '../../src/partitioning/partition-map.ts';
import { haveSameMembers, type NodeId } from '../../src/partitioning/replica-set.ts';
import { ringEnd, ringStart } from '../../src/partitioning/ring-position.ts';
import type { ReplicatedPartitionStore } from '../../src/replication/replicated-partition-store.ts';
import { putIfEqual, putRows } from '../../src/storage/operation-kinds.ts';
import type { Operation, Outcome, PartitionAddress, Scan } from '../../src/storage/partition-store.ts';
import type { RowValues } from '../simulation/reference-model.ts';
import { everyRow, type Journal, type JournalTransaction } from './crash-journal.ts';

/** Logical partitions that are written, and rows in each. */
export const subjectCount = 12;
export const rowsPerSubject = 8;

/** More are merged again, fewer are split. */
const maxPartitions = 6;

interface Subject {
  readonly logicalPartition: LogicalPartition;
  readonly keys: readonly ByteString[];
}

export class CrashLoad {
  readonly #store: ReplicatedPartitionStore;
  readonly #journal: Journal;
  readonly #random: Random;
  readonly #container: number;
  readonly #subjects: readonly Subject[];
  /** Begins every id, so that those of several lives differ. */
  readonly #name: string;
  #nextId = 0;
  #isOver = false;

  private constructor(
    store: ReplicatedPartitionStore,
    container: number,
    journal: Journal,
    random: Random,
    name: string,
  ) {
    this.#store = store;
    this.#container = container;
    this.#journal = journal;
    this.#random = random;
    this.#name = name;
    this.#subjects = Array.from({ length: subjectCount }, (_, index) => subjectNumbered(index, container));
  }

  /** Makes the container unless a life before this one did. */
  static async begin(
    store: ReplicatedPartitionStore,
    journal: Journal,
    random: Random,
    name: string,
  ): Promise<CrashLoad> {
    const [known] = store.containers();
    const definition = partitionKeyDefinition('cql', ['key']);
    const container =
      known ?? (await store.createContainer(initialBoundaries('cql', 2), definition)).container;
    return new CrashLoad(store, container, journal, random, name);
  }

  get map(): PartitionMap {
    const map = this.#store.mapOf(this.#container);
    if (map === undefined) throw new Error('the container is gone');
    return map;
  }

  /** Reads everything there is, and looks whether the map covers the ring. */
  async readAll(): Promise<void> {
    const { map } = this;
    this.#checkMap(map);
    this.#journal.write({
      kind: 'map',
      version: map.version,
      partitions: map.partitions.map(({ id }) => id),
    });
    await Promise.all([...this.#subjects.keys()].map((subject) => this.#scan(subject, false)));
  }

  /** Resolves when `end` was called and every client has its answer. */
  async run(clients: number): Promise<void> {
    await Promise.all(Array.from({ length: clients }, () => this.#runClient()));
  }

  end(): void {
    this.#isOver = true;
  }

  async #runClient(): Promise<void> {
    while (!this.#isOver) {
      const subject = integerBetween(this.#random, 0, subjectCount - 1);
      const dice = this.#random.next();
      let isServed = true;
      if (dice < 0.55) isServed = await this.write(subject);
      else if (dice < 0.75) isServed = await this.writeIfEqual(subject);
      else if (dice < 0.85) await this.#readOne(subject);
      else await this.#scan(subject, this.#random.next() < 0.5);
      // A store that refuses would otherwise be asked in a loop that never lets anything else run.
      await new Promise((resolve) => (isServed ? setImmediate(resolve) : setTimeout(resolve, 5)));
    }
  }

  /** Whether it was committed. */
  write(subject: number): Promise<boolean> {
    const writes = this.#writes();
    const operation = putRows(this.#rowWrites(subject, writes));
    return this.#transact(subject, operation, { condition: undefined, writes });
  }

  /** Writes if a row is as memory has it; now and then if it is as it never was. */
  writeIfEqual(subject: number): Promise<boolean> {
    const row = integerBetween(this.#random, 0, rowsPerSubject - 1);
    const key = this.#keyOf(subject, row);
    const cached = this.#store.readCached(this.#addressOf(subject), key);
    const isRight = cached !== undefined && this.#random.next() < 0.8;
    const expected = isRight ? this.#textOf(cached) : `${this.#name}.never`;
    const expectedBytes = isRight ? cached : storedTextOf(expected ?? '');
    const writes = this.#writes();
    const operation = putIfEqual(key, expectedBytes, this.#rowWrites(subject, writes));
    return this.#transact(subject, operation, { condition: { row, expected }, writes });
  }

  async #transact(subject: number, operation: Operation, transaction: JournalTransaction): Promise<boolean> {
    const { logicalPartition } = this.#subject(subject);
    const id = this.#takeId();
    const address = this.#addressOf(subject);
    const outcome = await new Promise<Outcome>((done) => {
      this.#journal.write({ kind: 'begun', id, subject, partition: address.physicalPartition, transaction });
      this.#store.transact(address, logicalPartition, operation, (reported) => {
        // In the callback, not after a turn of the event loop: this is the acknowledgement.
        if (reported.kind === 'committed') {
          const answer = reported.answer as { applied?: boolean } | undefined;
          this.#journal.write({ kind: 'committed', id, applied: answer?.applied ?? true });
        }
        done(reported);
      });
    });
    if (outcome.kind === 'unknown') this.#journal.write({ kind: 'unknown', id });
    if (outcome.kind === 'moved') this.#journal.write({ kind: 'refused', id, code: 'moved' });
    if (outcome.kind === 'refused') this.#journal.write({ kind: 'refused', id, code: outcome.error.code });
    return outcome.kind === 'committed';
  }

  async #readOne(subject: number): Promise<void> {
    const row = integerBetween(this.#random, 0, rowsPerSubject - 1);
    const key = this.#keyOf(subject, row);
    const address = this.#addressOf(subject);
    const id = this.#takeId();
    this.#journal.write({ kind: 'reading', id, subject });
    let value = this.#store.readCached(address, key);
    if (value === undefined) {
      const outcome = await this.#store.read(address, key);
      if (outcome.kind !== 'read') return;
      value = outcome.value;
    }
    this.#journal.write({ kind: 'read', id, rows: [[row, this.#textOf(value)]] });
  }

  async #scan(subject: number, reverse: boolean): Promise<void> {
    const { logicalPartition } = this.#subject(subject);
    const from = logicalPartition.prefix;
    const scan: Scan = { from, to: endOfPrefix(from) ?? from, maxRows: 100, maxBytes: 2 ** 20, reverse };
    const id = this.#takeId();
    // Each is a split or a merge that happened meanwhile; a store that reads nothing at all is a violation.
    for (let attempt = 0; attempt < 500; attempt++) {
      this.#journal.write({ kind: 'reading', id, subject });
      const outcome = await this.#store.scan(this.#addressOf(subject), scan);
      if (outcome.kind === 'read') {
        const rows = this.#rowsOf(subject, outcome.page.rows);
        if (!outcome.page.complete) this.#violation(`the scan of subject ${subject} has no end`);
        this.#journal.write({ kind: 'read', id, rows: everyRow(rows) });
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (this.#isOver) return;
    }
    this.#violation(`subject ${subject} cannot be read`);
  }

  // ── Changes of the map ──────────────────────────────────────────────────────────────────────────────────────────

  /** Splits, merges and moves until `end` is called. */
  async runMapChanges(): Promise<void> {
    while (!this.#isOver) {
      const { partitions } = this.map;
      const dice = this.#random.next();
      if (dice < 0.3) await this.move();
      else if (partitions.length < 2 || (partitions.length < maxPartitions && dice < 0.7)) await this.split();
      else await this.merge();
      await new Promise((resolve) => setTimeout(resolve, integerBetween(this.#random, 1, 30)));
    }
  }

  async split(): Promise<void> {
    const { id } = this.#pick(this.map.partitions);
    const at = this.#random.next() < 0.5 ? 'midpoint' : 'median';
    await this.#change(`split ${id} at the ${at}`, () => this.#store.splitPartition(this.#container, id, at));
  }

  async merge(): Promise<void> {
    const { partitions } = this.map;
    const pairs = partitions.slice(1).map((right, index) => [partitions[index] ?? right, right] as const);
    // Neighbours on the same storage nodes if there are any; others must first be moved together, or are refused.
    const together = pairs.filter(([left, right]) => haveSameMembers(left.replicaSet, right.replicaSet));
    const [{ id: left }, { id: right }] = this.#pick(together.length > 0 ? together : pairs);
    await this.#change(`merge ${left} and ${right}`, () =>
      this.#store.mergePartitions(this.#container, left, right),
    );
  }

  /** Does nothing where every node is a member already. */
  async move(): Promise<void> {
    const { id, replicaSet } = this.#pick(this.map.partitions);
    const free = this.#store
      .status()
      .nodes.map(({ nodeId }) => nodeId as NodeId)
      .filter((nodeId) => !replicaSet.members.includes(nodeId));
    if (free.length === 0) return;
    const [from, to] = [this.#pick(replicaSet.members), this.#pick(free)];
    await this.#change(`move ${id} from ${from} to ${to}`, () =>
      this.#store.moveReplica(this.#container, id, from, to),
    );
  }

  async #change(change: string, make: () => Promise<PartitionMap>): Promise<void> {
    this.#journal.write({ kind: 'changing', change });
    try {
      const map = await make();
      this.#checkMap(map);
      this.#journal.write({ kind: 'changed', change, version: map.version });
    } catch (error) {
      if (!(error instanceof RingfoldError) || error.code === 'internal-error') throw error;
      this.#journal.write({ kind: 'change-refused', change, code: error.code });
    }
  }

  /** Says when the last replica is level. */
  async watch(): Promise<void> {
    while (!this.#isOver) {
      const { nodes, partitions } = this.#store.status();
      const isWhole =
        nodes.every(({ state }) => state === 'up') &&
        partitions.every(
          ({ state, members, levelReplicas }) => state === 'serving' && levelReplicas === members.length,
        );
      if (isWhole) {
        this.#journal.write({ kind: 'whole' });
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async scrub(): Promise<void> {
    const { differences, undecided } = await this.#store.scrub();
    this.#journal.write({ kind: 'scrubbed', differences, undecided });
  }

  // ── Inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #checkMap(map: PartitionMap): void {
    const { partitions } = map;
    const isWhole =
      partitions[0]?.range.min === ringStart &&
      partitions.at(-1)?.range.max === ringEnd &&
      partitions.every(({ range }, index) => index === 0 || partitions[index - 1]?.range.max === range.min);
    if (!isWhole) this.#violation(`the map does not cover the ring: ${JSON.stringify(map)}`);
  }

  #rowsOf(subject: number, found: readonly { key: ByteString; value: Buffer }[]): RowValues {
    const rows: (string | null)[] = new Array<string | null>(rowsPerSubject).fill(null);
    const { keys } = this.#subject(subject);
    for (const { key, value } of found) {
      const row = keys.indexOf(key);
      if (row < 0) this.#violation(`subject ${subject} has a row nobody wrote`);
      else rows[row] = this.#textOf(value);
    }
    return rows;
  }

  #textOf(value: Buffer | null): string | null {
    if (value === null) return null;
    const text = value.toString('latin1').split(' ', 1)[0] ?? '';
    if (!storedTextOf(text).equals(value)) this.#violation(`a value is not as it was written: ${text}`);
    return text;
  }

  #violation(text: string): void {
    this.#journal.write({ kind: 'violation', text });
  }

  #writes(): JournalTransaction['writes'] {
    const count = integerBetween(this.#random, 1, 4);
    const rows = new Set(
      Array.from({ length: count }, () => integerBetween(this.#random, 0, rowsPerSubject - 1)),
    );
    return [...rows].map((row) => ({ row, value: this.#random.next() < 0.2 ? null : this.#takeId() }));
  }

  #rowWrites(subject: number, writes: JournalTransaction['writes']) {
    return writes.map(({ row, value }) => ({
      key: this.#keyOf(subject, row),
      value: value === null ? null : storedTextOf(value),
    }));
  }

  #addressOf(subject: number): PartitionAddress {
    const { ringPosition } = this.#subject(subject).logicalPartition;
    return { container: this.#container, physicalPartition: this.map.ownerOf(ringPosition).id };
  }

  #keyOf(subject: number, row: number): ByteString {
    const key = this.#subject(subject).keys[row];
    if (key === undefined) throw new Error(`there is no row ${row}`);
    return key;
  }

  #subject(index: number): Subject {
    const subject = this.#subjects[index];
    if (subject === undefined) throw new Error(`there is no subject ${index}`);
    return subject;
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[integerBetween(this.#random, 0, choices.length - 1)] as T;
  }

  #takeId(): string {
    return `${this.#name}.${this.#nextId++}`;
  }
}

/** The text, and behind it up to half a kilobyte that depends on it, so that a byte that changed is seen. */
function storedTextOf(text: string): Buffer {
  let sum = 7;
  for (const char of text) sum = (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0;
  return Buffer.from(`${text} ${sum.toString(36).repeat(sum % 80)}`, 'latin1');
}

function subjectNumbered(index: number, container: number): Subject {
  const logicalPartition = new LogicalPartition(
    container,
    cqlPartitionKey([Buffer.from(`subject ${index}`)]),
  );
  const keys = Array.from({ length: rowsPerSubject }, (_, row) =>
    concatBytes(logicalPartition.prefix, byteStringOf(Buffer.from(`row ${row}`))),
  );
  return { logicalPartition, keys };
}
