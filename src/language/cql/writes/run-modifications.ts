import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { CqlParts } from '../../../execution/cql/cql-parts.ts';
import type {
  BoundValue,
  StatementAnswer,
  StatementRequest,
} from '../../../execution/cql/statement-request.ts';
import {
  forgetBatch,
  isHopeless,
  isTableGone,
  recordBatch,
} from '../../../execution/cql/writes/batch-records.ts';
import { refuseHopeless } from '../../../execution/cql/writes/refuse-hopeless.ts';
import {
  refuseIfExhausted,
  type TargetedWrite,
  type WriteManner,
} from '../../../execution/cql/writes/transact-governed.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { chargeOfFailure } from '../../../throughput/charged-failure.ts';
import { fromHundredths } from '../../../throughput/request-units.ts';
import type { BatchStatement } from '../statements/batch.ts';
import { batchWarnings } from './batch-warnings.ts';
import { shownColumns } from './lightweight-answer.ts';
import type { Modification, RequestMoment } from './modification.ts';
import { PartitionDraft } from './partition-draft.ts';
import { keyspaceOf, momentOf, refuseVirtual, voidAnswer, writeAll, writeIfMet } from './run-modification.ts';
import { timestampOf, type WriteAttributes } from './write-attributes.ts';
import { checkConditionalConsistency, checkReadBeforeWrite } from './write-consistency.ts';

export interface ModificationBatch {
  readonly type: BatchStatement['type'];
  readonly attributes: WriteAttributes;
  readonly entries: readonly BatchEntry[];
}

interface BatchEntry {
  readonly modification: Modification;
  readonly values: readonly BoundValue[];
}

/** The statements of a batch, all with one time: one transaction for each logical partition. */
export function runModifications(
  parts: CqlParts,
  batch: ModificationBatch,
  request: StatementRequest,
): StatementAnswer | Promise<StatementAnswer> {
  const { entries } = batch;
  for (const { modification } of entries) refuseVirtual(modification);
  if (entries.length === 0) return voidAnswer(fromHundredths(0), []);
  if (entries.some(({ modification }) => modification.isConditional)) {
    return runConditionalBatch(parts, batch, request);
  }
  const { type } = batch;
  const shared = momentOf(parts, request, false);
  const drafts = new Map<ByteString, PartitionDraft>();
  const bound = entries.map((entry) => {
    const moment = momentOfEntry(batch, entry, shared);
    return { moment, keys: entry.modification.partitionKeys(moment.bindings), ...entry };
  });
  for (const { modification, moment, keys } of bound) {
    checkReadBeforeWrite(request, modification);
    modification.addTo((table, key) => draftIn(drafts, table, key), keys, moment);
  }
  const filled = [...drafts.values()].filter(({ isEmpty }) => !isEmpty);
  const warnings = batchWarnings(type, filled);
  const targets = filled.map((draft) => draft.target(shared.nowSeconds));
  const plainType = targets.length > 1 ? 'UNLOGGED_BATCH' : 'SIMPLE';
  const isLogged = type === 'logged' && targets.length > 1;
  const unloggedType = type === 'counter' ? 'COUNTER' : plainType;
  const manner: WriteManner = {
    writeType: isLogged ? 'BATCH' : unloggedType,
    trace: request.trace,
    isBatch: true,
    mayBeRefused: true,
  };
  return refuseHopeless(parts, targets, manner, (how) =>
    isLogged ? runLogged(parts, targets, how, warnings) : writeAll(parts, targets, how, warnings),
  );
}

function draftIn(
  drafts: Map<ByteString, PartitionDraft>,
  table: TableSchema,
  key: readonly Buffer[],
): PartitionDraft {
  const draft = new PartitionDraft(table, key);
  const { prefix } = draft.logicalPartition;
  const known = drafts.get(prefix);
  if (known !== undefined) return known;
  drafts.set(prefix, draft);
  return draft;
}

function momentOfEntry(
  { attributes }: ModificationBatch,
  { values }: BatchEntry,
  shared: RequestMoment,
): RequestMoment {
  const { nowMicros } = shared.bindings;
  const bindings = { values, nowMicros };
  return { ...shared, bindings, timestamp: timestampOf(attributes, bindings, shared.timestamp) };
}

/** Once it is on record it happens, now or at the next start; so request units are asked for before. */
async function runLogged(
  parts: CqlParts,
  targets: readonly TargetedWrite[],
  manner: WriteManner,
  warnings: readonly string[],
): Promise<StatementAnswer> {
  if (manner.mayBeRefused) for (const target of targets) refuseIfExhausted(parts, target);
  const id = await recordBatch(parts, targets);
  try {
    const answer = await writeAll(parts, targets, { ...manner, mayBeRefused: false }, warnings);
    await forgetBatch(parts, id);
    return answer;
  } catch (error) {
    if (!isHopeless(error) && !isTableGone(error))
      throw new RingfoldError(
        'outcome-unknown',
        { writeType: 'BATCH', chargeRu: chargeOfFailure(error) },
        error,
      );
    await forgetBatch(parts, id);
    throw error;
  }
}

function runConditionalBatch(
  parts: CqlParts,
  batch: ModificationBatch,
  request: StatementRequest,
): Promise<StatementAnswer> {
  const { entries } = batch;
  const shared = momentOf(parts, request, true);
  let draft: PartitionDraft | undefined;
  for (const entry of entries) {
    const { modification } = entry;
    const moment = momentOfEntry(batch, entry, shared);
    const keys = modification.partitionKeys(moment.bindings);
    if (modification.hasInOnPartitionKey) {
      throw invalidRequest(
        'Batch with conditions cannot span multiple partitions (you cannot use IN on the partition key)',
      );
    }
    const [key = []] = keys;
    draft ??= new PartitionDraft(modification.table, key);
    if (key.some((component, at) => !draft?.partitionKey[at]?.equals(component))) {
      throw invalidRequest('Batch with conditions cannot span multiple partitions');
    }
    if (modification.hasInOnClustering) {
      const what = modification.kind === 'UPDATE' ? 'updates' : 'deletions';
      throw invalidRequest(`IN on the clustering key columns is not supported with conditional ${what}`);
    }
    const only = draft;
    modification.addTo(() => only, keys, moment);
  }
  const [first] = entries;
  if (draft === undefined || first === undefined) {
    return Promise.resolve(voidAnswer(fromHundredths(0), []));
  }
  checkConditionalConsistency(request, keyspaceOf(parts, first.modification));
  const modifications = entries.map(({ modification }) => modification);
  const shown = shownColumns(draft.table, modifications, true);
  const manner: WriteManner = { writeType: 'CAS', trace: request.trace, isBatch: true, mayBeRefused: true };
  return writeIfMet(parts, draft, modifications, shown, manner, shared);
}
