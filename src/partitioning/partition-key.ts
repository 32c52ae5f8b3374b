import { RingfoldError } from '../errors/ringfold-error.ts';
import { type ByteString, byteStringOf } from '../foundation/byte-string.ts';
import { effectivePartitionKey, jsonPartitionKeyBytes } from './effective-partition-key.ts';
import type { JsonKeyComponent } from './json-key-component.ts';
import {
  MAX_HIERARCHY_LEVELS,
  MAX_HIERARCHY_LEVELS_ENDING_IN_ID,
  MAX_PARTITION_KEY_BYTES,
} from './partition-limits.ts';
import { cqlRingPosition, type RingPosition } from './ring-position.ts';
import { serializePartitionKey } from './token.ts';

/** How a container's keys become ring positions: one of Cosmos' three forms, or the ring of CQL tables. */
export type HashKind = 'v1' | 'v2' | 'multi' | 'cql';

/** Which paths of an item, or columns of a row, form its partition key. Fixed for the life of a container. */
export interface PartitionKeyDefinition {
  /** Paths with their slash for NoSQL containers, column names for CQL tables; in the order they are hashed. */
  readonly paths: readonly string[];
  readonly hashKind: HashKind;
  /** All of a composite key is needed to find an item; leading levels of a hierarchical one already narrow the ring. */
  readonly kind: 'simple' | 'composite' | 'hierarchical';
}

export function partitionKeyDefinition(hashKind: HashKind, paths: readonly string[]): PartitionKeyDefinition {
  if (paths.length === 0) throw new RingfoldError('bad-partition-key', { reason: 'no paths' });
  if (new Set(paths).size !== paths.length) {
    throw new RingfoldError('bad-partition-key', { reason: 'the same path twice', paths });
  }
  if (hashKind !== 'multi') {
    return Object.freeze({ paths, hashKind, kind: paths.length === 1 ? 'simple' : 'composite' });
  }
  const maxLevels = paths.at(-1) === '/id' ? MAX_HIERARCHY_LEVELS_ENDING_IN_ID : MAX_HIERARCHY_LEVELS;
  if (paths.length > maxLevels) {
    throw new RingfoldError('bad-partition-key', { reason: 'too many levels', paths, maxLevels });
  }
  return Object.freeze({ paths, hashKind, kind: 'hierarchical' });
}

/** One whole value of a partition key: where it stands, and the bytes that tell it from others that stand there too. */
export interface PartitionKey {
  readonly ringPosition: RingPosition;
  readonly bytes: ByteString;
}

/** A component per path is needed; an item without the property has undefined there. */
export function jsonPartitionKey(
  definition: PartitionKeyDefinition,
  components: readonly JsonKeyComponent[],
): PartitionKey {
  const { hashKind, paths } = definition;
  if (hashKind === 'cql') throw new RingfoldError('bad-partition-key', { reason: 'not a NoSQL container' });
  if (components.length !== paths.length) {
    throw new RingfoldError('bad-partition-key', {
      reason: 'wrong number of components',
      expected: paths.length,
      given: components.length,
    });
  }
  const sizeBytes = components.reduce<number>(
    (sum, component) => sum + (typeof component === 'string' ? Buffer.byteLength(component) : 0),
    0,
  );
  if (sizeBytes > MAX_PARTITION_KEY_BYTES) {
    throw new RingfoldError('bad-partition-key', {
      reason: 'too long',
      sizeBytes,
      maxBytes: MAX_PARTITION_KEY_BYTES,
    });
  }
  return {
    ringPosition: effectivePartitionKey(hashKind, components),
    bytes: jsonPartitionKeyBytes(components),
  };
}

/** The components are the columns' values as the CQL protocol writes them. */
export function cqlPartitionKey(components: readonly Uint8Array[]): PartitionKey {
  const serialized = serializePartitionKey(components);
  return { ringPosition: cqlRingPosition(serialized), bytes: byteStringOf(serialized) };
}
