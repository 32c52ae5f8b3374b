import type { ByteString } from '../../../foundation/byte-string.ts';
import { containerPrefix } from '../../../partitioning/logical-partition.ts';
import type { StorageEngine } from '../../../storage/storage-engine.ts';
import { orderBytesOf } from './index-paths.ts';
import type { IndexSegment } from './index-segment.ts';
import type { IndexedOrder, RecordedValues } from './item-index.ts';
import { recordedValues } from './item-record.ts';

/** What a segment notes of the items under those keys; undefined for one that it does not know. */
export async function notedValues(
  engine: StorageEngine,
  { container, keys }: IndexSegment,
  itemKeys: readonly ByteString[],
  orders: readonly IndexedOrder[],
): Promise<readonly (RecordedValues | undefined)[]> {
  const prefixLength = containerPrefix(container).length;
  const orderBytes = orders.map(orderBytesOf);
  const records = await Promise.all(
    itemKeys.map((key) => engine.get(keys.record(key.slice(prefixLength) as ByteString))),
  );
  return records.map((record) => (record === undefined ? undefined : recordedValues(record, orderBytes)));
}
