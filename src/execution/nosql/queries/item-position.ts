// Where a query stands among its items. Items that were found in an index one value after another have places that feeds do not know.

import type { ByteString } from '../../../foundation/byte-string.ts';
import type { RingRange } from '../../../partitioning/ring-range.ts';
import type { FeedPosition } from '../feeds/feed-position.ts';

/** All items of the stretch are done with that an index has up to here. What comes before the stretch is done with too. */
export interface EntryPosition {
  readonly order: 'index';
  readonly stretch: RingRange;
  /** Which of the orders that are walked one after another, and a mark of all of them. */
  readonly arm: number;
  readonly arms: number;
  readonly value: ByteString;
  readonly rid: number;
}

export type ItemPosition = FeedPosition | EntryPosition;

/** Of a position behind an item: the one right before it, so that the item comes next. */
export function positionBefore(position: ItemPosition): ItemPosition {
  if (position.order !== 'key') return { ...position, rid: Math.max(position.rid - 1, 0) };
  const { key } = position;
  const last = key.charCodeAt(key.length - 1);
  const start = key.slice(0, -1);
  // Keys end with ids in UTF-8, which has no byte of this value: none lies in between.
  const before = last === 0 ? start : `${start}${String.fromCharCode(last - 1)}\xff`;
  return { order: 'key', key: before as ByteString };
}
