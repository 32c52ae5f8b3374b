// How much a container holds, for who asks: items are counted by walking them, up to a limit; of a container with more than that, what is
// beyond is estimated from the bytes the store says it has.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { type ByteString, keyAfter } from '../../../foundation/byte-string.ts';
import { keyRangeOf, partitionKeyIn } from '../../../partitioning/logical-partition.ts';
import type { PhysicalPartition } from '../../../partitioning/physical-partition.ts';
import { currentMap } from '../../../routing/find-partition.ts';
import type { RowPage } from '../../../storage/partition-store.ts';
import { scannedItem } from '../feeds/scanned-item.ts';
import { shownBytesOf } from '../items/item-text.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { visibilityIn } from '../visibility.ts';

export interface PartitionFigures {
  readonly id: number;
  readonly items: number;
  /** Of the items as clients see them. */
  readonly itemBytes: number;
  /** Of all that is stored, once and not for each replica. */
  readonly storedBytes: number;
  readonly logicalPartitions: number;
  /** The largest ones, by the bytes of their keys. */
  readonly largest: readonly { readonly key: ByteString; readonly bytes: number }[];
}

const maxRowsCounted = 50_000;
const rowsAtOnce = 2_000;
const bytesAtOnce = 2 ** 20;
const shownLargest = 3;

export async function containerFigures(
  parts: NosqlParts,
  container: ContainerDefinition,
  maxRows: number = maxRowsCounted,
): Promise<readonly PartitionFigures[]> {
  const { store } = parts.throughput;
  const map = currentMap(store, container.container);
  const sizes = await store.sizesOf(container.container);
  const share = Math.ceil(maxRows / map.partitions.length);
  const figures: PartitionFigures[] = [];
  for (const partition of map.partitions)
    figures.push(await countPartition(parts, container, partition, sizes.get(partition.id) ?? 0, share));
  return figures;
}

interface Count {
  items: number;
  itemBytes: number;
  /** Of the rows looked at, with their keys: what the store's size is made of. */
  rowBytes: number;
  rows: number;
  readonly byKey: Map<ByteString, number>;
}

async function countPartition(
  parts: NosqlParts,
  container: ContainerDefinition,
  { id, range }: PhysicalPartition,
  sizeBytes: number,
  maxRows: number,
): Promise<PartitionFigures> {
  const isVisible = visibilityIn(parts, container);
  const count: Count = { items: 0, itemBytes: 0, rowBytes: 0, rows: 0, byKey: new Map() };
  const { from, to } = keyRangeOf(container.container, range);
  let isComplete = false;
  for (let next = from; !isComplete && count.rows < maxRows; ) {
    const page = await pageOf(parts, container.container, id, next, to);
    // It has been split meanwhile: what was counted of it is what there is to say.
    if (page === undefined) break;
    for (const row of page.rows) {
      count.rows++;
      count.rowBytes += row.key.length + row.value.length;
      const found = scannedItem(row, isVisible);
      if (found !== undefined)
        add(count, partitionKeyIn(row.key, container.partitionKey), shownBytesOf(found.item));
    }
    const last = page.rows.at(-1);
    isComplete = page.complete || last === undefined;
    if (last !== undefined) next = keyAfter(last.key);
  }
  const times = isComplete || count.rowBytes === 0 ? 1 : Math.max(1, sizeBytes / count.rowBytes);
  return {
    id,
    items: Math.round(count.items * times),
    itemBytes: Math.round(count.itemBytes * times),
    // The newest may not be in the store's own figure yet.
    storedBytes: Math.max(sizeBytes, count.rowBytes),
    logicalPartitions: Math.round(count.byKey.size * times),
    largest: [...count.byKey]
      .map(([key, bytes]) => ({ key, bytes }))
      .sort((one, other) => other.bytes - one.bytes)
      .slice(0, shownLargest),
  };
}

function add(count: Count, key: ByteString, bytes: number): void {
  count.items++;
  count.itemBytes += bytes;
  count.byKey.set(key, (count.byKey.get(key) ?? 0) + bytes);
}

async function pageOf(
  { throughput }: NosqlParts,
  container: number,
  physicalPartition: number,
  from: ByteString,
  to: ByteString,
): Promise<RowPage | undefined> {
  const scan = { from, to, maxRows: rowsAtOnce, maxBytes: bytesAtOnce, reverse: false };
  const outcome = await throughput.store.scan({ container, physicalPartition }, scan);
  if (outcome.kind === 'refused') throw outcome.error;
  return outcome.kind === 'read' ? outcome.page : undefined;
}
