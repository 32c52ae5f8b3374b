import type { Random } from '../../src/foundation/random.ts';
import type { NodeId } from '../../src/partitioning/replica-set.ts';
import { describe, type SimulatedCluster, type StoreLife } from './simulated-cluster.ts';
import type { CrashKind } from './simulated-disk.ts';
import type { SimulatedNode } from './simulated-node.ts';
import { Violation } from './violation.ts';

/** A store that will not open is tried again so often while hardware may be down. */
const retryMs = 40;

/** What an operator's supervisor does: starts the process, starts it again when it has died, and allows rebuilding. */
export class Supervisor {
  readonly #cluster: SimulatedCluster;
  readonly #random: Random;
  readonly #onLife: (life: StoreLife) => void;
  readonly #onDeath: () => void;
  readonly #onViolation: (violation: unknown) => void;
  #isRunning = false;
  /** A start that is planned; another crash makes it void. */
  #cancelStart: () => void = () => {};
  /** Once all hardware works, a store that refuses to open has no excuse. */
  expectsToOpen = false;

  constructor(
    cluster: SimulatedCluster,
    onLife: (life: StoreLife) => void,
    onDeath: () => void,
    onViolation: (violation: unknown) => void,
  ) {
    this.#cluster = cluster;
    this.#random = cluster.random;
    this.#onLife = onLife;
    this.#onDeath = onDeath;
    this.#onViolation = onViolation;
  }

  /** Whether there is a process, be it that it has not opened yet. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** A damaged row journal is mended after an unclean stop only, so a clean one waits. */
  get canStop(): boolean {
    return (
      this.#cluster.life !== undefined &&
      this.#cluster.nodes.every((node) => !node.isDamaged && node.medium.isHealthy)
    );
  }

  start(): void {
    this.#isRunning = true;
    const rebuild = this.#rebuildable();
    this.#cluster.start(rebuild, this.#onLife, (error) => {
      if (this.expectsToOpen) {
        this.#onViolation(new Violation('a store whose hardware works opens', describe(error)));
      } else this.crash('process-killed', retryMs);
    });
  }

  crash(kind: CrashKind, pauseMs: number, favoured: SimulatedNode | 'chance' | 'none' = 'chance'): void {
    this.#cancelStart();
    this.#isRunning = false;
    this.#cluster.crash(kind, favoured);
    this.#onDeath();
    this.#startAfter(pauseMs);
  }

  stopAndStart(): void {
    const { life } = this.#cluster;
    if (life === undefined) return;
    this.#isRunning = false;
    const process = life.process;
    this.#cluster.stop(life).then(
      () => {
        this.#onDeath();
        this.#startAfter(1);
      },
      (error) => {
        if (process.isAlive) this.#onViolation(error);
      },
    );
  }

  /** Whether the node is up and every partition has all its replicas level. */
  isWhole(nodeId: NodeId): boolean {
    const status = this.#cluster.life?.store.status();
    if (status === undefined) return false;
    const isUp = status.nodes.some((node) => node.nodeId === nodeId && node.state === 'up');
    return isUp && status.partitions.every(({ members, levelReplicas }) => levelReplicas === members.length);
  }

  #startAfter(pauseMs: number): void {
    this.#cancelStart = this.#cluster.time.after(pauseMs, () => this.start());
  }

  /** An empty directory is never taken for a node unless this is said; a broken log may be noticed a life later. */
  #rebuildable(): NodeId[] {
    return this.#cluster.nodes
      .filter(
        (node) => node.isEmpty || (node.hasCorruptLog && (this.expectsToOpen || this.#random.next() < 0.5)),
      )
      .map((node) => node.id);
  }
}
