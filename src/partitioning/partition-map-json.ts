// The stored form of a partition map. Reading it back trusts nothing: a map with a gap would lose a key without a word.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { byteStringFromHex, hexOf } from '../foundation/byte-string.ts';
import type { PhysicalPartition, RetiredPartition, ThroughputPolicy } from './physical-partition.ts';
import { type NodeId, replicaSet } from './replica-set.ts';
import { ringEnd, ringStart } from './ring-position.ts';
import { canonicalBoundary, type RingRange, ringRange } from './ring-range.ts';

/** All that a map is made of. */
export interface PartitionMapFields {
  /** The container's generation. */
  readonly container: number;
  /** Grows by one with every change. */
  readonly version: number;
  /** The id that the next new partition gets. */
  readonly nextId: number;
  readonly throughputPolicy: ThroughputPolicy;
  /** In ring order. */
  readonly partitions: readonly PhysicalPartition[];
  /** In the order in which they were retired. */
  readonly retired: readonly RetiredPartition[];
}

/** Boundaries in hexadecimal. */
export interface PartitionMapJson {
  readonly container: number;
  readonly version: number;
  readonly nextId: number;
  readonly throughputPolicy: ThroughputPolicy;
  readonly partitions: readonly PartitionJson[];
  readonly retired: readonly RetiredJson[];
}

interface PartitionJson {
  readonly id: number;
  readonly min: string;
  readonly max: string;
  readonly members: readonly number[];
  readonly generation: number;
  readonly parents: readonly number[];
  readonly startLsn: number;
  readonly sessionVersion: number;
  readonly throughputFraction: number;
}

interface RetiredJson {
  readonly id: number;
  readonly min: string;
  readonly max: string;
  readonly children: readonly number[];
  readonly endLsn: number;
}

export function encodePartitionMap(map: PartitionMapFields): PartitionMapJson {
  return {
    container: map.container,
    version: map.version,
    nextId: map.nextId,
    throughputPolicy: map.throughputPolicy,
    partitions: map.partitions.map((partition) => ({
      id: partition.id,
      ...encodeRange(partition.range),
      members: partition.replicaSet.members,
      generation: partition.replicaSet.generation,
      parents: partition.parents,
      startLsn: partition.startLsn,
      sessionVersion: partition.sessionVersion,
      throughputFraction: partition.throughputFraction,
    })),
    retired: map.retired.map(({ id, range, children, endLsn }) => ({
      id,
      ...encodeRange(range),
      children,
      endLsn,
    })),
  };
}

function encodeRange(range: RingRange): { readonly min: string; readonly max: string } {
  return { min: hexOf(range.min), max: hexOf(range.max) };
}

export function decodePartitionMap(json: unknown): PartitionMapFields {
  const map = objectOf<PartitionMapJson>(json);
  const throughputPolicy = map.throughputPolicy;
  if (throughputPolicy !== 'equal' && throughputPolicy !== 'custom')
    throw corrupt('unknown throughput policy');
  const fields: PartitionMapFields = {
    container: countOf(map.container),
    version: countOf(map.version),
    nextId: countOf(map.nextId),
    throughputPolicy,
    partitions: arrayOf(map.partitions, decodePartition),
    retired: arrayOf(map.retired, decodeRetired),
  };
  checkCover(fields.partitions);
  checkLineage(fields);
  return fields;
}

function decodePartition(json: unknown): PhysicalPartition {
  const partition = objectOf<PartitionJson>(json);
  const members = arrayOf(partition.members, countOf);
  if (members.length === 0 || new Set(members).size !== members.length)
    throw corrupt('replicas share a node');
  const throughputFraction = partition.throughputFraction;
  if (typeof throughputFraction !== 'number' || !(throughputFraction > 0 && throughputFraction <= 1)) {
    throw corrupt('not a share of throughput');
  }
  return {
    id: countOf(partition.id),
    range: decodeRange(partition),
    replicaSet: replicaSet(members as NodeId[], countOf(partition.generation)),
    parents: arrayOf(partition.parents, countOf),
    startLsn: countOf(partition.startLsn),
    sessionVersion: countOf(partition.sessionVersion),
    throughputFraction,
  };
}

function decodeRetired(json: unknown): RetiredPartition {
  const retired = objectOf<RetiredJson>(json);
  return {
    id: countOf(retired.id),
    range: decodeRange(retired),
    children: arrayOf(retired.children, countOf),
    endLsn: countOf(retired.endLsn),
  };
}

function decodeRange(json: Unchecked<RetiredJson>): RingRange {
  const [min, max] = [json.min, json.max].map((hex) => {
    if (typeof hex !== 'string' || !/^([0-9A-F]{2})*$/.test(hex)) throw corrupt('not hexadecimal');
    return canonicalBoundary(byteStringFromHex(hex));
  });
  if (min === undefined || max === undefined || min >= max) throw corrupt('an empty range');
  return ringRange(min, max);
}

function checkCover(partitions: readonly PhysicalPartition[]): void {
  let covered = ringStart;
  for (const { range } of partitions) {
    if (range.min !== covered)
      throw corrupt(range.min > covered ? 'a gap in the ring' : 'partitions overlap');
    covered = range.max;
  }
  if (covered !== ringEnd) throw corrupt('the end of the ring is not covered');
}

/** Ids are given once and in order, parents are retired, and every retired partition leads to a current one. */
function checkLineage({ partitions, retired, nextId }: PartitionMapFields): void {
  const ids = [...partitions, ...retired].map((partition) => partition.id);
  const known = new Set(ids);
  if (known.size !== ids.length) throw corrupt('an id is used twice');
  if (ids.some((id) => id >= nextId)) throw corrupt('an id was never given');

  const retiredIds = new Set<number>();
  for (const { id, children } of retired) {
    if (
      children.length === 0 ||
      children.some((child) => child <= id || !known.has(child) || retiredIds.has(child))
    ) {
      throw corrupt('a retired partition has no heirs');
    }
    retiredIds.add(id);
  }
  if (partitions.some(({ parents }) => parents.some((parent) => !retiredIds.has(parent)))) {
    throw corrupt('a parent is unknown');
  }
}

/** What is hoped to be a T, with nothing known of its fields. */
type Unchecked<T> = { readonly [Field in keyof T]?: unknown };

function objectOf<T>(json: unknown): Unchecked<T> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw corrupt('not an object');
  return json as Unchecked<T>;
}

function arrayOf<T>(json: unknown, decode: (element: unknown) => T): T[] {
  if (!Array.isArray(json)) throw corrupt('not an array');
  return json.map((element: unknown) => decode(element));
}

function countOf(json: unknown): number {
  if (typeof json !== 'number' || !Number.isSafeInteger(json) || json < 0)
    throw corrupt('not a whole number');
  return json;
}

function corrupt(reason: string): RingfoldError {
  return new RingfoldError('corrupt-data', { what: 'partition map', reason });
}
