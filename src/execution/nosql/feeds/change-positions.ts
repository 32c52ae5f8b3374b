// Where a reader of several physical partitions is: in each of them somewhere else. As text it is `0=12,3=40,1@1794812008`: after an
// LSN, or since a time where nothing was read yet. Those that are first in it are read first. Readers of all versions have
// `0=12-1794812008`: after an LSN, and since when what comes next may have been written. LSNs are those that clients are told.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { heardLsn, textOfLsn, toldLsn } from '../../../catalog/nosql/told-lsn.ts';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import type { AfterLsn, ChangeStart } from './read-changes.ts';

/** By physical partition, and in this order. */
export type ChangePositions = ReadonlyMap<number, ChangeStart>;

/** Where LSNs are counted from. */
type Told = Pick<ContainerDefinition, 'createdAt'>;

const entryText = /^(\d{1,9})([=@])(\d{1,16})(?:-(\d{1,12}))?$/;
const positionText = /^(\d{1,16})(?:-(\d{1,12}))?$/;

/** In one physical partition. Undefined for what is no position. */
export function changePositionFrom(container: Told, text: string): AfterLsn | undefined {
  const [, lsn, seconds] = positionText.exec(text) ?? [];
  return lsn === undefined ? undefined : afterLsn(container, lsn, seconds);
}

/** Undefined for what is no position. */
export function changePositionsFrom(container: Told, text: string): ChangePositions | undefined {
  const positions = new Map<number, ChangeStart>();
  for (const entry of text.split(',')) {
    const [, id, sign, figure = '', seconds] = entryText.exec(entry) ?? [];
    if (id === undefined || (sign === '@' && seconds !== undefined)) return undefined;
    const isTime = sign === '@';
    const start: ChangeStart | undefined = isTime
      ? { kind: 'time', seconds: Number(figure) }
      : afterLsn(container, figure, seconds);
    if (start === undefined) return undefined;
    positions.set(Number(id), start);
  }
  return positions;
}

function afterLsn(container: Told, told: string, seconds: string | undefined): AfterLsn | undefined {
  if (!Number.isSafeInteger(Number(told))) return undefined;
  const sinceSeconds = seconds === undefined ? undefined : Number(seconds);
  return { kind: 'after', lsn: heardLsn(container, Number(told)), sinceSeconds };
}

export function textOfChangePosition(container: Told, { lsn, sinceSeconds }: Omit<AfterLsn, 'kind'>): string {
  const told = textOfLsn(toldLsn(container, lsn));
  return sinceSeconds === undefined ? told : `${told}-${sinceSeconds}`;
}

export function textOfChangePositions(container: Told, positions: ChangePositions): string {
  return [...positions]
    .map(([id, start]) => {
      if (start.kind === 'time') return `${id}@${Math.floor(start.seconds)}`;
      return `${id}=${start.kind === 'after' ? textOfChangePosition(container, start) : 0}`;
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
  return inherited.find(({ kind }) => kind === 'time') ?? earliestOf(inherited);
}

function earliestOf(starts: readonly ChangeStart[]): ChangeStart | undefined {
  const positions = starts.filter((start) => start.kind === 'after');
  if (positions.length < starts.length) return starts.find(({ kind }) => kind !== 'after');
  const [first, ...others] = positions;
  if (first === undefined) return undefined;
  return others.reduce((earliest, { lsn, sinceSeconds }) => {
    const seconds = [earliest.sinceSeconds, sinceSeconds].filter((known) => known !== undefined);
    return {
      kind: 'after',
      lsn: Math.min(earliest.lsn, lsn),
      sinceSeconds: seconds.length === 0 ? undefined : Math.min(...seconds),
    };
  }, first);
}
