// Where a reader of several physical partitions is: in each of them somewhere else. As text it is `0=12,3=40,1@1794812008`: after an
// LSN, or since a time where nothing was read yet. Those that are first in it are read first.

import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import type { ChangeStart } from './read-changes.ts';

/** By physical partition, and in this order. */
export type ChangePositions = ReadonlyMap<number, ChangeStart>;

const positionsText = /^\d{1,9}[=@]\d{1,15}(,\d{1,9}[=@]\d{1,15})*$/;

/** Undefined for what is no position. */
export function changePositionsFrom(text: string): ChangePositions | undefined {
  if (!positionsText.test(text)) return undefined;
  return new Map(text.split(',').map(positionFrom));
}

function positionFrom(entry: string): [number, ChangeStart] {
  const isTime = entry.includes('@');
  const [id, figure] = entry.split(isTime ? '@' : '=').map(Number) as [number, number];
  return [id, isTime ? { kind: 'time', seconds: figure } : { kind: 'after', lsn: figure }];
}

export function textOfChangePositions(positions: ChangePositions): string {
  return [...positions]
    .map(([id, start]) => {
      if (start.kind === 'time') return `${id}@${Math.floor(start.seconds)}`;
      return `${id}=${start.kind === 'after' ? start.lsn : 0}`;
    })
    .join(',');
}

/**
 * Where to begin in a partition: where the reader was in it, or in what it came from. After a merge that is the earlier of two, so
 * that nothing is missed. Undefined if the reader knew none of them.
 */
export function startIn(map: PartitionMap, id: number, positions: ChangePositions): ChangeStart | undefined {
  const own = positions.get(id);
  if (own !== undefined) return own;
  const inherited = map.ancestorsOf(id).flatMap((ancestor) => positions.get(ancestor) ?? []);
  return (
    inherited.find(({ kind }) => kind === 'time') ??
    inherited.reduce<ChangeStart | undefined>(
      (earliest, start) => (earliest === undefined || lsnOf(start) < lsnOf(earliest) ? start : earliest),
      undefined,
    )
  );
}

function lsnOf(start: ChangeStart): number {
  return start.kind === 'after' ? start.lsn : 0;
}
