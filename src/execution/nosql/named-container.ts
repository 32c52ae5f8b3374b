// What people are told of containers and logical partitions, which stored keys know by numbers and bytes.

import type { ByteString } from '../../foundation/byte-string.ts';
import type { JsonKeyComponent } from '../../partitioning/json-key-component.ts';
import { partitionKeyIn } from '../../partitioning/logical-partition.ts';
import { readJsonPartitionKey } from '../../partitioning/read-json-partition-key.ts';
import type { NosqlParts } from './nosql-parts.ts';

type Parts = Pick<NosqlParts, 'catalog'>;

/** Undefined for a container of another door. */
export function nameOfContainer({ catalog }: Parts, container: number): string | undefined {
  const found = catalog.containerOf(container);
  return found === undefined ? undefined : `${found.databaseId}/${found.id}`;
}

/** The partition key's values as clients write them in a header, for what stored keys of the partition begin with. */
export function nameOfLogicalPartition(
  { catalog }: Parts,
  container: number,
  logicalPartition: string,
): string {
  const found = catalog.containerOf(container);
  if (found === undefined) return logicalPartition;
  const key = partitionKeyIn(logicalPartition as ByteString, found.partitionKey);
  return JSON.stringify(shownComponents(readJsonPartitionKey(key)));
}

/** `["a",1,{}]`: an empty object is a component that the item does not have. */
export function shownComponents(components: readonly JsonKeyComponent[]): unknown[] {
  return components.map((component) => (component === undefined ? {} : component));
}
