import { RingfoldError } from '../../src/errors/ringfold-error.ts';
import { type ByteString, concatBytes, endOfPrefix, hexOf } from '../../src/foundation/byte-string.ts';
import { integerBetween, type Random } from '../../src/foundation/random.ts';
import { LogicalPartition } from '../../src/partitioning/logical-partition.ts';
import type { PartitionMap } from '../../src/partitioning/partition-map.ts';
import { positionOfWords } from '../../src/partitioning/ring-position.ts';
import { putIfEqual, putRows } from '../../src/storage/operation-kinds.ts';
import type {
  Operation,
  Outcome,
  PartitionAddress,
  RowPage,
  Scan,
  TransactionId,
} from '../../src/storage/partition-store.ts';
import { LogicalPartitionModel, type ModelTransaction, type ReadTicket } from './reference-model.ts';
import { hasNewestMaps, type SimulatedCluster, type StoreLife } from './simulated-cluster.ts';
import { Violation } from './violation.ts';

const rowsPerLogicalPartition = 8;

/** One logical partition that clients write, and what it may hold. */
export interface Subject {
  readonly name: string;
  readonly container: number;
  readonly logicalPartition: LogicalPartition;
  readonly keys: readonly ByteString[];
  readonly model: LogicalPartitionModel;
  /** Transactions whose outcome was unknown, to be asked for. */
  readonly unknown: Map<TransactionId, number>;
}

/** The clients of a run. Each waits for its answer, thinks, and goes on; all die with the process and begin anew. */
export class Workload {
  readonly subjects: Subject[] = [];
  readonly #cluster: SimulatedCluster;
  readonly #random: Random;
  readonly #onViolation: (violation: unknown) => void;
  #nextValue = 0;
  #operations = 0;
  #unanswered = 0;
  isOver = false;
  /** Told once, when the next write is under way. */
  onNextWrite: (() => void) | undefined;
  /** Told once, at the next acknowledgement of a write. */
  onNextCommit: (() => void) | undefined;

  constructor(cluster: SimulatedCluster, onViolation: (violation: unknown) => void) {
    this.#cluster = cluster;
    this.#random = cluster.random;
    this.#onViolation = onViolation;
  }

  /** How many operations have been answered. */
  get operations(): number {
    return this.#operations;
  }

  get unanswered(): number {
    return this.#unanswered;
  }

  addSubjects(container: number, count: number): void {
    for (let index = 0; index < count; index++) {
      const word = () => integerBetween(this.#random, 0, 2 ** 32 - 1);
      const ringPosition = positionOfWords(word(), word(), word(), word());
      const bytes = `key${index}` as ByteString;
      const logicalPartition = new LogicalPartition(container, { ringPosition, bytes });
      const name = `${container}/${hexOf(ringPosition).slice(0, 4)}`;
      const keys = Array.from({ length: rowsPerLogicalPartition }, (_, row) =>
        concatBytes(logicalPartition.prefix, `row${row}` as ByteString),
      );
      const model = new LogicalPartitionModel(name, rowsPerLogicalPartition);
      this.subjects.push({ name, container, logicalPartition, keys, model, unknown: new Map() });
    }
  }

  /** The process has died, and its clients with it. */
  restart(): void {
    this.#unanswered = 0;
    for (const subject of this.subjects) subject.model.restart();
  }

  runClients(life: StoreLife, count: number): void {
    for (let client = 0; client < count; client++) this.#next(life);
  }

  #next(life: StoreLife): void {
    const thinkMs = this.#random.next() < 0.3 ? 0 : this.#random.next() * 40;
    life.process.after(thinkMs, () => {
      if (this.isOver) return;
      this.#unanswered++;
      this.#act(life).then(
        (pauseMs) => {
          this.#unanswered--;
          this.#operations++;
          life.process.after(pauseMs, () => this.#next(life));
        },
        (error) => this.#onViolation(error),
      );
    });
  }

  /** One operation; resolves to how long its client rests. */
  async #act(life: StoreLife): Promise<number> {
    const subject = this.#pick(this.subjects);
    const map = life.store.mapOf(subject.container);
    if (map === undefined) throw new Violation('a container stays', `container ${subject.container} is gone`);
    const dice = this.#random.next();
    let isServed: boolean;
    if (dice < 0.4) isServed = await this.#write(life, map, subject);
    else if (dice < 0.55) isServed = await this.#writeIfEqual(life, map, subject);
    else if (dice < 0.75)
      isServed = await this.readRow(
        life,
        subject,
        integerBetween(this.#random, 0, rowsPerLogicalPartition - 1),
      );
    else if (dice < 0.85) isServed = this.#readCached(life, map, subject);
    else if (dice < 0.95) isServed = await this.readRows(life, subject);
    else isServed = this.settleUnknown(life, subject);
    return isServed ? 0 : 2 + this.#random.next() * 20;
  }

  // ── Writes ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async #write(life: StoreLife, map: PartitionMap, subject: Subject): Promise<boolean> {
    const writes = this.#writes();
    const operation = putRows(rowWrites(subject, writes));
    return this.#transact(life, map, subject, operation, { condition: undefined, writes });
  }

  async #writeIfEqual(life: StoreLife, map: PartitionMap, subject: Subject): Promise<boolean> {
    if (subject.model.hasExcuses) return true;
    const row = integerBetween(this.#random, 0, rowsPerLogicalPartition - 1);
    const expected = this.#random.next() < 0.8 ? subject.model.guess(row) : this.#value();
    const writes = this.#writes();
    const expectedBytes = expected === null ? null : Buffer.from(expected);
    const operation = putIfEqual(keyOf(subject, row), expectedBytes, rowWrites(subject, writes));
    return this.#transact(life, map, subject, operation, { condition: { row, expected }, writes });
  }

  async #transact(
    life: StoreLife,
    map: PartitionMap,
    subject: Subject,
    operation: Operation,
    transaction: ModelTransaction,
  ): Promise<boolean> {
    const { model } = subject;
    const address = addressOf(map, subject);
    const serial = model.begin(transaction, `${address.physicalPartition}`);
    this.onNextWrite?.();
    this.onNextWrite = undefined;
    const outcome = await new Promise<Outcome>((resolve) => {
      life.contract.transact(address, subject.logicalPartition, operation, (told) => {
        // Told within the event: a read that begins later in it must see this.
        this.#learn(subject, serial, transaction, told);
        resolve(told);
      });
    });
    return outcome.kind === 'committed';
  }

  #learn(subject: Subject, serial: number, transaction: ModelTransaction, outcome: Outcome): void {
    const { model } = subject;
    try {
      switch (outcome.kind) {
        case 'committed':
          model.committed(serial, transaction.condition === undefined || isApplied(outcome.answer));
          break;
        case 'refused':
        case 'moved':
          model.refused(serial);
          break;
        case 'unknown':
          model.mayBeAskedFor(serial);
          subject.unknown.set(outcome.transactionId, serial);
      }
    } catch (error) {
      this.#onViolation(error);
    }
    if (outcome.kind === 'committed') {
      this.onNextCommit?.();
      this.onNextCommit = undefined;
    }
    const detail = outcome.kind === 'refused' ? ` ${describeRefusal(outcome.error)}` : '';
    this.#cluster.history.add('client', `${subject.name} transaction ${serial} ${outcome.kind}${detail}`);
  }

  #writes(): { row: number; value: string | null }[] {
    const count = this.#random.next() < 0.5 ? 1 : integerBetween(this.#random, 2, 4);
    const first = integerBetween(this.#random, 0, rowsPerLogicalPartition - 1);
    return Array.from({ length: count }, (_, index) => ({
      row: (first + index * 3) % rowsPerLogicalPartition,
      value: this.#random.next() < 0.25 ? null : this.#value(),
    }));
  }

  /** Never the same twice, so that a read says which write it saw. */
  #value(): string {
    return `${this.#nextValue++}${'.'.repeat(integerBetween(this.#random, 0, 80))}`;
  }

  // ── Reads ───────────────────────────────────────────────────────────────────────────────────────────────────────

  async readRow(life: StoreLife, subject: Subject, row: number): Promise<boolean> {
    const map = mapOf(life, subject);
    const address = addressOf(map, subject);
    const ticket = subject.model.readBegins();
    const before = trustIn(life, address);
    const outcome = await life.contract.read(address, keyOf(subject, row));
    if (outcome.kind !== 'read')
      return this.#notRead(subject, outcome.kind === 'refused' ? outcome.error : undefined);
    const value = outcome.value === null ? null : outcome.value.toString();
    this.#see(life, subject, ticket, new Map([[row, value]]), before, address);
    return true;
  }

  #readCached(life: StoreLife, map: PartitionMap, subject: Subject): boolean {
    const address = addressOf(map, subject);
    const ticket = subject.model.readBegins();
    const trust = trustIn(life, address);
    const row = integerBetween(this.#random, 0, rowsPerLogicalPartition - 1);
    const value = life.contract.readCached(address, keyOf(subject, row));
    if (value !== undefined) {
      this.#see(
        life,
        subject,
        ticket,
        new Map([[row, value === null ? null : value.toString()]]),
        trust,
        address,
      );
    }
    const page = life.contract.scanCached(address, wholeScan(subject));
    if (page !== undefined)
      this.#see(life, subject, ticket, this.#rowsOf(subject, page, wholeScan(subject)), trust, address);
    return true;
  }

  /** All rows of the logical partition, at one moment if the page holds them all. */
  async readRows(life: StoreLife, subject: Subject): Promise<boolean> {
    const map = mapOf(life, subject);
    const address = addressOf(map, subject);
    const ticket = subject.model.readBegins();
    const before = trustIn(life, address);
    const scan = this.#random.next() < 0.6 ? wholeScan(subject) : this.#shortScan(subject);
    const outcome = await life.contract.scan(address, scan);
    if (outcome.kind !== 'read')
      return this.#notRead(subject, outcome.kind === 'refused' ? outcome.error : undefined);
    this.#see(life, subject, ticket, this.#rowsOf(subject, outcome.page, scan), before, address);
    return true;
  }

  #shortScan(subject: Subject): Scan {
    return {
      ...wholeScan(subject),
      from: keyOf(subject, integerBetween(this.#random, 0, 3)),
      maxRows: integerBetween(this.#random, 1, 4),
      maxBytes: integerBetween(this.#random, 1, 300),
      reverse: this.#random.next() < 0.5,
    };
  }

  /** What the page says of each row within its reach: those it has, and that the others before its end are absent. */
  #rowsOf(subject: Subject, page: RowPage, scan: Scan): Map<number, string | null> {
    const values = new Map(page.rows.map(({ key, value }) => [key, value.toString()] as const));
    const last = page.rows.at(-1)?.key;
    const seen = new Map<number, string | null>();
    for (const [row, key] of subject.keys.entries()) {
      if (key < scan.from || key >= scan.to) continue;
      const isWithin = page.complete || (last !== undefined && (scan.reverse ? key >= last : key <= last));
      if (isWithin) seen.set(row, values.get(key) ?? null);
    }
    return seen;
  }

  #see(
    life: StoreLife,
    subject: Subject,
    ticket: ReadTicket,
    rows: ReadonlyMap<number, string | null>,
    before: Trust,
    address: PartitionAddress,
  ): void {
    const after = trustIn(life, address);
    this.#cluster.history.add(
      'client',
      `${subject.name} read ${[...rows].map(([row, value]) => `${row}=${value === null ? null : Number.parseInt(value, 10)}`)}`,
    );
    if (before === 'may-be-stale' || after === 'may-be-stale') return;
    subject.model.seen(ticket, rows, before === 'for-good' && after === 'for-good');
  }

  #notRead(subject: Subject, error: RingfoldError | undefined): boolean {
    this.#cluster.history.add(
      'client',
      `${subject.name} not read: ${error === undefined ? 'moved' : describeRefusal(error)}`,
    );
    return false;
  }

  /** At the end of a run: the whole logical partition, at one moment and row by row. */
  async readAll(life: StoreLife, subject: Subject): Promise<void> {
    const address = addressOf(mapOf(life, subject), subject);
    const ticket = subject.model.readBegins();
    const outcome = await life.contract.scan(address, wholeScan(subject));
    if (outcome.kind !== 'read')
      throw new Violation('what is served can be read', `${subject.name}: ${outcome.kind}`);
    subject.model.seen(ticket, this.#rowsOf(subject, outcome.page, wholeScan(subject)), true);
    for (const row of subject.keys.keys()) {
      if (!(await this.readRow(life, subject, row))) {
        throw new Violation('what is served can be read', `${subject.name}: row ${row}`);
      }
    }
  }

  /** The row of one of the subjects that has this key. */
  excuse(key: ByteString): void {
    for (const { keys, model } of this.subjects) {
      const row = keys.indexOf(key);
      if (row >= 0) model.excuse(row);
    }
  }

  endExcuses(): void {
    for (const { model } of this.subjects) model.endExcuses();
  }

  /** Asks what became of transactions whose outcome was unknown. */
  settleUnknown(life: StoreLife, subject: Subject): boolean {
    for (const [transactionId, serial] of subject.unknown) {
      const settlement = life.contract.settle(transactionId);
      this.#cluster.history.add('client', `${subject.name} transaction ${serial} settled: ${settlement}`);
      subject.model.settled(serial, settlement);
      if (settlement !== 'undecided') subject.unknown.delete(transactionId);
    }
    return true;
  }

  #pick<T>(items: readonly T[]): T {
    return items[integerBetween(this.#random, 0, items.length - 1)] as T;
  }
}

/** What a read proves, by the replicas behind it. */
type Trust = 'for-good' | 'committed' | 'may-be-stale';

function trustIn(life: StoreLife, address: PartitionAddress): Trust {
  if (!hasNewestMaps(life)) return 'may-be-stale';
  const { partitions } = life.store.status();
  const partition = partitions.find(
    ({ container, id }) => container === address.container && id === address.physicalPartition,
  );
  if (partition === undefined) return 'committed';
  if (partition.state === 'reads-only') return partition.levelReplicas >= 2 ? 'committed' : 'may-be-stale';
  return 'for-good';
}

function mapOf(life: StoreLife, subject: Subject): PartitionMap {
  const map = life.store.mapOf(subject.container);
  if (map === undefined) throw new Violation('a container stays', `container ${subject.container} is gone`);
  return map;
}

function addressOf(map: PartitionMap, subject: Subject): PartitionAddress {
  const { id } = map.ownerOf(subject.logicalPartition.ringPosition);
  return { container: subject.container, physicalPartition: id };
}

function wholeScan(subject: Subject): Scan {
  const { prefix } = subject.logicalPartition;
  const to = endOfPrefix(prefix) as ByteString;
  return { from: prefix, to, maxRows: 1_000, maxBytes: 1_000_000, reverse: false };
}

function keyOf(subject: Subject, row: number): ByteString {
  return subject.keys[row] as ByteString;
}

function rowWrites(
  subject: Subject,
  writes: ModelTransaction['writes'],
): { key: ByteString; value: Buffer | null }[] {
  return writes.map(({ row, value }) => ({
    key: keyOf(subject, row),
    value: value === null ? null : Buffer.from(value),
  }));
}

function isApplied(answer: unknown): boolean {
  if (typeof answer === 'object' && answer !== null && 'applied' in answer) return answer.applied === true;
  throw new Violation('a conditional write says whether it applied', JSON.stringify(answer));
}

function describeRefusal(error: RingfoldError): string {
  return error instanceof RingfoldError ? error.code : `not a RingfoldError: ${String(error)}`;
}
