// Cassandra tells what it finds first in a java.util.HashSet, or lists one in its messages: so that order is part of them.

/** Each once, in the order in which a HashSet of them is walked: by the low bits of their hashes, then as they came. */
export function inHashOrder(texts: readonly string[], hashOf: (text: string) => number): readonly string[] {
  const distinct = [...new Set(texts)];
  let buckets = 16;
  while (distinct.length > buckets * 0.75) buckets *= 2;
  const bucketOf = (text: string): number => {
    const hash = hashOf(text);
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  };
  return distinct.toSorted((left, right) => bucketOf(left) - bucketOf(right));
}

/** String.hashCode. */
export function hashOfText(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(31, hash) + text.charCodeAt(at)) | 0;
  return hash;
}

/** ByteBuffer.hashCode of the name's bytes, which is that of a ColumnIdentifier. */
export function hashOfColumnName(name: string): number {
  let hash = 1;
  for (const byte of Buffer.from(name).reverse()) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0;
  return hash;
}
