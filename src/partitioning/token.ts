import { murmur3Cassandra } from './murmur3.ts';

declare const token: unique symbol;

/** What CQL clients see of a partition key's place: Cassandra's murmur3, from -2^63 to 2^63 - 1. */
export type Token = bigint & { readonly [token]: true };

/** Only the empty key has it: drivers and scans use it as the open lower end of the ring. */
export const minimumToken: Token = -(2n ** 63n) as Token;
export const maximumToken: Token = (2n ** 63n - 1n) as Token;

/** For keys as `serializePartitionKey` writes them. */
export function tokenOf(partitionKeyBytes: Uint8Array): Token {
  if (partitionKeyBytes.length === 0) return minimumToken;
  const hash = murmur3Cassandra(partitionKeyBytes);
  const value = (BigInt(hash[0] as number) << 32n) | BigInt((hash[1] as number) >>> 0);
  return value === minimumToken ? maximumToken : (value as Token);
}

/**
 * The bytes that Cassandra hashes: a single column's as they are; several each as a 16-bit length, the bytes, and a zero.
 * Throws RangeError for a component of 64 KB or more, which the CQL layer refuses with a better word.
 */
export function serializePartitionKey(components: readonly Uint8Array[]): Uint8Array {
  const [only] = components;
  if (components.length === 1 && only !== undefined) return only;

  let length = 0;
  for (const component of components) length += component.length + 3;
  const serialized = Buffer.alloc(length);
  let at = 0;
  for (const component of components) {
    serialized.writeUInt16BE(component.length, at);
    serialized.set(component, at + 2);
    at += component.length + 3;
  }
  return serialized;
}
