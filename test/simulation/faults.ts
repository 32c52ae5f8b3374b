import { integerBetween, type Random } from '../../src/foundation/random.ts';
import { damages, nodeFaults } from './node-faults.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
import type { CrashKind } from './simulated-disk.ts';
import type { SimulatedNode } from './simulated-node.ts';
import type { Supervisor } from './supervisor.ts';
import type { Workload } from './workload.ts';

// The budget: at any time one node may be lost or corrupt, from the damage until it is whole again, and one more may be
// down. A process may die at any moment; then each disk keeps what was synced, and some of the rest. A swizzle takes more nodes
// down than the budget allows, but only while none is damaged: the store may refuse everything then, and must still lose nothing.

/** Chooses what goes wrong next. Nothing goes wrong any more after `end`. */
export class FaultSchedule {
  readonly #cluster: SimulatedCluster;
  readonly #supervisor: Supervisor;
  readonly #workload: Workload;
  readonly #random: Random;
  /** How many of the faults are crashes: some runs hardly let the store open, others let it live for long. */
  readonly #crashShare: number;
  /** In the other runs no row is ever wrong, so a scrub that finds a difference has found a bug. */
  readonly #damagesRows: boolean;
  /** The node that is down besides the damaged one. */
  #ailing: SimulatedNode | undefined;
  #damaged: SimulatedNode | undefined;
  #isSwizzling = false;
  #hasBegun = false;
  #isOver = false;
  /** A replica has lost a row without a trace, which only a scrub can find: nothing else goes wrong until it has. */
  #isCalm = false;

  constructor(cluster: SimulatedCluster, supervisor: Supervisor, workload: Workload) {
    this.#cluster = cluster;
    this.#supervisor = supervisor;
    this.#workload = workload;
    this.#random = cluster.random;
    this.#crashShare = 0.05 + this.#random.next() * 0.4;
    this.#damagesRows = this.#random.next() < 0.4;
    cluster.rowsMayDiffer = this.#damagesRows;
  }

  begin(): void {
    this.#hasBegun = true;
    // Most runs are stormy; some have long calms, in which nodes get far apart before the next fault.
    const meanGapMs = this.#random.next() < 0.7 ? 50 : 250;
    const strike = (): void => {
      if (this.#isOver) return;
      if (!this.#isCalm) this.#strike();
      this.#after(-Math.log(1 - this.#random.next()) * meanGapMs, strike);
    };
    this.#after(this.#random.next() * 100, strike);
  }

  /** All hardware works from now on. What was lost stays lost until the store has made it anew. */
  end(): void {
    this.#isOver = true;
    for (const node of this.#cluster.nodes) node.recover();
    this.#cluster.history.add('fault', 'all hardware works again');
  }

  #strike(): void {
    this.#noticeRepair();
    if (this.#random.next() < this.#crashShare) {
      this.#crash();
      return;
    }
    const dice = this.#random.next();
    if (dice < 0.55) this.#ail();
    else if (dice < 0.85) this.#damage();
    else if (dice < 0.92) this.#swizzle();
    else if (dice < 0.97) this.#loseRow();
    else this.#jumpClock();
  }

  /** What is served now may be in the logs alone, and the map not written: the process dies there more often than chance would have it. */
  onMapChange(): void {
    if (!this.#hasBegun || !this.#canCrash || this.#random.next() < 0.85) return;
    const delayMs = this.#random.next() * 2;
    if (this.#random.next() < 0.5) this.#after(delayMs, () => this.#crashAndLeaveOut());
    else this.#armCrashAtCommit(undefined);
  }

  #ail(): void {
    const node = this.#pick(this.#cluster.nodes.filter((each) => each !== this.#damaged));
    if (this.#ailing !== undefined || node === undefined) return;
    const fault = this.#weighted(nodeFaults);
    const isShort = fault.isBrief || this.#random.next() < 0.5;
    const lastsMs = this.#random.next() * (isShort ? 50 : 800);
    this.#ailing = node;
    fault.begin(node, this.#random);
    this.#note(`node ${node.id} ${fault.name} for ${lastsMs.toFixed(0)} ms`);
    this.#after(lastsMs, () => {
      if (this.#isOver) return;
      this.#note(`node ${node.id} works again`);
      node.recover();
      this.#ailing = undefined;
      // Whoever still counted on what it failed to write would find out now, when others that have it are gone.
      if (fault.isBrief && this.#random.next() < 0.2) this.#armCrashAtCommit(node);
    });
  }

  #damage(): void {
    const node = this.#pick(this.#cluster.nodes.filter((each) => each !== this.#ailing));
    if (this.#damaged !== undefined || this.#isSwizzling || node === undefined) return;
    const damage = this.#weighted(
      damages.filter(
        ({ isOfRows, rowStore }) =>
          (!isOfRows || this.#damagesRows) && (rowStore === undefined || rowStore === node.rows.kind),
      ),
    );
    if (!damage.strike(node)) return;
    this.#damaged = node;
    this.#note(`node ${node.id} ${damage.name}`);
  }

  #loseRow(): void {
    const { life, nodes } = this.#cluster;
    if (!this.#damagesRows) return;
    if (life === undefined || this.#damaged !== undefined || this.#ailing !== undefined) return;
    const node = this.#pick(nodes);
    if (node === undefined || !this.#supervisor.isWhole(node.id)) return;
    // A run says so.
    if (node.rows.kind === 'runs') return;
    const known = new Set(this.#workload.subjects.flatMap(({ keys }) => keys));
    const key = node.rows.loseRow((each) => known.has(each));
    if (key === undefined) return;
    this.#note(`node ${node.id} loses a row without a trace`);
    this.#workload.excuse(key);
    this.#isCalm = true;
    const end = (): void => {
      this.#note('scrubbed');
      this.#workload.endExcuses();
      this.#isCalm = false;
    };
    // Should the scrub fail, the calm lasts until the run's own scrub at its end.
    life.store.scrub().then(end, () => this.#note('not scrubbed'));
  }

  #noticeRepair(): void {
    const node = this.#damaged;
    if (node === undefined || node.isDamaged || !this.#supervisor.isWhole(node.id)) return;
    this.#note(`node ${node.id} is whole again`);
    this.#damaged = undefined;
  }

  #crash(): void {
    if (!this.#supervisor.isRunning) return;
    const dice = this.#random.next();
    if (dice < 0.65 && this.#ailing === undefined) {
      const delayMs = this.#random.next() * 2;
      if (dice < 0.3) this.#workload.onNextWrite = () => this.#after(delayMs, () => this.#crashAndLeaveOut());
      else this.#armCrashAtCommit(undefined);
      return;
    }
    if (dice < 0.75) this.#damage();
    if (this.#random.next() < 0.5) this.#ail();
    if (this.#random.next() < 0.15 && this.#supervisor.canStop) {
      this.#supervisor.stopAndStart();
      return;
    }
    const kind = this.#crashKind();
    this.#supervisor.crash(kind, this.#random.next() * 30);
    // Recovery and catch-up are where a second crash hurts.
    let atMs = 0;
    while (this.#random.next() < 0.4) {
      atMs += 30 + this.#random.next() * 40;
      this.#after(atMs, () => this.#crashAgain(kind));
    }
  }

  /**
   * One node is left with a tail that the others may not have, misses the whole next life, and is back for the one after:
   * two histories of the same partition meet.
   */
  #crashAndLeaveOut(): void {
    if (!this.#canCrash || this.#ailing !== undefined) return;
    if (this.#random.next() < 0.4) this.#damage();
    const sound = this.#cluster.nodes.filter((each) => each !== this.#damaged);
    // What is idle has written what others still have on the way.
    const node = this.#pick(sound.filter(({ medium }) => medium.isIdle)) ?? this.#pick(sound);
    if (node === undefined) return;
    const favoured = this.#random.next() < 0.7 ? node : 'chance';
    this.#supervisor.crash(this.#crashKind(), this.#random.next() * 10, favoured);
    this.#leaveOut(node);
  }

  #leaveOut(node: SimulatedNode): void {
    const lastsMs = 60 + this.#random.next() * 300;
    this.#note(`node ${node.id} left out for ${lastsMs.toFixed(0)} ms`);
    this.#ailing = node;
    node.medium.isDead = true;
    this.#after(lastsMs, () => {
      if (this.#isOver) return;
      this.#note(`node ${node.id} works again`);
      if (this.#random.next() < 0.7) this.#crashAgain(this.#crashKind());
      node.recover();
      this.#ailing = undefined;
    });
  }

  /** The moment after an acknowledgement, when it is on as few disks as it ever will be; and those fail which have it. */
  #armCrashAtCommit(spared: SimulatedNode | undefined): void {
    this.#workload.onNextCommit = () => this.#after(0, () => this.#crashAtCommit(spared));
  }

  #crashAtCommit(spared: SimulatedNode | undefined): void {
    if (!this.#canCrash || this.#ailing !== undefined) return;
    const holders = this.#cluster.nodes.filter((node) => node.medium.isIdle && node !== spared);
    const [first, second] = this.#shuffled(holders);
    this.#note('crash at a commit');
    this.#supervisor.crash('power-cut', this.#random.next() * 10, 'none');
    if (first !== undefined && this.#damaged === undefined) {
      first.lose();
      this.#damaged = first;
      this.#note(`node ${first.id} lost`);
    }
    if (second !== undefined && second !== this.#damaged) this.#leaveOut(second);
  }

  get #canCrash(): boolean {
    return !this.#isOver && !this.#isCalm && this.#supervisor.isRunning;
  }

  #crashAgain(kind: CrashKind): void {
    if (this.#canCrash) this.#supervisor.crash(kind, this.#random.next() * 10);
  }

  #crashKind(): CrashKind {
    return this.#random.next() < 0.5 ? 'power-cut' : 'process-killed';
  }

  /** Nodes go down one by one and come back in another order. */
  #swizzle(): void {
    if (this.#ailing !== undefined || this.#damaged !== undefined) return;
    const nodes = this.#cluster.nodes.filter(() => this.#random.next() < 0.7);
    this.#ailing = nodes[0];
    this.#isSwizzling = true;
    let atMs = 0;
    for (const node of this.#shuffled(nodes)) {
      this.#after(atMs, () => {
        if (this.#isOver) return;
        this.#note(`swizzle: node ${node.id} down`);
        node.medium.isDead = true;
      });
      atMs += this.#random.next() * 40;
    }
    for (const node of this.#shuffled(nodes)) {
      atMs += this.#random.next() * 40;
      this.#after(atMs, () => {
        if (this.#isOver) return;
        this.#note(`swizzle: node ${node.id} up`);
        node.recover();
      });
    }
    this.#after(atMs, () => {
      this.#ailing = undefined;
      this.#isSwizzling = false;
    });
  }

  #jumpClock(): void {
    const hours = integerBetween(this.#random, -48, 48);
    this.#note(`clock jumps by ${hours} h`);
    this.#cluster.time.jumpWallClock(hours * 3_600_000);
  }

  #after(delayMs: number, task: () => void): void {
    this.#cluster.time.after(delayMs, task);
  }

  #note(what: string): void {
    this.#cluster.history.add('fault', what);
  }

  #pick<T>(items: readonly T[]): T | undefined {
    return items[integerBetween(this.#random, 0, items.length - 1)];
  }

  #weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    const tickets = items.flatMap((item) => new Array<T>(item.weight).fill(item));
    return tickets[integerBetween(this.#random, 0, tickets.length - 1)] as T;
  }

  #shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, place: this.#random.next() }))
      .sort((left, right) => left.place - right.place)
      .map(({ item }) => item);
  }
}
