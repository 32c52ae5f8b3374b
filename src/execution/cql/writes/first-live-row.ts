import { type ByteString, keyAfter } from '../../../foundation/byte-string.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import type { RowPage } from '../../../storage/partition-store.ts';
import { chargedFailure } from '../../../throughput/charged-failure.ts';
import { fromHundredths, hundredthsOf, type RequestUnits } from '../../../throughput/request-units.ts';
import { liveView, shadowRow } from '../../../values/cql-row.ts';
import { decodeRow } from '../../../values/cql-row-codec.ts';
import { decodeHeader, deletionOf, emptyHeader } from '../../../values/partition-header.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import type { CqlParts } from '../cql-parts.ts';
import { queryTraits } from '../reads/read-charges.ts';
import { headerKey, rowKey, rowRange } from '../row-keys.ts';
import { type Looked, lookForWrite } from './look-for-write.ts';
import type { CurrentRows } from './partition-write.ts';

const page = { maxRows: 100, maxBytes: 2 ** 20, reverse: false };

interface FirstLiveRow {
  readonly first: CurrentRows['rows'][number] | undefined;
  readonly chargeRu: RequestUnits;
}

/**
 * The first row of the partition that a reader sees. A condition on static columns that does not hold shows it beside them. With
 * `mustBeMarked`, one that an INSERT made: Cassandra, which reads the static columns alone then, sees no other.
 */
export async function firstLiveRow(
  parts: CqlParts,
  partition: LogicalPartition,
  nowSeconds: number,
  mustBeMarked: boolean,
): Promise<FirstLiveRow> {
  const rowsFrom = rowKey(partition, '' as ByteString);
  let from = headerKey(partition);
  let header = emptyHeader;
  let hundredths = 0;
  try {
    for (;;) {
      const next = await readPage(parts, partition, from);
      hundredths += hundredthsOf(next.chargeRu);
      const chargeRu = fromHundredths(hundredths);
      for (const { key, value } of next.found.rows) {
        const { payload } = decodeStoredItem(value);
        from = keyAfter(key);
        if (key < rowsFrom) {
          header = decodeHeader(payload);
          continue;
        }
        const clusteringKey = key.slice(rowsFrom.length) as ByteString;
        const row = liveView(shadowRow(decodeRow(payload), deletionOf(header, clusteringKey)), nowSeconds);
        const isSeen = row !== undefined && (!mustBeMarked || row.liveness !== undefined);
        if (isSeen) return { first: { clusteringKey, row }, chargeRu };
      }
      if (next.found.complete) return { first: undefined, chargeRu };
    }
  } catch (error) {
    throw chargedFailure(error, fromHundredths(hundredths));
  }
}

function readPage(parts: CqlParts, partition: LogicalPartition, from: ByteString): Promise<Looked<RowPage>> {
  const { store } = parts.throughput;
  const { to } = rowRange(partition);
  return lookForWrite(parts, partition, queryTraits, async (address, meter) => {
    const outcome = await store.scan(address, { from, to, ...page });
    if (outcome.kind === 'refused') throw outcome.error;
    if (outcome.kind === 'moved') return undefined;
    const { rows } = outcome.page;
    meter.add({
      kind: 'query',
      // The write has paid for the visit.
      partitionsVisited: 0,
      itemsLoaded: rows.length,
      bytesLoaded: rows.reduce((sum, { value }) => sum + value.length, 0),
      itemsReturned: 0,
      bytesReturned: 0,
      extraSeeks: 0,
      indexTermsScanned: 0,
      joinTuples: 0,
      udfCalls: 0,
      consistencyMultiplier: 1,
    });
    return outcome.page;
  });
}
