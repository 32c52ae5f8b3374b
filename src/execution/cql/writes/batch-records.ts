// A logged batch over several logical partitions is written down before it is done, so that a crash cannot leave it half done: what is
// still written down at the start is done again. All that times and chance decided is in the record, so doing it twice changes nothing.

import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import type { CqlParts } from '../cql-parts.ts';
import { type TargetedWrite, transactGoverned, type WriteManner } from './transact-governed.ts';

const recordKind = 'cql-batch';

interface RecordedWrite extends Omit<TargetedWrite, 'logicalPartition'> {
  readonly container: number;
}

/** Resolves to the record's id when the batch is sure to happen. */
export async function recordBatch(parts: CqlParts, targets: readonly TargetedWrite[]): Promise<string> {
  const { store, clock } = parts.throughput;
  const id = String(parts.timestamps.next(clock.microseconds()));
  const writes = targets.map(
    ({ logicalPartition, ...rest }): RecordedWrite => ({ container: logicalPartition.container, ...rest }),
  );
  await store.records.put([{ kind: recordKind, id, value: printRecord(writes) }]);
  return id;
}

export function forgetBatch({ throughput }: CqlParts, id: string): Promise<void> {
  return throughput.store.records.put([{ kind: recordKind, id, value: null }]);
}

/** Called once at the start, before clients are served. Nothing of it is refused for want of request units. */
export async function replayBatches(parts: CqlParts): Promise<void> {
  const manner: WriteManner = { writeType: 'BATCH', trace: undefined, isBatch: false, mayBeRefused: false };
  const records = await parts.throughput.store.records.readAll(recordKind);
  for (const [id, text] of records) {
    for (const { container, ...rest } of parseRecord(String(text))) {
      const logicalPartition = new LogicalPartition(container, cqlPartitionKey(rest.partitionKey));
      await transactGoverned(parts, { logicalPartition, ...rest }, manner, () => undefined).catch(
        passIfSettled,
      );
    }
    await forgetBatch(parts, id);
  }
}

/** A table that is gone, and what can never be done, need not be tried again; any other failure stops the start. */
function passIfSettled(error: unknown): void {
  if (!isTableGone(error) && !isHopeless(error)) throw error;
}

export function isTableGone(error: unknown): boolean {
  return error instanceof RingfoldError && error.code === 'container-not-found';
}

export function isHopeless(error: unknown): boolean {
  return (
    error instanceof RingfoldError && (error.code === 'bad-request' || error.code === 'transaction-too-large')
  );
}

/** JSON, with bytes and long integers as objects of one member. */
export function printRecord(writes: readonly RecordedWrite[]): string {
  return JSON.stringify(writes, function replace(this: Record<string, unknown>, key, value: unknown) {
    // Buffers have turned themselves into something else by the time they come as the value.
    const original = this[key];
    if (Buffer.isBuffer(original)) return { $bytes: original.toString('base64') };
    return typeof value === 'bigint' ? { $integer: String(value) } : value;
  });
}

export function parseRecord(text: string): readonly RecordedWrite[] {
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$bytes' in value) return Buffer.from(String(value.$bytes), 'base64');
    return '$integer' in value ? BigInt(String(value.$integer)) : value;
  }) as readonly RecordedWrite[];
}
