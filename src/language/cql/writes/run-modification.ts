import type { KeyspaceSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { CqlParts } from '../../../execution/cql/cql-parts.ts';
import type { StatementAnswer, StatementRequest } from '../../../execution/cql/statement-request.ts';
import { isTableGone } from '../../../execution/cql/writes/batch-records.ts';
import { firstLiveRow } from '../../../execution/cql/writes/first-live-row.ts';
import { millisecondOver } from '../../../execution/cql/writes/millisecond-over.ts';
import { refuseHopeless } from '../../../execution/cql/writes/refuse-hopeless.ts';
import {
  type ChargedAnswer,
  type TargetedWrite,
  transactGoverned,
  type WriteManner,
} from '../../../execution/cql/writes/transact-governed.ts';
import { chargedFailure, chargeOfFailure } from '../../../throughput/charged-failure.ts';
import { fromHundredths, hundredthsOf, type RequestUnits } from '../../../throughput/request-units.ts';
import type { Bindings } from '../expressions/typed-term.ts';
import { printQualifiedName } from '../print-name.ts';
import { lightweightAnswer, type ShownColumns } from './lightweight-answer.ts';
import { ListTicks } from './list-ticks.ts';
import type { Modification, RequestMoment } from './modification.ts';
import { PartitionDraft } from './partition-draft.ts';
import { checkConditionalConsistency, checkConsistency } from './write-consistency.ts';

const noWarnings: readonly string[] = [];
const free = fromHundredths(0);

/** The moment of a request. A conditional write has the server's time: its order among others is what it is about. */
export function momentOf(parts: CqlParts, request: StatementRequest, isConditional: boolean): RequestMoment {
  const nowMicroseconds = parts.throughput.clock.microseconds();
  const timestamp =
    isConditional || request.timestamp === undefined
      ? BigInt(parts.timestamps.next(nowMicroseconds))
      : request.timestamp;
  return {
    bindings: new MomentBindings(request.values, nowMicroseconds),
    isConditional,
    nowSeconds: request.nowInSeconds ?? Math.floor(nowMicroseconds / 1_000_000),
    timestamp,
    ticks: new ListTicks(parts.timestamps, nowMicroseconds),
  };
}

/** Few statements ask for the time. */
class MomentBindings implements Bindings {
  readonly values: Bindings['values'];
  readonly #nowMicroseconds: number;

  constructor(values: Bindings['values'], nowMicroseconds: number) {
    this.values = values;
    this.#nowMicroseconds = nowMicroseconds;
  }

  get nowMicros(): bigint {
    return BigInt(this.#nowMicroseconds);
  }
}

/** One INSERT, UPDATE or DELETE by itself. */
export function runModification(
  parts: CqlParts,
  modification: Modification,
  shown: ShownColumns | undefined,
  request: StatementRequest,
): StatementAnswer | Promise<StatementAnswer> {
  refuseVirtual(modification);
  if (shown !== undefined) return runConditional(parts, modification, shown, request);
  checkConsistency(request, modification);
  const moment = momentOf(parts, request, false);
  const manner = mannerOf(modification, request);
  const sole = modification.soleTarget(moment);
  if (sole !== undefined) return transactGoverned(parts, sole, manner, answerWithoutWarnings);
  const drafts: PartitionDraft[] = [];
  modification.addTo(
    (table, key) => {
      const draft = new PartitionDraft(table, key);
      drafts.push(draft);
      return draft;
    },
    modification.partitionKeys(moment.bindings),
    moment,
  );
  const targets = drafts.filter(({ isEmpty }) => !isEmpty).map((draft) => draft.target(moment.nowSeconds));
  return refuseHopeless(parts, targets, manner, (how) => writeAll(parts, targets, how, noWarnings));
}

const simpleManner: WriteManner = {
  writeType: 'SIMPLE',
  trace: undefined,
  isBatch: false,
  mayBeRefused: true,
};

function mannerOf({ table }: Modification, { trace }: StatementRequest): WriteManner {
  if (trace === undefined && !table.isCounter) return simpleManner;
  return { ...simpleManner, writeType: table.isCounter ? 'COUNTER' : 'SIMPLE', trace };
}

function answerWithoutWarnings({ chargeRu }: ChargedAnswer): StatementAnswer {
  return voidAnswer(chargeRu, noWarnings);
}

function runConditional(
  parts: CqlParts,
  modification: Modification,
  shown: ShownColumns,
  request: StatementRequest,
): Promise<StatementAnswer> {
  const moment = momentOf(parts, request, true);
  const keys = modification.partitionKeys(moment.bindings);
  const updates = modification.kind === 'DELETE' ? 'deletions' : 'updates';
  if (modification.hasInOnPartitionKey) {
    throw invalidRequest(`IN on the partition key is not supported with conditional ${updates}`);
  }
  if (modification.hasInOnClustering) {
    throw invalidRequest(`IN on the clustering key columns is not supported with conditional ${updates}`);
  }
  checkConditionalConsistency(request, keyspaceOf(parts, modification));
  const [partitionKey = []] = keys;
  const draft = new PartitionDraft(modification.table, partitionKey);
  modification.addTo(() => draft, keys, moment);
  const manner: WriteManner = { writeType: 'CAS', trace: request.trace, isBatch: false, mayBeRefused: true };
  return writeIfMet(parts, draft, [modification], shown, manner, moment);
}

/** A conditional write, and what clients are told of it. */
export function writeIfMet(
  parts: CqlParts,
  draft: PartitionDraft,
  modifications: readonly Modification[],
  shown: ShownColumns,
  manner: WriteManner,
  { nowSeconds, timestamp }: RequestMoment,
): Promise<StatementAnswer> {
  const answerOf = async (charged: ChargedAnswer): Promise<StatementAnswer> => {
    if (charged.answer.isApplied) await millisecondOver(parts.throughput.clock, parts.scheduler, timestamp);
    return lightweightAnswer(charged, shown, draft.partitionKey, noWarnings);
  };
  const target = draft.target(nowSeconds);
  if (!draft.looksAtStaticsOnly) return transactGoverned(parts, target, manner, answerOf);
  return transactGoverned(parts, target, manner, async (charged) => {
    const { answer, chargeRu } = charged;
    if (answer.current === undefined) return answerOf(charged);
    const isOfStatics = !modifications.some(({ updatesRegularRows }) => updatesRegularRows);
    const looked = await firstLiveRow(parts, draft.logicalPartition, nowSeconds, isOfStatics).catch(
      (error) => {
        throw chargedFailure(error, chargeRu);
      },
    );
    const current = { ...answer.current, rows: looked.first === undefined ? [] : [looked.first] };
    return answerOf({ answer: { ...answer, current }, chargeRu: sumOf([charged, looked]) });
  });
}

/**
 * A transaction for each logical partition, all at once; fails if one does, when all have ended. What was to be written to a table that
 * was dropped or emptied meanwhile counts as written before that, if any of it was written elsewhere.
 */
export function writeAll(
  parts: CqlParts,
  targets: readonly TargetedWrite[],
  manner: WriteManner,
  warnings: readonly string[],
): StatementAnswer | Promise<StatementAnswer> {
  const [only] = targets;
  if (only === undefined) return voidAnswer(free, warnings);
  if (targets.length === 1) {
    return transactGoverned(parts, only, manner, ({ chargeRu }) => voidAnswer(chargeRu, warnings));
  }
  return settleAll(
    targets.map((target, at) =>
      transactGoverned(
        parts,
        target,
        { ...manner, isBatch: manner.isBatch && at === 0 },
        (charged) => charged,
      ),
    ),
  ).then((charged) => voidAnswer(sumOf(charged), warnings));
}

async function settleAll(writes: readonly Promise<ChargedAnswer>[]): Promise<ChargedAnswer[]> {
  const settled = await Promise.allSettled(writes);
  const written = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failures = settled.flatMap((one) => {
    if (one.status === 'fulfilled' || (written.length > 0 && isTableGone(one.reason))) return [];
    return [one.reason as unknown];
  });
  // What may have happened is the graver news.
  const graver = failures.find(
    (failure) => failure instanceof RingfoldError && failure.code === 'outcome-unknown',
  );
  if (failures.length > 0) {
    const worst = graver ?? failures[0];
    const others = failures.filter((failure) => failure !== worst);
    throw chargedFailure(
      worst,
      sumOf([...written, ...others.map((failure) => ({ chargeRu: chargeOfFailure(failure) }))]),
    );
  }
  return written;
}

function sumOf(charged: readonly Pick<ChargedAnswer, 'chargeRu'>[]): RequestUnits {
  return fromHundredths(charged.reduce((sum, { chargeRu }) => sum + hundredthsOf(chargeRu), 0));
}

export function voidAnswer(chargeRu: RequestUnits, warnings: readonly string[]): StatementAnswer {
  return { kind: 'void', chargeRu, warnings };
}

export function keyspaceOf({ catalog }: CqlParts, { table }: Modification): KeyspaceSchema | undefined {
  return catalog.schema.keyspaces.get(table.keyspace);
}

export function refuseVirtual({ table }: Modification): void {
  if (table.container !== undefined) return;
  throw invalidRequest(`Modification is not supported by table ${printQualifiedName(table)}`);
}
