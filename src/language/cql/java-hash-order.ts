// Cassandra tells what it finds first in a java.util.HashSet, or lists one in its messages: so that order is part of them.

/** Each once, in the order in which a HashSet of them is walked: by the low bits of their hashes, then as they came. */
export function inHashOrder(texts: readonly string[], hashOf: (text: string) => number): readonly string[] {
  const distinct = [...new Set(texts)];
  return inBucketOrder(distinct, hashOf, distinct.length);
}

/** The same for what is kept under so many keys of a HashMap. */
export function inBucketOrder<T>(items: readonly T[], hashOf: (item: T) => number, keyCount: number): T[] {
  let buckets = 16;
  while (keyCount > buckets * 0.75) buckets *= 2;
  const bucketOf = (item: T): number => {
    const hash = hashOf(item);
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  };
  return items.toSorted((left, right) => bucketOf(left) - bucketOf(right));
}

/** String.hashCode. */
export function hashOfText(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(31, hash) + text.charCodeAt(at)) | 0;
  return hash;
}

/** ByteBuffer.hashCode of the name's bytes, which is that of a ColumnIdentifier. */
export function hashOfColumnName(name: string): number {
  return hashOfBytes(Buffer.from(name));
}

/** ByteBuffer.hashCode. */
export function hashOfBytes(bytes: Buffer): number {
  let hash = 1;
  for (let at = bytes.length - 1; at >= 0; at--) hash = (Math.imul(31, hash) + bytes.readInt8(at)) | 0;
  return hash;
}

/** Of Cassandra's Pair; the hash of null is 0. */
export function hashOfPair(left: number, right: number): number {
  return (Math.imul(31, 31 + left) + right) | 0;
}
