import type { ErrorCode } from '../errors/error-codes.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import type { Outcome, PartitionAddress, SessionMark, TransactionId } from '../storage/partition-store.ts';

/** A class, so that the mark is written out only for those who look at it. */
export class Committed {
  readonly kind = 'committed' as const;
  readonly answer: unknown;
  readonly lsn: number;
  readonly #address: PartitionAddress;

  constructor(address: PartitionAddress, lsn: number, answer: unknown) {
    this.#address = address;
    this.lsn = lsn;
    this.answer = answer;
  }

  get mark(): SessionMark {
    return sessionMark(this.#address, this.lsn);
  }
}

export function sessionMark(address: PartitionAddress, lsn: number): SessionMark {
  return `${address.container}/${address.physicalPartition}#${lsn}`;
}

export function refused(code: ErrorCode, details: object): Outcome {
  return { kind: 'refused', error: new RingfoldError(code, { ...details }) };
}

/** The id names the place in the partition's history, so that its fate can be read off the epoch history for ever. */
export function unknown(address: PartitionAddress, epoch: number, lsn: number): Outcome {
  return {
    kind: 'unknown',
    transactionId: `${address.container}.${address.physicalPartition}.${epoch}.${lsn}`,
  };
}

export function parseTransactionId(
  id: TransactionId,
): (PartitionAddress & { epoch: number; lsn: number }) | undefined {
  const match = /^(\d{1,10})\.(\d{1,7})\.(\d{1,10})\.(\d{1,15})$/.exec(id);
  if (match === null) return undefined;
  const [, container, physicalPartition, epoch, lsn] = match.map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { container, physicalPartition, epoch, lsn };
}

/** Outcomes are never told before the call that asked for them has returned. */
export function later(done: (outcome: Outcome) => void, outcome: Outcome): void {
  queueMicrotask(() => done(outcome));
}
