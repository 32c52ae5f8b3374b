import { type ByteString, byteStringOf, concatBytes, keyAfter } from '../../../foundation/byte-string.ts';
import { containerPrefix } from '../../../partitioning/logical-partition.ts';
import type { StorageEngine } from '../../../storage/storage-engine.ts';
import { rangeOf, ridOf } from './index-keys.ts';
import { orderBytesOf } from './index-paths.ts';
import type { IndexSegment } from './index-segment.ts';
import type { IndexEntry, IndexPage, IndexPosition, IndexWalk } from './item-index.ts';

/** What is looked at for one page, however little of it is of the partition. */
const maxExaminedBeyond = 2_000;

/** A page of a segment's entries, without those that `isWanted` does not know. */
export async function walkEntries(
  engine: StorageEngine,
  segment: IndexSegment,
  walk: IndexWalk,
  isWanted: (itemKey: ByteString) => boolean,
): Promise<IndexPage> {
  const range = rangeOfWalk(segment, walk);
  if (range.from >= range.to) return { entries: [], next: undefined, examined: 0 };
  const prefix = containerPrefix(segment.container);
  const iterator = engine.iterate({ ...range, reverse: walk.reverse });
  const entries: IndexEntry[] = [];
  let bytes = 0;
  let examined = 0;
  let last: IndexPosition | undefined;
  try {
    for (;;) {
      const rows = await iterator.next(Math.min(walk.maxEntries + 1, 1_000), 2 ** 18);
      if (rows.length === 0) return { entries, next: undefined, examined };
      for (const { key, value } of rows) {
        const isFull = entries.length >= walk.maxEntries || bytes >= walk.maxBytes;
        if (isFull || examined >= walk.maxEntries + maxExaminedBeyond)
          return { entries, next: last, examined };
        examined++;
        const itemKey = byteStringOf(value);
        last = segment.keys.entryIn(key);
        if (!isWanted(itemKey)) continue;
        entries.push({ ...last, key: concatBytes(prefix, itemKey) });
        bytes += key.length + value.length;
      }
    }
  } finally {
    await iterator.close();
  }
}

function rangeOfWalk(
  { keys }: IndexSegment,
  { order, from, to, reverse, after }: IndexWalk,
): { readonly from: ByteString; readonly to: ByteString } {
  const base = keys.order(orderBytesOf(order));
  const whole = rangeOf(base);
  let first = from === undefined ? whole.from : concatBytes(base, from);
  let end = to === undefined ? whole.to : concatBytes(base, to);
  if (after !== undefined) {
    const reached = concatBytes(base, after.value, ridOf(after.rid));
    if (reverse && reached < end) end = reached;
    if (!reverse && reached >= first) first = keyAfter(reached);
  }
  return { from: first, to: end };
}
