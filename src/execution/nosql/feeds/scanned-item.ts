import type { ByteString } from '../../../foundation/byte-string.ts';
import { LaidRow } from '../../../storage/laid-row.ts';
import type { Row } from '../../../storage/partition-store.ts';
import { decodeStoredItem, type StoredItem } from '../../../values/stored-item.ts';

/** An item as it was found under its key. */
export interface ScannedItem {
  readonly key: ByteString;
  readonly item: StoredItem;
}

/** Undefined for what is not an item, or not there any more though its row is. */
export function scannedItem(
  row: Row,
  isVisible: (key: ByteString, item: StoredItem) => boolean,
): ScannedItem | undefined {
  const item =
    row instanceof LaidRow
      ? decodeStoredItem(row.memory, row.valueAt, row.valueEnd)
      : decodeStoredItem(row.value);
  if (item.kind !== 'json-item') return undefined;
  const { key } = row;
  return isVisible(key, item) ? { key, item } : undefined;
}
