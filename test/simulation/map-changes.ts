import { RingfoldError } from '../../src/errors/ringfold-error.ts';
import { integerBetween, type Random } from '../../src/foundation/random.ts';
import type { PartitionMap } from '../../src/partitioning/partition-map.ts';
import type { NodeId } from '../../src/partitioning/replica-set.ts';
import { ringEnd, ringStart } from '../../src/partitioning/ring-position.ts';
import type { ScrubReport } from '../../src/replication/scrub.ts';
import { hasNewestMaps, type SimulatedCluster, type StoreLife } from './simulated-cluster.ts';
import { Violation } from './violation.ts';

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Splits, merges, moves and scrubs at random moments, and what is known of the maps: a map never goes back. */
export class MapChanges {
  readonly #cluster: SimulatedCluster;
  readonly #random: Random;
  readonly #onViolation: (violation: unknown) => void;
  /** The newest version that anyone was told of, by container. */
  readonly #versions = new Map<number, number>();
  /** The life in which a change is under way. */
  #changing: StoreLife | undefined;
  isOver = false;

  constructor(cluster: SimulatedCluster, onViolation: (violation: unknown) => void) {
    this.#cluster = cluster;
    this.#random = cluster.random;
    this.#onViolation = onViolation;
  }

  get isChanging(): boolean {
    return this.#changing !== undefined && this.#changing === this.#cluster.life;
  }

  run(life: StoreLife): void {
    life.process.after(10 + this.#random.next() * 150, () => {
      if (this.isOver) return;
      this.#changing = life;
      const changed = this.#change(life).finally(() => {
        this.#changing = undefined;
      });
      changed.then(
        () => this.run(life),
        (error) => {
          // What is under way when the store stops may end in any way.
          if (this.#cluster.life !== life) return;
          if (error instanceof RingfoldError) this.run(life);
          else if (error instanceof Violation) this.#onViolation(error);
          else this.#onViolation(new Violation('a change of the map is refused with a code', stackOf(error)));
        },
      );
    });
  }

  /**
   * All maps of a store that has just opened. With too few nodes for the system partition they may be old; with too few for a partition they
   * may say of it what was never acknowledged.
   */
  checkAll(life: StoreLife): void {
    if (!hasNewestMaps(life)) return;
    const { store } = life;
    const { partitions } = store.status();
    for (const container of store.containers()) {
      const own = partitions.filter((partition) => partition.container === container);
      const isCertain = own.every(({ state }) => state === 'serving' || state === 'frozen');
      const map = store.mapOf(container);
      if (map !== undefined && isCertain) this.check(map);
    }
  }

  /** A map covers the ring without gap or overlap, and no version that was told is forgotten. */
  check(map: PartitionMap): void {
    const { container, version, partitions } = map;
    let end = ringStart;
    for (const { range } of partitions) {
      if (range.min !== end) throw new Violation('a map has no gap and no overlap', `container ${container}`);
      end = range.max;
    }
    if (end !== ringEnd) throw new Violation('a map covers the ring', `container ${container}`);
    const known = this.#versions.get(container) ?? 0;
    if (version < known) {
      throw new Violation(
        'a map never goes back',
        `container ${container} from version ${known} to ${version}`,
      );
    }
    this.#versions.set(container, version);
  }

  checkScrub(report: ScrubReport): void {
    if (report.differences === 0 || this.#cluster.rowsMayDiffer) return;
    throw new Violation('replicas differ only where a row was damaged', JSON.stringify(report));
  }

  async #change(life: StoreLife): Promise<void> {
    const dice = this.#random.next();
    if (dice < 0.25) {
      this.checkScrub(await life.store.scrub());
      return;
    }
    const containers = life.store.containers();
    const container = containers[integerBetween(this.#random, 0, containers.length - 1)];
    const map = container === undefined ? undefined : life.store.mapOf(container);
    if (map === undefined) return;
    if (dice < 0.5) this.#told('split', await this.#split(life, map));
    else if (dice < 0.7) this.#told('merge', await this.#merge(life, map));
    else this.#told('move', await this.#move(life, map));
  }

  #split(life: StoreLife, map: PartitionMap): Promise<PartitionMap> | undefined {
    if (map.partitions.length > 4) return undefined;
    const { id } = this.#pick(map.partitions);
    this.#note(`split ${map.container}/${id}`);
    return life.store.splitPartition(map.container, id, this.#random.next() < 0.5 ? 'midpoint' : 'median');
  }

  #merge(life: StoreLife, map: PartitionMap): Promise<PartitionMap> | undefined {
    const at = integerBetween(this.#random, 0, map.partitions.length - 2);
    const left = map.partitions[at];
    const right = map.partitions[at + 1];
    if (left === undefined || right === undefined) return undefined;
    this.#note(`merge ${map.container}/${left.id} and ${right.id}`);
    return life.store.mergePartitions(map.container, left.id, right.id);
  }

  #move(life: StoreLife, map: PartitionMap): Promise<PartitionMap> | undefined {
    const { id, replicaSet } = this.#pick(map.partitions);
    const others = this.#cluster.nodes.filter((node) => !replicaSet.members.includes(node.id));
    if (others.length === 0) return undefined;
    const from = this.#pick(replicaSet.members) as NodeId;
    const to = this.#pick(others).id;
    this.#note(`move ${map.container}/${id} from ${from} to ${to}`);
    return life.store.moveReplica(map.container, id, from, to);
  }

  #told(what: string, map: PartitionMap | undefined): void {
    if (map === undefined) return;
    this.#note(`${what} done: ${map.container} at version ${map.version}`);
    this.check(map);
  }

  #note(what: string): void {
    this.#cluster.history.add('map', what);
  }

  #pick<T>(items: readonly T[]): T {
    return items[integerBetween(this.#random, 0, items.length - 1)] as T;
  }
}
