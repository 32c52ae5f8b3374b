// The change feed of what several physical partitions keep, for clients that name none of them. A page has the changes of one, and
// the position is the positions of all.

import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { currentMap, movedAgain, type PartitionMaps } from '../../../routing/find-partition.ts';
import { fromHundredths, hundredthsOf } from '../../../throughput/request-units.ts';
import { type ChangePositions, startIn, textOfChangePositions } from './change-positions.ts';
import type { ChangeKind } from './change-segment.ts';
import { partsOfScope } from './feed-scope.ts';
import type { AfterLsn, ChangeFeeds, ChangeStart, ChangesPage, ChangesRequest } from './read-changes.ts';

export type AllChangesRequest = Omit<ChangesRequest, 'start'> & {
  /** The same for all, or where the reader is in each. */
  readonly start: ChangeStart | ChangePositions;
};

export type AllChangesPage = Omit<ChangesPage, 'position'> & { readonly position: string };

/** Undefined for positions that are of another container. */
export async function readChangesOfAll(
  feeds: ChangeFeeds,
  maps: PartitionMaps,
  request: AllChangesRequest,
): Promise<AllChangesPage | undefined> {
  for (let moves = 0; ; moves = movedAgain(moves)) {
    try {
      return await readInTurn(feeds, maps, request);
    } catch (error) {
      // One of them was split on the way. Nothing was shown yet.
      if (!(error instanceof RingfoldError) || error.code !== 'partition-range-gone') throw error;
    }
  }
}

async function readInTurn(
  feeds: ChangeFeeds,
  maps: PartitionMaps,
  request: AllChangesRequest,
): Promise<AllChangesPage | undefined> {
  const { container } = request.container;
  const map = currentMap(maps, container);
  const ranges = new Map(
    partsOfScope(container, map, request.scope).map(({ partition, range }) => [partition.id, range]),
  );
  const positions = new Map<number, ChangeStart>();
  for (const id of inOrder([...ranges.keys()], request.start)) {
    const start = 'kind' in request.start ? request.start : startIn(map, id, request.start);
    if (start === undefined) return undefined;
    positions.set(id, start);
  }
  let hundredths = 0;
  let page: ChangesPage | undefined;
  for (const [id, start] of [...positions]) {
    const range = ranges.get(id);
    if (range === undefined) continue;
    page = await feeds.read({ ...request, scope: { range, logicalPartition: undefined }, start });
    hundredths += hundredthsOf(page.chargeRu);
    // Behind the others: one that is written to all the time does not keep them waiting.
    positions.delete(id);
    positions.set(id, positionAfter(request.kind, page));
    if (page.changes.length > 0) break;
  }
  if (page === undefined) return undefined;
  return {
    ...page,
    position: textOfChangePositions(request.container, positions),
    chargeRu: fromHundredths(hundredths),
  };
}

/** Where a page ended. */
export function positionAfter(
  kind: ChangeKind,
  { position, positionSeconds }: Pick<ChangesPage, 'position' | 'positionSeconds'>,
): AfterLsn {
  return { kind: 'after', lsn: position, sinceSeconds: kind === 'change' ? positionSeconds : undefined };
}

/** Those that the reader knows as it knows them, then the others. */
function inOrder(ids: readonly number[], start: ChangeStart | ChangePositions): number[] {
  if ('kind' in start) return [...ids];
  const known = [...start.keys()].filter((id) => ids.includes(id));
  return [...known, ...ids.filter((id) => !start.has(id))];
}
