// What has to be done for an index besides following commits: partitions and policies that have changed, items to be looked through,
// segments to be cleared. One thing at a time, in the background.

import type { NosqlCatalog } from '../../../catalog/nosql/nosql-catalog.ts';
import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { BackgroundWork } from '../../../foundation/background-work.ts';
import { type ByteString, bytesOf, keyAfter } from '../../../foundation/byte-string.ts';
import type { Rests } from '../../../foundation/rests.ts';
import type { PartitionMap } from '../../../partitioning/partition-map.ts';
import type { PartitionStore } from '../../../storage/partition-store.ts';
import type { EngineRow, EngineWrite, StorageEngine } from '../../../storage/storage-engine.ts';
import type { ContainerIndexes } from './container-indexes.ts';
import { hasIndex } from './covered-orders.ts';
import { numberedKey } from './index-keys.ts';
import type { IndexLane } from './index-lane.ts';
import type { IndexSegment } from './index-segment.ts';
import { type IndexWriter, stateWrites } from './index-writer.ts';
import { lookThrough } from './look-through.ts';
import type { PartitionIndex } from './partition-index.ts';
import { garbageKey } from './saved-indexes.ts';

interface CareParts {
  readonly store: Pick<PartitionStore, 'scan'> & { mapOf(container: number): PartitionMap | undefined };
  readonly catalog: Pick<NosqlCatalog, 'containerOf'>;
  readonly rests: Rests;
  readonly nextTurn: () => Promise<void>;
  readonly background: BackgroundWork;
  readonly containers: () => readonly ContainerIndexes[];
  readonly forget: (container: number) => void;
  readonly writer: () => IndexWriter | undefined;
  readonly onFailure: (writer: IndexWriter, error: unknown) => void;
}

/** After rows could not be read: too few replicas, or a partition that is just moving. */
const retryMs = 200;

interface Tended {
  readonly definition: ContainerDefinition;
  readonly map: PartitionMap | undefined;
}

export class IndexCare {
  readonly #parts: CareParts;
  /** As it was when it was last looked after: there is nothing to do while it is the same. */
  readonly #tended = new WeakMap<ContainerIndexes, Tended>();
  #isLooking = false;

  constructor(parts: CareParts) {
    this.#parts = parts;
  }

  tendAll(): void {
    for (const of of this.#parts.containers()) {
      const definition = this.#parts.catalog.containerOf(of.container);
      if (definition === undefined) this.#drop(of);
      else this.tend(of, definition);
    }
  }

  /** Brings it to the policy and the map of now. Asked by every query. */
  tend(of: ContainerIndexes, definition: ContainerDefinition): void {
    const map = this.#parts.store.mapOf(of.container);
    const tended = this.#tended.get(of);
    if (tended?.definition === definition && tended.map === map) return;
    const ended = of.settle(definition, false);
    if (ended === undefined) return;
    this.#tended.set(of, { definition, map });
    let isChanged = ended.length > 0 || tended?.map !== map;
    for (const partition of of.partitions) {
      const isIndexed = partition.lanes.length > 0;
      // Where a stop or a crash came between the end of the look and this.
      if (keepNewest(partition)) isChanged = true;
      if (isIndexed !== hasIndex(definition.indexingPolicy)) of.beginAgain(partition, definition);
      else if (!partition.setPolicy(definition.indexingPolicy)) continue;
      isChanged = true;
    }
    if (isChanged) this.#save(of, ended);
    this.look();
  }

  #drop(of: ContainerIndexes): void {
    const ended = of.partitions.map(({ address }) => address.physicalPartition);
    const stored = of.end();
    this.#save(of, [...ended, ...stored]);
    this.#parts.forget(of.container);
  }

  /** States first, and what is no longer used with them as garbage. */
  #save(of: ContainerIndexes, ended: readonly number[]): void {
    const unused = of.takeUnused();
    const saved = [...of.partitions];
    if (unused.length === 0 && ended.length === 0 && saved.length === 0) return;
    this.#write(async (writer) => {
      const writes: EngineWrite[] = saved.flatMap((partition) => stateWrites(partition));
      for (const id of ended)
        for (const kind of ['state', 'position'] as const)
          writes.push({ key: bytesOf(numberedKey(kind, of.container, id)), value: undefined });
      for (const segment of unused) writes.push({ key: garbageKey(segment), value: Buffer.alloc(0) });
      await writer.engine.write(writes, false);
    });
    this.clear(unused);
  }

  /** Entries of segments that nobody reads any more. */
  clear(segments: readonly IndexSegment[]): void {
    for (const segment of segments) {
      const writer = this.#parts.writer();
      if (writer === undefined) return;
      this.#parts.background.add(
        this.#clear(writer, segment).catch((error) => this.#parts.onFailure(writer, error)),
      );
    }
  }

  /** Some at a time, since commits are taken in between. The mark goes last, so that a crash leaves it to be done again. */
  async #clear(writer: IndexWriter, segment: IndexSegment): Promise<void> {
    const { from, to } = segment.keys.all;
    for (let start = from; !this.#parts.rests.isOver && this.#parts.writer() === writer; ) {
      const rows = await rowsIn(writer.engine, start, to);
      const writes: EngineWrite[] = rows.map(({ key }) => ({ key: bytesOf(key), value: undefined }));
      const last = rows.at(-1);
      if (last === undefined) writes.push({ key: garbageKey(segment), value: undefined });
      await writer.inTurn(() => writer.engine.write(writes, false));
      if (last === undefined) return;
      start = keyAfter(last.key);
      await this.#parts.nextTurn();
    }
  }

  #write(work: (writer: IndexWriter) => Promise<void>): void {
    const writer = this.#parts.writer();
    if (writer === undefined) return;
    this.#parts.background.add(
      writer.inTurn(() => work(writer)).catch((error) => this.#parts.onFailure(writer, error)),
    );
  }

  /** Looks through whatever has to be, unless somebody is at it. */
  look(): void {
    if (this.#isLooking || this.#parts.rests.isOver) return;
    this.#isLooking = true;
    this.#parts.background.add(this.#lookThroughAll());
  }

  async #lookThroughAll(): Promise<void> {
    const { rests } = this.#parts;
    try {
      for (let next = this.#next(); next !== undefined && !rests.isOver; next = this.#next())
        if (!(await this.#lookThrough(next.of, next.partition, next.lane))) await rests.rest(retryMs);
    } finally {
      // In the turn in which nothing was found, so that what comes in the next is not left lying.
      this.#isLooking = false;
    }
  }

  /** What queries wait for most comes first. */
  #next(): { of: ContainerIndexes; partition: PartitionIndex; lane: IndexLane } | undefined {
    if (this.#parts.writer() === undefined) return undefined;
    const unfinished = this.#parts
      .containers()
      .flatMap((of) =>
        of.partitions.flatMap((partition) =>
          partition.lanes.filter(({ rest }) => rest !== undefined).map((lane) => ({ of, partition, lane })),
        ),
      );
    return (
      unfinished.find(({ partition }) => partition.serving === undefined) ??
      unfinished.find(({ lane }) => lane.isCurrent) ??
      unfinished[0]
    );
  }

  /** False if it has to be tried again later. */
  async #lookThrough(of: ContainerIndexes, partition: PartitionIndex, lane: IndexLane): Promise<boolean> {
    const { store, catalog, rests, nextTurn, onFailure } = this.#parts;
    const writer = this.#parts.writer();
    if (writer === undefined) return false;
    try {
      const outcome = await lookThrough(partition, lane, {
        store,
        writer,
        container: () => catalog.containerOf(of.container),
        pause: async () => {
          await nextTurn();
          return !rests.isOver;
        },
      });
      if (outcome === 'done' && keepNewest(partition)) this.#save(of, []);
      if (outcome === 'moved') {
        const definition = catalog.containerOf(of.container);
        if (definition === undefined) this.#drop(of);
        else this.tend(of, definition);
      }
      return outcome === 'done' || outcome === 'stopped';
    } catch (error) {
      onFailure(writer, error);
      return false;
    }
  }
}

/** Once its own segment is complete, what it shared with others is theirs alone; whether it has just come to that. */
function keepNewest(partition: PartitionIndex): boolean {
  const newest = partition.lanes.at(-1);
  if (partition.lanes.length < 2 || newest?.rest !== undefined || newest?.isCurrent !== true) return false;
  partition.setLanes([newest]);
  return true;
}

const maxCleared = 500;

async function rowsIn(
  engine: StorageEngine,
  from: ByteString,
  to: ByteString,
): Promise<readonly EngineRow[]> {
  const iterator = engine.iterate({ from, to });
  try {
    return await iterator.next(maxCleared, 2 ** 20);
  } finally {
    await iterator.close();
  }
}
