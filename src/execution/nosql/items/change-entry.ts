// What the feed of all versions and deletes shows of one change, made when it happens, since the previous version is gone afterwards.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { toldLsn } from '../../../catalog/nosql/told-lsn.ts';
import type { JsonKeyComponent } from '../../../partitioning/json-key-component.ts';
import { encodeStoredItem, type StoredItem } from '../../../values/stored-item.ts';
import { factsOfStored } from './item-draft.ts';
import { textOfItem } from './item-text.ts';

export interface ItemChange {
  /** Undefined for a delete. */
  readonly current: StoredItem | undefined;
  /** Undefined for a create. */
  readonly previous: StoredItem | undefined;
  readonly isExpiry: boolean;
  readonly lsn: number;
  readonly timestamp: number;
}

export function encodeChange(container: ContainerDefinition, change: ItemChange): Buffer {
  const { current, previous, timestamp, lsn } = change;
  const parts: Buffer[] = [Buffer.from('{')];
  if (current !== undefined) parts.push(Buffer.from('"current":'), textOfItem(container, current), comma);
  if (previous !== undefined) parts.push(Buffer.from('"previous":'), textOfItem(container, previous), comma);
  parts.push(Buffer.from(`"metadata":${JSON.stringify(metadataOf(container, change))}}`));
  const payload = Buffer.concat(parts);
  return encodeStoredItem({ kind: 'change', timestamp, ttlSeconds: undefined, rid: undefined, lsn, payload });
}

const comma = Buffer.from(',');

function metadataOf(container: ContainerDefinition, change: ItemChange): Readonly<Record<string, unknown>> {
  const { current, previous, isExpiry, lsn, timestamp } = change;
  const operationType = current === undefined ? 'delete' : previous === undefined ? 'create' : 'replace';
  return {
    operationType,
    lsn: toldLsn(container, lsn),
    crts: Math.floor(timestamp / 1_000_000),
    ...(previous === undefined ? {} : { previousImageLSN: toldLsn(container, previous.lsn ?? 0) }),
    ...(current === undefined && previous !== undefined ? whatIsGone(container, previous, isExpiry) : {}),
  };
}

function whatIsGone(
  container: ContainerDefinition,
  previous: StoredItem,
  isExpiry: boolean,
): Readonly<Record<string, unknown>> {
  const { id, partitionKey } = factsOfStored(container, previous);
  return { timeToLiveExpired: isExpiry, id, partitionKey: namedKey(container, partitionKey) };
}

/** Levels that the item does not have are left out. */
function namedKey(
  { partitionKeyPaths }: ContainerDefinition,
  components: readonly JsonKeyComponent[],
): Readonly<Record<string, JsonKeyComponent>> {
  return Object.fromEntries(
    components.map((component, at) => [partitionKeyPaths[at]?.join('/') ?? '', component]),
  );
}
