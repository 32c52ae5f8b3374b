import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { liveView, shadowRow } from '../../../values/cql-row.ts';
import { decodeRow } from '../../../values/cql-row-codec.ts';
import { decodeHeader, deletionOf, emptyHeader } from '../../../values/partition-header.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import type { CqlParts } from '../cql-parts.ts';
import { headerKey, rowKey, rowRange } from '../row-keys.ts';
import type { CurrentRows } from './partition-write.ts';

const page = { maxRows: 100, maxBytes: 2 ** 20, reverse: false };
const maxMoves = 10;

/**
 * The first row of the partition that a reader sees. A condition on static columns that does not hold shows it beside them. With
 * `mustBeMarked`, one that an INSERT made: Cassandra, which reads the static columns alone then, sees no other.
 */
export async function firstLiveRow(
  { throughput: { store } }: CqlParts,
  partition: LogicalPartition,
  nowSeconds: number,
  mustBeMarked: boolean,
): Promise<CurrentRows['rows'][number] | undefined> {
  const { container, ringPosition } = partition;
  const rowsFrom = rowKey(partition, '' as ByteString);
  const { to } = rowRange(partition);
  let from = headerKey(partition);
  let header = emptyHeader;
  for (let moves = 0; moves < maxMoves; ) {
    const physicalPartition = store.mapOf(container)?.ownerOf(ringPosition).id;
    if (physicalPartition === undefined) throw new RingfoldError('container-not-found', { container });
    const outcome = await store.scan({ container, physicalPartition }, { from, to, ...page });
    if (outcome.kind === 'refused') throw outcome.error;
    if (outcome.kind === 'moved') {
      moves++;
      continue;
    }
    for (const { key, value } of outcome.page.rows) {
      const { payload } = decodeStoredItem(value);
      if (key < rowsFrom) {
        header = decodeHeader(payload);
        continue;
      }
      const clusteringKey = key.slice(rowsFrom.length) as ByteString;
      const row = liveView(shadowRow(decodeRow(payload), deletionOf(header, clusteringKey)), nowSeconds);
      const isSeen = row !== undefined && (!mustBeMarked || row.liveness !== undefined);
      if (isSeen) return { clusteringKey, row };
      from = `${key}\0` as ByteString;
    }
    if (outcome.page.complete) return undefined;
  }
  throw new RingfoldError('partition-busy', { moves: maxMoves });
}
