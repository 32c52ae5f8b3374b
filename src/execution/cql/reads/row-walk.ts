import type { ByteString } from '../../../foundation/byte-string.ts';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import type { RowVisitor } from '../../../replication/row-visitor.ts';
import type { PartitionAddress, RowPage, Scan } from '../../../storage/partition-store.ts';

export type StoreRequest =
  | { readonly kind: 'read'; readonly address: PartitionAddress; readonly key: ByteString }
  | { readonly kind: 'scan'; readonly address: PartitionAddress; readonly scan: Scan };

/**
 * A way through stored rows, as a machine that says what it needs next and is given it. So one and the same walk goes on in the same
 * turn while memory can answer, and by promises once it cannot; and after a split it asks again, of whoever has the place now.
 */
export interface RowWalk {
  /** The same again until it is answered; undefined at the end. */
  next(map: PartitionMap): StoreRequest | undefined;
  /** What a 'read' came to. */
  takeRow(stored: Buffer | null): void;
  /** What a 'scan' came to. */
  takePage(page: RowPage): void;
  /** May be shown the rows of a 'scan' instead, where there is one; `endVisit` then says whether it was shown all. */
  readonly visitor: RowVisitor | undefined;
  endVisit(complete: boolean): void;
}

/**
 * How many rows one scan asks for: no more than a page without filters can use, with room for headers. The more was looked at already,
 * the more: rows that are deleted or expired fill no page.
 */
export function scanSize(rowsWanted: number, isFiltered: boolean, examined: number): number {
  return isFiltered ? largestScan : Math.min(largestScan, Math.max(rowsWanted + 1, examined));
}

const largestScan = 1_000;
export const largestScanBytes: number = 2 ** 20;
