// Physical partitions as SDKs see them. Most read them as a change feed: with the ETag of the last answer until they get a 304.

import { toldLsn } from '../../../catalog/nosql/told-lsn.ts';
import { type EpkKind, epkBoundaryToHex } from '../../../partitioning/effective-partition-key.ts';
import { currentMap } from '../../../routing/find-partition.ts';
import { rangeRid } from '../../../values/resource-id.ts';
import { containerAt } from '../container-at.ts';
import { containerSelf } from '../definitions/shown-definitions.ts';
import { chargeHeader } from '../headers.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';
import { headerOf } from '../request-options.ts';

export const listPartitionKeyRanges: NosqlHandler<NosqlContext> = (request, context) => {
  const { throughput } = context.parts;
  const container = containerAt(request, context);
  const map = currentMap(throughput.store, container.container);
  const etag = `"${map.version}"`;
  const work = { kind: 'read-definition', itemBytes: 0, consistencyMultiplier: 1 } as const;
  const headers = { etag, ...chargeHeader(work, throughput.prices) };
  if (headerOf(request, 'if-none-match') === etag) return { status: 304, headers, body: undefined };
  const kind = container.partitionKey.hashKind as EpkKind;
  const ranges = map.partitions.map((partition) => {
    const rid = rangeRid(container.rid, partition.id);
    return {
      _rid: rid,
      id: String(partition.id),
      _etag: etag,
      minInclusive: epkBoundaryToHex(kind, partition.range.min),
      maxExclusive: epkBoundaryToHex(kind, partition.range.max),
      ridPrefix: partition.id,
      _self: `${containerSelf(container)}pkranges/${rid}/`,
      throughputFraction: partition.throughputFraction,
      status: 'online',
      parents: map.ancestorsOf(partition.id).map(String),
      _ts: container.ts,
      _lsn: toldLsn(
        container,
        throughput.store.committedLsn({ container: container.container, physicalPartition: partition.id }) ??
          0,
      ),
    };
  });
  const body = JSON.stringify({ _rid: container.rid, PartitionKeyRanges: ranges, _count: ranges.length });
  return { status: 200, headers: { ...headers, 'x-ms-item-count': String(ranges.length) }, body };
};
