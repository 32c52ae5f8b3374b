import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { Row } from '../../../storage/partition-store.ts';
import { decodeStoredItem, type StoredItem } from '../../../values/stored-item.ts';
import { storedKindOf } from '../item-keys.ts';

/** An item as it was found under its key. */
export interface ScannedItem {
  readonly key: ByteString;
  readonly item: StoredItem;
}

/** Undefined for what is not an item, or not there any more though its row is. */
export function scannedItem(
  { key, value }: Row,
  container: ContainerDefinition,
  isVisible: (key: ByteString, item: StoredItem) => boolean,
): ScannedItem | undefined {
  if (storedKindOf(key, container) !== 'item') return undefined;
  const item = decodeStoredItem(value);
  return isVisible(key, item) ? { key, item } : undefined;
}
