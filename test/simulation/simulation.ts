import { type ByteString, hexOf } from '../../src/foundation/byte-string.ts';
import { integerBetween } from '../../src/foundation/random.ts';
import { initialBoundaries } from '../../src/partitioning/initial-layout.ts';
import { keyRangeOf } from '../../src/partitioning/logical-partition.ts';
import { partitionKeyDefinition } from '../../src/partitioning/partition-key.ts';
import type { PartitionMap } from '../../src/partitioning/partition-map.ts';
import type { PlantedFault } from '../../src/replication/store-settings.ts';
import { FaultSchedule } from './faults.ts';
import { MapChanges } from './map-changes.ts';
import { describe, SimulatedCluster, type StoreLife } from './simulated-cluster.ts';
import type { SimulatedNode } from './simulated-node.ts';
import { Supervisor } from './supervisor.ts';
import { Violation } from './violation.ts';
import { Workload } from './workload.ts';

export interface SimulationResult {
  readonly seed: number;
  /** Undefined when the store kept all its promises. */
  readonly violation: unknown;
  readonly digest: string;
  readonly operations: number;
  readonly events: number;
  readonly lives: number;
  readonly simulatedMs: number;
  readonly history: readonly string[];
}

const keyDefinition = partitionKeyDefinition('cql', ['key']);
/** No run's hardware is broken for longer than this. */
const stormMs = 20_000;
/** Some runs hardly let the store open: after so many lives such a one has shown what it can, and another seed shows more. */
const stormLives = 50;
/** Long beyond any timeout in the settings: what takes longer would take for ever. */
const patienceMs = 60_000;

/** Undefined when the node is not to be compared. */
type RowReading = (
  node: SimulatedNode,
  from: ByteString,
  to: ByteString,
) => Promise<ReadonlyMap<ByteString, string> | undefined>;

/** One run: a new cluster under load, faults from the seed, then quiet, and everything is checked. */
export class Simulation {
  readonly #seed: number;
  readonly #cluster: SimulatedCluster;
  readonly #workload: Workload;
  readonly #mapChanges: MapChanges;
  readonly #supervisor: Supervisor;
  readonly #faults: FaultSchedule;
  readonly #clients: number;
  readonly #targetOperations: number;
  #violation: unknown;

  constructor(seed: number, plantedFault: PlantedFault | undefined, keepsHistory: boolean) {
    this.#seed = seed;
    const onViolation = (violation: unknown): void => {
      this.#violation ??= violation;
    };
    this.#cluster = new SimulatedCluster({ seed, plantedFault, keepsHistory }, onViolation);
    this.#workload = new Workload(this.#cluster, onViolation);
    this.#mapChanges = new MapChanges(this.#cluster, onViolation);
    this.#supervisor = new Supervisor(
      this.#cluster,
      (life) => this.#begin(life),
      () => this.#workload.restart(),
      onViolation,
    );
    this.#faults = new FaultSchedule(this.#cluster, this.#supervisor, this.#workload);
    this.#clients = integerBetween(this.#cluster.random, 2, 8);
    this.#targetOperations = integerBetween(this.#cluster.random, 100, 350);
  }

  async run(): Promise<SimulationResult> {
    const onUnhandled = (error: unknown): void => {
      const stack = error instanceof Error ? error.stack : error;
      this.#violation ??= new Violation('no promise is left to fail by itself', String(stack));
    };
    process.on('unhandledRejection', onUnhandled);
    try {
      await this.#prepare();
      await this.#storm();
      const life = await this.#becomeQuiet();
      await this.#checkEverything(life);
    } catch (error) {
      this.#violation ??= error;
    } finally {
      process.off('unhandledRejection', onUnhandled);
    }
    const { history, time, lives } = this.#cluster;
    return {
      seed: this.#seed,
      violation: this.#violation,
      digest: history.digest,
      operations: this.#workload.operations,
      events: time.events,
      lives,
      simulatedMs: time.monotonic(),
      history: history.lines,
    };
  }

  /** A new cluster with two containers. Nothing fails yet. */
  async #prepare(): Promise<void> {
    this.#supervisor.expectsToOpen = true;
    this.#supervisor.start();
    await this.#until(() => this.#cluster.life !== undefined, 'a new cluster opens');
    const { store } = this.#life();
    for (let index = 0; index < 2; index++) {
      const partitions = integerBetween(this.#cluster.random, 1, 2);
      const map = await this.#settled(
        store.createContainer(initialBoundaries('cql', partitions), keyDefinition),
      );
      this.#mapChanges.check(map);
      this.#workload.addSubjects(map.container, integerBetween(this.#cluster.random, 2, 4));
    }
    this.#runClients(this.#life());
  }

  async #storm(): Promise<void> {
    this.#supervisor.expectsToOpen = false;
    this.#faults.begin();
    await this.#cluster.time.run(
      () =>
        this.#violation !== undefined ||
        this.#workload.operations >= this.#targetOperations ||
        this.#cluster.lives >= stormLives,
      stormMs,
    );
    this.#throwViolation();
    this.#faults.end();
  }

  /** The hardware works; whatever the storm has left, clients are served again and all replicas become level. */
  async #becomeQuiet(): Promise<StoreLife> {
    this.#mapChanges.isOver = true;
    this.#supervisor.expectsToOpen = true;
    // What was damaged needs the word of a supervisor, and some runs end with a crash anyway.
    const needsRebuild = this.#cluster.nodes.some(
      (node) => node.isEmpty || node.hasCorruptLog || (node.rows.kind === 'runs' && node.rows.isDamaged),
    );
    if (this.#supervisor.isRunning && (needsRebuild || this.#cluster.random.next() < 0.5)) {
      this.#supervisor.crash(this.#cluster.random.next() < 0.5 ? 'power-cut' : 'process-killed', 1);
    } else if (this.#supervisor.isRunning && this.#cluster.life === undefined) {
      this.#supervisor.crash('process-killed', 1);
    }
    await this.#until(() => this.#cluster.life !== undefined, 'a store whose hardware works opens');
    const served = this.#workload.operations + 20;
    await this.#until(() => this.#workload.operations >= served, 'a store whose hardware works serves');
    this.#workload.isOver = true;
    await this.#until(() => this.#workload.unanswered === 0, 'every call is answered');
    await this.#until(() => !this.#mapChanges.isChanging, 'a change of the map ends');
    const { store } = this.#life();
    await this.#settled(store.whenQuiet(), 'replicas become level');
    if (!this.#cluster.rowsMayDiffer) await this.#compareOpen(this.#life());
    // Rows that a table lost without a trace are found by comparing only.
    this.#mapChanges.checkScrub(await this.#settled(store.scrub(), 'a scrub ends'));
    await this.#settled(store.whenQuiet(), 'replicas become level');
    this.#workload.endExcuses();
    return this.#life();
  }

  async #checkEverything(life: StoreLife): Promise<void> {
    for (const subject of this.#workload.subjects) {
      await this.#settled(this.#workload.readAll(life, subject), 'every logical partition can be read');
      this.#workload.settleUnknown(life, subject);
      if (subject.unknown.size > 0) {
        throw new Violation(
          'every outcome is known in the end',
          `${subject.name}: ${[...subject.unknown.keys()]}`,
        );
      }
    }
    const report = await this.#settled(life.store.scrub());
    if (report.differences > 0 || report.undecided > 0) {
      throw new Violation('replicas are equal after quiet', `scrub: ${JSON.stringify(report)}`);
    }
    await this.#settled(life.store.whenQuiet());
    await this.#compareOpen(life);
    this.#throwViolation();
    const maps = mapsOf(life);
    const leftOpen = await this.#settled(this.#cluster.stop(life), 'a store stops');
    if (leftOpen.length > 0) {
      throw new Violation('a store stops whole', `nodes ${leftOpen.map(({ id }) => id)} are left open`);
    }
    await this.#compareSaved(maps);
  }

  /** Row by row in the row stores themselves, whatever a scrub may say. */
  async #compareReplicas(maps: readonly PartitionMap[], read: RowReading): Promise<void> {
    for (const map of maps) {
      this.#mapChanges.check(map);
      for (const { id, range, replicaSet } of map.partitions) {
        const { from, to } = keyRangeOf(map.container, range);
        const replicas: { readonly node: SimulatedNode; readonly rows: ReadonlyMap<ByteString, string> }[] =
          [];
        for (const member of replicaSet.members) {
          const node = this.#cluster.nodes[member] as SimulatedNode;
          const rows = await read(node, from, to);
          if (rows !== undefined) replicas.push({ node, rows });
        }
        const [first, ...others] = replicas;
        for (const other of others) {
          const difference = firstDifference(first?.rows ?? new Map(), other.rows);
          if (difference !== undefined) {
            throw new Violation(
              'replicas are equal after quiet',
              `${map.container}/${id} on ${first?.node.id} and ${other.node.id}: ${difference}`,
            );
          }
        }
      }
    }
  }

  #compareOpen(life: StoreLife): Promise<void> {
    return this.#compareReplicas(mapsOf(life), async (node, from, to) =>
      // Damage that nobody has come upon yet says so by itself when somebody does.
      node.rows.kind === 'runs' && node.rows.isDamaged ? undefined : this.#settled(node.readRows(from, to)),
    );
  }

  /** What is left when the store has stopped, with no process to make up for it: damage that a scrub could find is gone too. */
  #compareSaved(maps: readonly PartitionMap[]): Promise<void> {
    // A damaged row journal is mended after an unclean stop only.
    const mended = this.#cluster.nodes.filter(({ rows }) => rows.kind === 'runs' || !rows.isDamaged);
    return this.#compareReplicas(maps, async (node, from, to) => {
      if (!mended.includes(node)) return undefined;
      try {
        return await node.readSavedRows(from, to);
      } catch (error) {
        if (error instanceof Violation) throw error;
        throw new Violation('damage is found and mended', `node ${node.id}: ${describe(error)}`);
      }
    });
  }

  #begin(life: StoreLife): void {
    try {
      this.#mapChanges.checkAll(life);
    } catch (error) {
      this.#violation ??= error;
    }
    if (this.#workload.subjects.length === 0) return;
    this.#runClients(life);
  }

  #runClients(life: StoreLife): void {
    life.store.whenMapChanges(() => this.#faults.onMapChange());
    this.#workload.runClients(life, this.#clients);
    this.#mapChanges.run(life);
  }

  #life(): StoreLife {
    const { life } = this.#cluster;
    if (life === undefined) throw new Violation('a store stays open', 'it is not');
    return life;
  }

  async #until(isReached: () => boolean, rule: string): Promise<void> {
    const end = await this.#cluster.time.run(() => this.#violation !== undefined || isReached(), patienceMs);
    this.#throwViolation();
    if (end !== 'reached') throw new Violation(rule, this.#describeStore());
  }

  /** Runs the cluster until a promise of the store's has settled. */
  async #settled<T>(promise: Promise<T>, rule = 'every call is answered'): Promise<T> {
    let isSettled = false;
    const end = (): void => {
      isSettled = true;
    };
    promise.then(end, end);
    await this.#until(() => isSettled, rule);
    return promise;
  }

  #throwViolation(): void {
    if (this.#violation !== undefined) throw this.#violation;
  }

  #describeStore(): string {
    const { life } = this.#cluster;
    if (life === undefined) return 'no store is open';
    const { nodes, partitions } = life.store.status();
    const trouble = partitions.filter(
      ({ state, members, levelReplicas }) => state !== 'serving' || levelReplicas < members.length,
    );
    return JSON.stringify({ unanswered: this.#workload.unanswered, nodes, trouble });
  }
}

function mapsOf({ store }: StoreLife): PartitionMap[] {
  return store.containers().flatMap((container) => store.mapOf(container) ?? []);
}

function firstDifference(
  one: ReadonlyMap<ByteString, string>,
  other: ReadonlyMap<ByteString, string>,
): string | undefined {
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    if (one.get(key) !== other.get(key)) return `${hexOf(key)} is ${one.get(key)} and ${other.get(key)}`;
  }
  return undefined;
}
