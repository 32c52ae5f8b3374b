// Where a feed or a query stopped. Small stretches of ring are given in the order in which their items were made, which is what the
// service does and what people expect to see; larger ones in the order of their keys, which needs no sorting.

import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { type ByteString, bytesOf } from '../../../foundation/byte-string.ts';
import type { RingPosition } from '../../../partitioning/ring-position.ts';
import { type RingRange, ringRange } from '../../../partitioning/ring-range.ts';
import { decodeTextPageToken, encodeTextPageToken } from '../../page-token.ts';

export type FeedPosition =
  /** All items of the stretch up to this number have been given. What comes before the stretch has been given too. */
  | { readonly order: 'rid'; readonly stretch: RingRange; readonly rid: number }
  /** All items up to this stored key have been given. */
  | { readonly order: 'key'; readonly key: ByteString };

/** The container's number is in the fingerprint, so it is not in the token; keys are given and taken with it. */
const containerLength = 4;

export function encodeFeedPosition(
  position: FeedPosition,
  planFingerprint: ByteString,
  rowsLeft: number | undefined = undefined,
): string {
  const rest = { planFingerprint, rowsLeft, rowsLeftInPartition: undefined };
  if (position.order === 'rid') {
    const { stretch, rid } = position;
    return encodeTextPageToken({
      ...rest,
      ringPosition: stretch.min,
      after: { kind: 'item', rid, until: stretch.max },
    });
  }
  const key = position.key.slice(containerLength) as ByteString;
  return encodeTextPageToken({
    ...rest,
    ringPosition: '' as ByteString,
    after: { kind: 'partition', partitionKey: key },
  });
}

export interface DecodedFeedPosition {
  readonly position: FeedPosition;
  readonly rowsLeft: number | undefined;
}

/** Throws 'bad-page-token' for anything but a token of the same container and query. */
export function decodeFeedPosition(
  text: string,
  planFingerprint: ByteString,
  containerPrefix: ByteString,
): DecodedFeedPosition {
  const { ringPosition, after, rowsLeft } = decodeTextPageToken(text, planFingerprint);
  if (after.kind === 'item') {
    if (ringPosition >= after.until)
      throw new RingfoldError('bad-page-token', {
        reason: 'it is damaged',
        length: bytesOf(after.until).length,
      });
    const stretch = ringRange(ringPosition as RingPosition, after.until as RingPosition);
    return { position: { order: 'rid', stretch, rid: after.rid }, rowsLeft };
  }
  if (after.kind === 'partition') {
    const key = (containerPrefix + after.partitionKey) as ByteString;
    return { position: { order: 'key', key }, rowsLeft };
  }
  throw new RingfoldError('bad-page-token', { reason: 'it is damaged' });
}
