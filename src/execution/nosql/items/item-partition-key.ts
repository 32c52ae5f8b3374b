import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { JsonKeyComponent } from '../../../partitioning/json-key-component.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { jsonPartitionKey } from '../../../partitioning/partition-key.ts';
import { keyNotOfItem, keyTooLong } from './item-refusals.ts';

/** A component per path; undefined where the item does not have it. */
export function partitionKeyOf(
  { partitionKeyPaths }: ContainerDefinition,
  item: Readonly<Record<string, unknown>>,
): JsonKeyComponent[] {
  return partitionKeyPaths.map((path) => componentOf(valueAt(item, path)));
}

/** That of items which have none of its paths. */
export function missingKeyOf({ partitionKeyPaths }: ContainerDefinition): JsonKeyComponent[] {
  return partitionKeyPaths.map(() => undefined);
}

/** Undefined where there is nothing, or nothing that could have members. */
export function valueAt(item: unknown, path: readonly string[]): unknown {
  let value = item;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function componentOf(value: unknown): JsonKeyComponent {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      // JSON can write -0, and it is the same key as 0.
      return value + 0;
    default:
      if (value === null) return null;
      throw keyNotOfItem();
  }
}

export function isSameKey(left: readonly JsonKeyComponent[], right: readonly JsonKeyComponent[]): boolean {
  return left.length === right.length && left.every((component, at) => component === right[at]);
}

export function logicalPartitionOf(
  { container, partitionKey }: ContainerDefinition,
  components: readonly JsonKeyComponent[],
): LogicalPartition {
  try {
    return new LogicalPartition(container, jsonPartitionKey(partitionKey, components));
  } catch (error) {
    if (error instanceof RingfoldError && error.details['reason'] === 'too long') throw keyTooLong();
    throw error;
  }
}
