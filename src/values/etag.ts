/**
 * The `_etag` of what was written at a server timestamp, without its quotes: a GUID, as clients know them, of nothing but the
 * timestamp. No two writes have the same one, since no two have the same timestamp.
 */
export function etagOf(timestamp: number): string {
  const high = Math.floor(timestamp / 2 ** 32);
  const low = timestamp >>> 0;
  return `00000000-0000-0000-${digits(high >>> 16)}-${digits(high & 0xffff)}${digits(low >>> 16)}${digits(low & 0xffff)}`;
}

// By a table: every item that is sent has one, and `toString(16)` of a number that is no small integer costs many times as much.
const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function digits(word: number): string {
  return `${pairs[word >>> 8]}${pairs[word & 0xff]}`;
}
