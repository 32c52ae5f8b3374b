import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import type { ByteString } from '../foundation/byte-string.ts';
import type { LogicalPartition } from '../partitioning/logical-partition.ts';
import type {
  Operation,
  Outcome,
  PartitionAddress,
  PartitionStore,
  ReadOutcome,
  RowPage,
  Scan,
  ScanOutcome,
  Settlement,
  TransactionId,
} from './partition-store.ts';

/**
 * Wraps any store and checks, while tests run, what can be seen of its promises from one call: each transaction is
 * answered once, later, and in the order of the logical partition; rows are in order, in their range and within the limits of
 * their page; what is settled stays so. What needs a memory of the rows is the reference model's to check.
 */
export class PartitionStoreContract implements PartitionStore {
  readonly #store: PartitionStore;
  readonly #broken: (promise: string) => void;
  readonly #lastCommitted = new Map<ByteString, number>();
  readonly #settled = new Map<TransactionId, Settlement>();
  #calls = 0;

  /** `broken` is told of a promise that was not kept; unless given, it throws. */
  constructor(
    store: PartitionStore,
    broken: (promise: string) => void = (promise) => assert(false, promise),
  ) {
    this.#store = store;
    this.#broken = broken;
  }

  transact(
    address: PartitionAddress,
    logicalPartition: LogicalPartition,
    operation: Operation,
    done: (outcome: Outcome) => void,
  ): void {
    const call = ++this.#calls;
    let isWithinCall = true;
    let isAnswered = false;
    this.#store.transact(address, logicalPartition, operation, (outcome) => {
      this.#expect(!isWithinCall, 'an outcome is never told before the call returns');
      this.#expect(!isAnswered, 'an outcome is told once');
      isAnswered = true;
      this.#checkOutcome(logicalPartition.prefix, call, outcome);
      done(outcome);
    });
    isWithinCall = false;
  }

  readCached(address: PartitionAddress, key: ByteString): Buffer | null | undefined {
    const value = this.#store.readCached(address, key);
    this.#expect(value === undefined || value === null || Buffer.isBuffer(value), 'a row is a Buffer');
    return value;
  }

  scanCached(address: PartitionAddress, scan: Scan): RowPage | undefined {
    const page = this.#store.scanCached(address, scan);
    if (page !== undefined) this.#checkPage(page, scan);
    return page;
  }

  async read(address: PartitionAddress, key: ByteString): Promise<ReadOutcome> {
    const outcome = await this.#store.read(address, key);
    if (outcome.kind === 'read') {
      this.#expect(outcome.value === null || Buffer.isBuffer(outcome.value), 'a row is a Buffer');
      this.#expect(outcome.mark !== '', 'a read has a session mark');
    }
    this.#checkRefusal(outcome);
    return outcome;
  }

  async scan(address: PartitionAddress, scan: Scan): Promise<ScanOutcome> {
    const outcome = await this.#store.scan(address, scan);
    if (outcome.kind === 'read') {
      this.#checkPage(outcome.page, scan);
      this.#expect(outcome.mark !== '', 'a scan has a session mark');
    }
    this.#checkRefusal(outcome);
    return outcome;
  }

  committedLsn(address: PartitionAddress): number | undefined {
    return this.#store.committedLsn(address);
  }

  settle(transactionId: TransactionId): Settlement {
    const settlement = this.#store.settle(transactionId);
    const before = this.#settled.get(transactionId);
    this.#expect(before === undefined || before === settlement, 'what was settled stays settled');
    if (settlement !== 'undecided') this.#settled.set(transactionId, settlement);
    return settlement;
  }

  #checkOutcome(prefix: ByteString, call: number, outcome: Outcome): void {
    this.#checkRefusal(outcome);
    if (outcome.kind === 'unknown')
      this.#expect(outcome.transactionId !== '', 'an unknown outcome can be asked for');
    if (outcome.kind !== 'committed') return;
    this.#expect(outcome.mark !== '', 'a committed transaction has a session mark');
    const last = this.#lastCommitted.get(prefix) ?? 0;
    this.#expect(call > last, 'commits of a logical partition are told in the order of their calls');
    this.#lastCommitted.set(prefix, call);
  }

  #checkRefusal(outcome: Outcome | ReadOutcome | ScanOutcome): void {
    if (outcome.kind === 'refused') {
      this.#expect(outcome.error instanceof RingfoldError, 'a refusal has its reason as a code');
    } else if (outcome.kind === 'moved') {
      this.#expect(Number.isInteger(outcome.mapVersion), 'what has moved names the map to take');
    }
  }

  #checkPage({ rows, complete }: RowPage, scan: Scan): void {
    this.#expect(rows.length <= scan.maxRows, 'a page has no more rows than asked for');
    this.#expect(complete || rows.length > 0, 'a page that is not the last has a row');
    let sizeBytes = 0;
    let last: ByteString | undefined;
    for (const { key, value } of rows) {
      this.#expect(sizeBytes <= scan.maxBytes, 'a page ends with the row that passes its bytes');
      this.#expect(key >= scan.from && key < scan.to, 'a row is within the range');
      this.#expect(
        last === undefined || (scan.reverse ? key < last : key > last),
        'rows come in order, each once',
      );
      sizeBytes += key.length + value.length;
      last = key;
    }
  }

  #expect(holds: boolean, promise: string): void {
    if (!holds) this.#broken(promise);
  }
}
