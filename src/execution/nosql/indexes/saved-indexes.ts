// What the store of an index says when it is opened.

import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { type ByteString, bytesOf } from '../../../foundation/byte-string.ts';
import type { IndexDirectory } from '../../../storage/index-directory.ts';
import type { StorageEngine } from '../../../storage/storage-engine.ts';
import type { SavedPartition } from './container-indexes.ts';
import { formatKey, numberedKey, numbersIn, rangeOfKind } from './index-keys.ts';
import { IndexSegment } from './index-segment.ts';
import type { PartitionState } from './partition-index.ts';

/** Another form, and what is there is made anew. */
const format = 3;

export interface SavedContainer {
  readonly partitions: Map<number, SavedPartition>;
  readonly segments: readonly IndexSegment[];
  readonly lastSegment: number;
}

export interface OpenedIndex {
  readonly engine: StorageEngine;
  readonly containers: ReadonlyMap<number, SavedContainer>;
  /** Segments that are to be cleared. */
  readonly garbage: readonly IndexSegment[];
}

/** Opens what is there if it is of these rows and can be read; otherwise it is thrown away. `onUnusable` is told why. */
export async function openIndex(
  directory: IndexDirectory,
  clusterId: string,
  onUnusable: (reason: string) => void,
): Promise<OpenedIndex> {
  let engine: StorageEngine | undefined;
  try {
    engine = await directory.open();
    const identity = (await engine.get(formatKey))?.toString();
    if (identity === identityOf(clusterId)) return { engine, ...(await load(engine)) };
    if (identity !== undefined) onUnusable('it is of another format or of other data');
  } catch (error) {
    // Another process has it: that one must not find it gone.
    if (error instanceof RingfoldError && error.code === 'data-directory-in-use') throw error;
    onUnusable(String(error));
  }
  await engine?.close();
  return newIndex(directory, clusterId);
}

/** In place of what was there, which is closed. */
export async function newIndex(directory: IndexDirectory, clusterId: string): Promise<OpenedIndex> {
  await directory.destroy();
  const engine = await directory.open();
  const value = Buffer.from(identityOf(clusterId));
  await engine.write([{ key: bytesOf(formatKey), value }], false);
  return { engine, containers: new Map(), garbage: [] };
}

function identityOf(clusterId: string): string {
  return JSON.stringify({ format, clusterId });
}

interface GrowingContainer extends SavedContainer {
  readonly segments: IndexSegment[];
  lastSegment: number;
}

async function load(engine: StorageEngine): Promise<Omit<OpenedIndex, 'engine'>> {
  const positions = new Map<ByteString, number>();
  for await (const { key, value } of rowsOf(engine, 'position'))
    positions.set(key.slice(1) as ByteString, Number(value.readBigUInt64BE()));
  const containers = new Map<number, GrowingContainer>();
  const savedOf = (container: number): GrowingContainer => {
    const known = containers.get(container) ?? { partitions: new Map(), segments: [], lastSegment: 0 };
    containers.set(container, known);
    return known;
  };
  for await (const { key, value } of rowsOf(engine, 'state')) {
    const { container, number } = numbersIn(key);
    const saved = savedOf(container);
    const { lanes } = JSON.parse(value.toString()) as PartitionState;
    saved.partitions.set(number, { lanes, lsn: positions.get(key.slice(1) as ByteString) ?? -1 });
    for (const { segment } of lanes) {
      saved.lastSegment = Math.max(saved.lastSegment, segment);
      if (saved.segments.some((known) => known.number === segment)) continue;
      const loaded = new IndexSegment(container, segment);
      await loaded.load(engine);
      saved.segments.push(loaded);
    }
  }
  const garbage: IndexSegment[] = [];
  for await (const { key } of rowsOf(engine, 'garbage')) {
    const { container, number } = numbersIn(key);
    const saved = savedOf(container);
    saved.lastSegment = Math.max(saved.lastSegment, number);
    garbage.push(new IndexSegment(container, number));
  }
  return { containers, garbage };
}

async function* rowsOf(
  engine: StorageEngine,
  kind: Parameters<typeof rangeOfKind>[0],
): AsyncGenerator<{ readonly key: ByteString; readonly value: Buffer }> {
  const iterator = engine.iterate(rangeOfKind(kind));
  try {
    for (
      let rows = await iterator.next(500, 2 ** 20);
      rows.length > 0;
      rows = await iterator.next(500, 2 ** 20)
    )
      yield* rows;
  } finally {
    await iterator.close();
  }
}

export function garbageKey({ container, number }: IndexSegment): Buffer {
  return bytesOf(numberedKey('garbage', container, number));
}
