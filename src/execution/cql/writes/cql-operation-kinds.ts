import type { ByteString } from '../../../foundation/byte-string.ts';
import type { Operation, OperationKind } from '../../../storage/partition-store.ts';
import {
  applyHeaderPurge,
  applyRowsPurge,
  type HeaderPurge,
  type RowsPurge,
} from '../purging/apply-purge.ts';
import { applyPartitionWrite } from './apply-partition-write.ts';
import type { PartitionWrite } from './partition-write.ts';

const writeKind = 'cql-write';
const rowsPurgeKind = 'cql-purge-rows';
const headerPurgeKind = 'cql-purge-header';
const noRanges: readonly never[] = [];

/** What the store must know of CQL. */
export const cqlOperationKinds: ReadonlyMap<string, OperationKind> = new Map<string, OperationKind>([
  [writeKind, (body, rows) => applyPartitionWrite(body as PartitionWrite, rows)],
  [rowsPurgeKind, (body, rows) => applyRowsPurge(body as RowsPurge, rows)],
  [headerPurgeKind, (body, rows) => applyHeaderPurge(body as HeaderPurge, rows)],
]);

export function writeOperation(write: PartitionWrite): Operation {
  return { kind: writeKind, body: write, reads: { keys: keysOf(write), ranges: noRanges } };
}

export function rowsPurgeOperation(purge: RowsPurge): Operation {
  const { headerKey, keys } = purge;
  const all = headerKey === undefined || keys.includes(headerKey) ? keys : [headerKey, ...keys];
  return { kind: rowsPurgeKind, body: purge, reads: { keys: all, ranges: noRanges } };
}

export function headerPurgeOperation(purge: HeaderPurge): Operation {
  return { kind: headerPurgeKind, body: purge, reads: { keys: [purge.headerKey], ranges: noRanges } };
}

function keysOf({ headerKey, rows, conditions }: PartitionWrite): readonly ByteString[] {
  const [only] = rows;
  if (only !== undefined && rows.length === 1 && conditions === undefined) {
    return headerKey === undefined ? [only.key] : [headerKey, only.key];
  }
  const keys = headerKey === undefined ? [] : [headerKey];
  for (const { key } of rows) keys.push(key);
  if (conditions === undefined) return keys;
  for (const { row } of conditions) if (row !== undefined) keys.push(row.key);
  return [...new Set(keys)];
}
