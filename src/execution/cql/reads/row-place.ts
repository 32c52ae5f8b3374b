import type { ByteString } from '../../../foundation/byte-string.ts';

/** Where a row stands in its partition: made out only when somebody asks, which for most rows nobody does. */
export interface RowPlace {
  clusteringKey(): ByteString;
}
