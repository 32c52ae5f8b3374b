import { invalidRequest } from '../../../errors/invalid-request.ts';
import { printQualifiedName } from '../print-name.ts';
import type { BatchStatement } from '../statements/batch.ts';
import type { PartitionDraft } from './partition-draft.ts';

// Defaults of cassandra.yaml.
const warnBytes = 5 * 1_024;
const failBytes = 50 * 1_024;
const warnPartitions = 10;

/** What clients are warned of in a batch over several partitions; one that is far too large is refused. */
export function batchWarnings(
  type: BatchStatement['type'],
  drafts: readonly PartitionDraft[],
): readonly string[] {
  const warnings = graceWarnings(type, drafts);
  if (drafts.length < 2) return warnings;
  const tables = new Set(drafts.map(({ table }) => printQualifiedName(table)));
  const names = `[${[...tables].join(', ')}]`;
  const sizeBytes = drafts.reduce((sum, draft) => sum + draft.dataBytes, 0);
  if (sizeBytes > failBytes) throw invalidRequest('Batch too large');
  if (sizeBytes > warnBytes) {
    warnings.push(
      `Batch for ${names} is of size ${sizeBytes}, exceeding specified threshold of ${warnBytes} by ${sizeBytes - warnBytes}.`,
    );
  }
  if (type !== 'logged' && drafts.length > warnPartitions) {
    const plural = tables.size === 1 ? '' : 's';
    warnings.push(
      `Unlogged batch covering ${drafts.length} partitions detected against table${plural} ${names}. You should use a logged batch for atomicity, or asynchronous writes for performance.`,
    );
  }
  return warnings;
}

function graceWarnings(type: BatchStatement['type'], drafts: readonly PartitionDraft[]): string[] {
  if (type !== 'logged') return [];
  const hasty = drafts.filter(({ table }) => table.options.gcGraceSeconds === 0);
  if (hasty.length === 0) return [];
  const tables = new Set(hasty.map(({ table }) => printQualifiedName(table)));
  const plural = tables.size === 1 ? '' : 's';
  return [
    `Executing a LOGGED BATCH on table${plural} [${[...tables].join(', ')}], configured with a gc_grace_seconds of 0. The gc_grace_seconds is used to TTL batchlog entries, so setting gc_grace_seconds too low on tables involved in an atomic batch might cause batchlog entries to expire before being replayed.`,
  ];
}
