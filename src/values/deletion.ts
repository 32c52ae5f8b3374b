import type { ByteReader } from '../foundation/byte-reader.ts';
import type { ByteWriter } from '../foundation/byte-writer.ts';

/**
 * What was written at or before a timestamp is gone: a cell, a collection, a row, a range of rows, a partition. The
 * second in which the server saw the deletion decides only when it may itself be forgotten.
 */
export interface Deletion {
  readonly timestamp: bigint;
  readonly second: number;
}

/** Whether the first says more than the second: a later timestamp or, at the same one, a later second. */
export function supersedes(deletion: Deletion, other: Deletion | undefined): boolean {
  if (other === undefined) return true;
  if (deletion.timestamp !== other.timestamp) return deletion.timestamp > other.timestamp;
  return deletion.second > other.second;
}

export function laterDeletion(left: Deletion | undefined, right: Deletion | undefined): Deletion | undefined {
  return right !== undefined && supersedes(right, left) ? right : left;
}

/** At the same timestamp the deletion wins. */
export function deletes(deletion: Deletion | undefined, timestamp: bigint): boolean {
  return deletion !== undefined && timestamp <= deletion.timestamp;
}

/** Forgotten once it is older than gc_grace; until then it is kept as it is. */
export function purgeDeletion(deletion: Deletion | undefined, gcBeforeSecond: number): Deletion | undefined {
  return deletion !== undefined && deletion.second < gcBeforeSecond ? undefined : deletion;
}

export function writeDeletion(writer: ByteWriter, deletion: Deletion): void {
  writer.i64(deletion.timestamp);
  writer.u32(deletion.second);
}

export function readDeletion(reader: ByteReader): Deletion {
  return { timestamp: reader.i64(), second: reader.u32() };
}
