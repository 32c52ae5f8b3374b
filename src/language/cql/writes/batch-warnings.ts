import { invalidRequest } from '../../../errors/invalid-request.ts';
import { hashOfText, inHashOrder } from '../java-hash-order.ts';
import { printQualifiedName } from '../print-name.ts';
import type { BatchStatement } from '../statements/batch.ts';
import type { PartitionDraft } from './partition-draft.ts';

/** Defaults of cassandra.yaml. */
export const batchLimits: Readonly<Record<'warnBytes' | 'failBytes' | 'warnPartitions', number>> = {
  warnBytes: 5 * 1_024,
  failBytes: 50 * 1_024,
  warnPartitions: 10,
};
const { warnBytes, failBytes, warnPartitions } = batchLimits;
/** Of a stored key, before the ring position. */
const containerBytes = 4;

/** What clients are warned of in a batch over several partitions; one that is far too large is refused. */
export function batchWarnings(
  type: BatchStatement['type'],
  drafts: readonly PartitionDraft[],
): readonly string[] {
  const warnings = graceWarnings(type, drafts);
  // To Cassandra what is written to one key of a keyspace is one mutation, however many tables it is in.
  const mutations = new Set(drafts.map((draft) => `${draft.table.keyspace} ${keyOf(draft)}`));
  if (mutations.size < 2) return warnings;
  const tables = tablesOf(drafts);
  const names = `[${tables.join(', ')}]`;
  const sizeBytes = drafts.reduce((sum, draft) => sum + draft.dataBytes, 0);
  if (sizeBytes > failBytes) throw invalidRequest('Batch too large');
  if (sizeBytes > warnBytes) {
    warnings.push(
      `Batch for ${names} is of size ${sizeBytes}, exceeding specified threshold of ${warnBytes} by ${sizeBytes - warnBytes}.`,
    );
  }
  const keys = new Set(drafts.map(keyOf));
  if (type !== 'logged' && keys.size > warnPartitions) {
    const plural = tables.length === 1 ? '' : 's';
    warnings.push(
      `Unlogged batch covering ${keys.size} partitions detected against table${plural} ${names}. You should use a logged batch for atomicity, or asynchronous writes for performance.`,
    );
  }
  return warnings;
}

/** The same in all tables. */
function keyOf({ logicalPartition: { prefix } }: PartitionDraft): string {
  return prefix.slice(containerBytes);
}

function tablesOf(drafts: readonly PartitionDraft[]): readonly string[] {
  return inHashOrder(
    drafts.map(({ table }) => printQualifiedName(table)),
    hashOfText,
  );
}

function graceWarnings(type: BatchStatement['type'], drafts: readonly PartitionDraft[]): string[] {
  if (type !== 'logged') return [];
  const hasty = drafts.filter(({ table }) => table.options.gcGraceSeconds === 0);
  if (hasty.length === 0) return [];
  const tables = tablesOf(hasty);
  const plural = tables.length === 1 ? '' : 's';
  return [
    `Executing a LOGGED BATCH on table${plural} [${tables.join(', ')}], configured with a gc_grace_seconds of 0. The gc_grace_seconds is used to TTL batchlog entries, so setting gc_grace_seconds too low on tables involved in an atomic batch might cause batchlog entries to expire before being replayed.`,
  ];
}
