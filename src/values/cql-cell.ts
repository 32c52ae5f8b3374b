import { assert } from '../foundation/assert.ts';

/** A TTL as it was given, and the first second in which what it was given to is gone. */
export interface Expiry {
  readonly ttlSeconds: number;
  readonly second: number;
}

/** One value of one column with its own time; or the word that there is none. */
export type CqlCell = LiveCell | TombstoneCell;

export interface LiveCell {
  readonly kind: 'live';
  readonly timestamp: bigint;
  readonly expiry: Expiry | undefined;
  readonly value: Buffer;
}

export interface TombstoneCell {
  readonly kind: 'tombstone';
  readonly timestamp: bigint;
  /** When the server saw the deletion. */
  readonly second: number;
}

/** INSERT's mark that the row exists even if all its columns are null; UPDATE leaves none. */
export interface Liveness {
  readonly timestamp: bigint;
  readonly expiry: Expiry | undefined;
}

/**
 * Which of two cells of one column stays: positive for the left, negative for the right, zero if they are alike. The
 * rules are those of Cassandra 5.0.5 (Cells.reconcile): the later timestamp; at the same one what will be gone
 * (tombstone or expiring) before what stays, so that the winner does not depend on when it is asked; then the tombstone;
 * then the later second; then the shorter TTL, which was given later; then the larger bytes.
 */
export function compareCells(left: CqlCell, right: CqlCell): number {
  if (left.timestamp !== right.timestamp) return left.timestamp > right.timestamp ? 1 : -1;
  if (left.kind === 'tombstone') {
    return right.kind === 'tombstone' ? left.second - right.second : 1;
  }
  if (right.kind === 'tombstone') return -1;
  return compareExpiries(left.expiry, right.expiry) || Buffer.compare(left.value, right.value);
}

/** As for cells (LivenessInfo.supersedes): later timestamp, then the one that expires, later second, shorter TTL. */
export function compareLiveness(left: Liveness, right: Liveness): number {
  if (left.timestamp !== right.timestamp) return left.timestamp > right.timestamp ? 1 : -1;
  return compareExpiries(left.expiry, right.expiry);
}

function compareExpiries(left: Expiry | undefined, right: Expiry | undefined): number {
  if (left === undefined || right === undefined)
    return Number(left !== undefined) - Number(right !== undefined);
  return left.second - right.second || right.ttlSeconds - left.ttlSeconds;
}

/** Gone from its expiry second on. */
export function isExpiredAt(expiry: Expiry | undefined, nowSeconds: number): boolean {
  return expiry !== undefined && nowSeconds >= expiry.second;
}

export function isLiveCell(cell: CqlCell, nowSeconds: number): cell is LiveCell {
  return cell.kind === 'live' && !isExpiredAt(cell.expiry, nowSeconds);
}

/**
 * What is left of a cell when deletions before a second are forgotten. An expired cell becomes a tombstone as old as
 * its write, as in Cassandra: its TTL has already counted towards gc_grace.
 */
export function purgeCell(cell: CqlCell, nowSeconds: number, gcBeforeSecond: number): CqlCell | undefined {
  if (cell.kind === 'tombstone') return cell.second < gcBeforeSecond ? undefined : cell;
  if (cell.expiry === undefined || !isExpiredAt(cell.expiry, nowSeconds)) return cell;
  const second = Math.max(0, cell.expiry.second - cell.expiry.ttlSeconds);
  return second < gcBeforeSecond ? undefined : { kind: 'tombstone', timestamp: cell.timestamp, second };
}

/**
 * A counter's cell holds its total. Increments are added where they are ordered, inside the transaction, so there are
 * no shards to add up; the sum wraps at 64 bits as Java's does.
 */
export function addToCounter(cell: CqlCell | undefined, increment: bigint, timestamp: bigint): LiveCell {
  const total = cell?.kind === 'live' ? counterTotal(cell) : 0n;
  const value = Buffer.allocUnsafe(8);
  value.writeBigInt64BE(BigInt.asIntN(64, total + increment));
  return { kind: 'live', timestamp, expiry: undefined, value };
}

export function counterTotal(cell: LiveCell): bigint {
  assert(cell.value.length === 8, 'a counter has eight bytes');
  return cell.value.readBigInt64BE();
}
