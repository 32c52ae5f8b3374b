import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { addressAt, movedAgain } from '../../../routing/find-partition.ts';
import type { GovernedPartition, RequestTraits } from '../../../routing/governed-partition.ts';
import type { Operation, Outcome } from '../../../storage/partition-store.ts';
import { ChargeExplanation } from '../../../throughput/charge-explanation.ts';
import { chargedFailure } from '../../../throughput/charged-failure.ts';
import { NO_BUCKET } from '../../../throughput/control-buckets.ts';
import { RequestMeter } from '../../../throughput/request-meter.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import type { WorkDone } from '../../../throughput/work-done.ts';
import type { CqlParts } from '../cql-parts.ts';
import { nameOfPartition, refusedRequest } from '../named-partition.ts';
import type { StatementTrace } from '../statement-trace.ts';
import { writeOperation } from './cql-operation-kinds.ts';
import type { PartitionWrite, RowWork, WriteAnswer } from './partition-write.ts';

/** What clients are told a write was that may or may not have happened. */
export type WriteType = 'SIMPLE' | 'BATCH' | 'UNLOGGED_BATCH' | 'COUNTER' | 'CAS' | 'BATCH_LOG';

/** A write to one logical partition, ready to go. */
export interface TargetedWrite {
  readonly logicalPartition: LogicalPartition;
  /** The values of its columns. */
  readonly partitionKey: readonly Buffer[];
  readonly write: PartitionWrite;
  /** Of the table, on columns that are written. */
  readonly indexTerms: number;
}

/** How a write goes: the same for all partitions of a statement. */
export interface WriteManner {
  readonly writeType: WriteType;
  readonly trace: StatementTrace | undefined;
  /** A batch is charged for itself too, once. */
  readonly isBatch: boolean;
  /** False once a batch is on record: then it must be finished. */
  readonly mayBeRefused: boolean;
}

export interface ChargedAnswer {
  readonly answer: WriteAnswer;
  readonly chargeRu: RequestUnits;
}

const traits = {
  'upsert-item': { operation: 'upsert-item', priority: 'high', bucket: NO_BUCKET },
  'delete-item': { operation: 'delete-item', priority: 'high', bucket: NO_BUCKET },
  'delete-range': { operation: 'delete-range', priority: 'high', bucket: NO_BUCKET },
} as const satisfies Record<RowWork['kind'], RequestTraits>;

/** Admits, writes and charges; finds the physical partition anew while it moves. One promise, and nothing else that waits. */
export function transactGoverned<T>(
  parts: CqlParts,
  target: TargetedWrite,
  manner: WriteManner,
  answerOf: (charged: ChargedAnswer) => T | Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const run = new GovernedRun(parts, target, manner, (charged) => resolve(answerOf(charged)), reject);
    run.attempt();
  });
}

/** For writes that must not be refused once they have begun. */
export function refuseIfExhausted(parts: CqlParts, { logicalPartition, write }: TargetedWrite): void {
  const { store, governor, clock } = parts.throughput;
  const { container, ringPosition } = logicalPartition;
  const { physicalPartition } = addressAt(store, container, ringPosition);
  const partition = governor.partition(container, physicalPartition);
  if (partition === undefined) return;
  const refusal = refusalOf(parts, partition, clock.monotonic(), traitsOf(write), logicalPartition);
  if (refusal !== undefined) throw refusal;
}

/** Because its logical partition is full, which what only deletes may be, or for want of request units. */
function refusalOf(
  parts: CqlParts,
  partition: GovernedPartition,
  nowMs: number,
  writeTraits: RequestTraits,
  logicalPartition: LogicalPartition,
): RingfoldError | undefined {
  if (writeTraits.operation === 'upsert-item') {
    const full = parts.throughput.limit.refusal(nowMs, partition, logicalPartition);
    if (full !== undefined) return full;
  }
  const refusal = partition.admit(nowMs, writeTraits);
  return refusal && refusedRequest(parts, logicalPartition.container, refusal);
}

class GovernedRun {
  readonly #parts: CqlParts;
  readonly #target: TargetedWrite;
  readonly #manner: WriteManner;
  readonly #operation: Operation;
  readonly #traits: RequestTraits;
  readonly #resolve: (answer: ChargedAnswer) => void;
  readonly #reject: (error: unknown) => void;
  #moves = 0;

  constructor(
    parts: CqlParts,
    target: TargetedWrite,
    manner: WriteManner,
    resolve: (answer: ChargedAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#parts = parts;
    this.#target = target;
    this.#manner = manner;
    this.#operation = writeOperation(target.write);
    this.#traits = traitsOf(target.write);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Throws where there is nothing to attempt. */
  attempt(): void {
    const { store, governor, clock } = this.#parts.throughput;
    const { logicalPartition } = this.#target;
    const { container } = logicalPartition;
    for (; ; this.#moves = movedAgain(this.#moves)) {
      const address = addressAt(store, container, logicalPartition.ringPosition);
      const partition = governor.partition(container, address.physicalPartition);
      if (partition === undefined) continue;
      const refusal = this.#manner.mayBeRefused
        ? refusalOf(this.#parts, partition, clock.monotonic(), this.#traits, logicalPartition)
        : undefined;
      if (refusal !== undefined) {
        this.#reject(refusal);
        return;
      }
      this.#manner.trace?.event(`Writing ${this.#name()} to physical partition ${address.physicalPartition}`);
      store.transact(address, logicalPartition, this.#operation, (outcome) => {
        try {
          this.#settle(partition, outcome);
        } catch (error) {
          this.#reject(error);
        }
      });
      return;
    }
  }

  #settle(partition: GovernedPartition, outcome: Outcome): void {
    switch (outcome.kind) {
      case 'committed': {
        const answer = outcome.answer as WriteAnswer;
        this.#resolve({ answer, chargeRu: this.#spend(partition, answer, 'ok') });
        return;
      }
      case 'refused': {
        const { error } = outcome;
        const answer = isDecision(error)
          ? { ...supposed(this.#target.write), isApplied: false }
          : nothingDone;
        this.#reject(chargedFailure(error, this.#spend(partition, answer, error.code)));
        return;
      }
      case 'unknown': {
        const { transactionId } = outcome;
        const { writeType } = this.#manner;
        // It was handed to replicas, so it is charged; what was there before nobody told.
        const chargeRu = this.#spend(partition, supposed(this.#target.write), 'outcome-unknown');
        this.#reject(new RingfoldError('outcome-unknown', { transactionId, writeType, chargeRu }));
        return;
      }
      case 'moved':
        this.#moves = movedAgain(this.#moves);
        this.attempt();
        return;
    }
  }

  #spend(
    partition: GovernedPartition,
    answer: WriteAnswer,
    status: Parameters<GovernedPartition['spend']>[2],
  ): RequestUnits {
    const { clock, prices } = this.#parts.throughput;
    const { write, indexTerms, logicalPartition } = this.#target;
    const explanation = this.#manner.trace && new ChargeExplanation();
    const meter = new RequestMeter(prices, explanation);
    if (this.#manner.isBatch && answer !== nothingDone) meter.add({ kind: 'batch' });
    const isLightweightTransaction = write.conditions !== undefined;
    for (const work of answer.works) {
      meter.add(workDone(work, answer.isApplied, isLightweightTransaction, indexTerms));
    }
    const { chargeRu } = meter;
    partition.spend(clock.monotonic(), this.#traits, status, logicalPartition.prefix, chargeRu);
    this.#manner.trace?.event(
      `Wrote ${answer.isApplied ? answer.works.length : 0} rows of ${this.#name()} to physical partition ${partition.id}: ${chargeRu} request units${explanation?.text}`,
    );
    return chargeRu;
  }

  /** For people who trace it. */
  #name(): string {
    const { container, prefix } = this.#target.logicalPartition;
    return nameOfPartition(this.#parts, container, prefix);
  }
}

/** Made after looking at the rows. */
function isDecision({ code }: RingfoldError): boolean {
  return code === 'bad-request';
}

const nothingDone: WriteAnswer = { isApplied: false, works: [], current: undefined };

function traitsOf({ rows, deletion, rangeTombstones, staticSteps }: PartitionWrite): RequestTraits {
  if (
    rows.length === 0 &&
    staticSteps.length === 0 &&
    (deletion !== undefined || rangeTombstones.length > 0)
  ) {
    return traits['delete-range'];
  }
  const [first] = rows;
  const [edit] = first?.steps[0] ?? [];
  const isDelete = edit?.kind === 'merge' && edit.row.deletion !== undefined && first?.steps.length === 1;
  return isDelete ? traits['delete-item'] : traits['upsert-item'];
}

function supposed(write: PartitionWrite): WriteAnswer {
  const works = write.rows.map(
    (): RowWork => ({ kind: 'upsert-item', bytesBefore: 0, bytesAfter: 1, columns: 1 }),
  );
  return { isApplied: true, works, current: undefined };
}

function workDone(
  { kind, bytesBefore, bytesAfter, columns }: RowWork,
  isApplied: boolean,
  isLightweightTransaction: boolean,
  indexTerms: number,
): WorkDone {
  return {
    kind,
    bytesBefore,
    bytesAfter,
    indexTermsRemoved: isApplied && bytesBefore > 0 ? indexTerms : 0,
    indexTermsAdded: isApplied && bytesAfter > 0 ? indexTerms : 0,
    properties: columns,
    patchOperations: 0,
    isLightweightTransaction,
    isApplied: isApplied && (kind === 'delete-range' || bytesBefore + bytesAfter > 0),
  };
}
