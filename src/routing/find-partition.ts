// A request looks its physical partition up in the map, and by the time it uses it, that may have been split or merged: then it looks
// again, but not for ever.

import { RingfoldError } from '../errors/ringfold-error.ts';
import type { PartitionMap } from '../partitioning/partition-map.ts';
import type { RingPosition } from '../partitioning/ring-position.ts';
import type { PartitionAddress } from '../storage/partition-store.ts';

/** Where partition maps are looked up. */
export interface PartitionMaps {
  mapOf(container: number): PartitionMap | undefined;
}

/** Each is a split or a merge that happened between looking at the map and using it. */
const maxMoves = 10;

export function currentMap(maps: PartitionMaps, container: number): PartitionMap {
  const map = maps.mapOf(container);
  if (map === undefined) throw new RingfoldError('container-not-found', { container });
  return map;
}

export function addressAt(
  maps: PartitionMaps,
  container: number,
  ringPosition: RingPosition,
): PartitionAddress {
  return { container, physicalPartition: currentMap(maps, container).ownerOf(ringPosition).id };
}

/** How often it has moved by now, after so many times before. Throws when that is too often. */
export function movedAgain(moves: number): number {
  if (moves + 1 >= maxMoves) throw new RingfoldError('partition-busy', { moves: moves + 1 });
  return moves + 1;
}

/** Makes the attempt at wherever the position is; undefined means that it was not there any more, and nothing was done. */
export async function whereverItIs<T>(
  maps: PartitionMaps,
  { container, ringPosition }: { readonly container: number; readonly ringPosition: RingPosition },
  attempt: (address: PartitionAddress) => Promise<T | undefined>,
): Promise<T> {
  for (let moves = 0; ; moves = movedAgain(moves)) {
    const done = await attempt(addressAt(maps, container, ringPosition));
    if (done !== undefined) return done;
  }
}
