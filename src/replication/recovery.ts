// Makes partitions served again after a start, or when enough nodes have returned: chooses a log, makes the others equal to
// it, and sets the new epoch on them. docs/replication.md, "Recovery", has the reasons for the order of the steps.

import type { Clock } from '../foundation/clock.ts';
import type { Log } from '../foundation/log.ts';
import { nextTurn, type Scheduler } from '../foundation/scheduler.ts';
import { encodeNote, entryKinds } from '../storage/log/log-entry.ts';
import {
  type Ending,
  type EpochStretch,
  lastCommonLsn,
  nodeHeader,
  type PartitionLogState,
  partitionNumber,
} from '../storage/log/log-state.ts';
import type { Rest } from '../storage/log/node-log.ts';
import type { StorageNode } from '../storage/storage-node.ts';
import { applyOwnLog } from './apply-own-log.ts';
import { isTrueBorn } from './lineage.ts';
import { replayLog, replayPositions } from './log-replay.ts';
import type { PartitionDirectory } from './partition-directory.ts';
import type { Replica } from './replica.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import type { StoreSettings } from './store-settings.ts';
import { recede, succeedMerge, succeedSplit } from './succession.ts';

export interface RecoveryParts {
  readonly nodes: readonly StorageNode[];
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: StoreSettings;
  readonly scheduler: Scheduler;
  /** Serve what a single node has, and make the others like it. */
  readonly forceRecover: boolean;
  readonly directory: PartitionDirectory;
  /** Told in the instant before the partition is served again. */
  onSettling(partition: ReplicatedPartition): void;
}

interface Choice {
  readonly partition: ReplicatedPartition;
  readonly chosen: Replica;
  readonly lastLsn: number;
  readonly logEpoch: number;
  readonly epochs: readonly EpochStretch[];
  readonly ending: Ending | undefined;
  /** It was chosen among so many logs that one of them has everything acknowledged. */
  readonly isWitnessed: boolean;
  /** The other members that are up. */
  readonly others: readonly Replica[];
  /** Those whose log is equal to the chosen one by now. */
  level: readonly Replica[];
}

export class Recovery {
  readonly #parts: RecoveryParts;
  #epoch = 0;

  readonly #rest: Rest = () => nextTurn(this.#parts.scheduler);

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** A new epoch, above all that any node has heard of, promised by every node that is up. */
  async promiseEpoch(): Promise<void> {
    const up = this.#parts.nodes.filter((node) => node.isUp);
    for (const node of up) {
      const { state } = node.handles.log;
      this.#epoch = Math.max(this.#epoch, state.promisedEpoch);
      for (const partition of state.partitions.values()) {
        this.#epoch = Math.max(this.#epoch, partition.logEpoch, partition.epochs.at(-1)?.epoch ?? 0);
      }
    }
    this.#epoch += 1;
    await Promise.allSettled(up.map((node) => this.promiseOn(node)));
  }

  async promiseOn(node: StorageNode): Promise<void> {
    const header = nodeHeader(entryKinds.promise, this.#epoch, this.#parts.clock.now());
    await node.handles.commit.note(encodeNote(header, null), () => node.handles.log.state.note(header, null));
  }

  /**
   * Afterwards each partition serves, serves reads only, or is still recovering, as its readable nodes allow. In the place of one that
   * has ended, those that came of it are recovered.
   */
  async recover(partitions: readonly ReplicatedPartition[]): Promise<void> {
    let heirs: readonly ReplicatedPartition[] = [];
    const hold = partitions.reduce<() => Promise<void>>(
      (inner, partition) => () => partition.alone(inner),
      async () => {
        heirs = await this.#recoverAlone(partitions.filter((partition) => partition.isUnsettled));
      },
    );
    await hold();
    if (heirs.length > 0) await this.recover(heirs);
  }

  /** Gives those that are to be recovered in the place of others: what came of partitions which had ended, or the other way round. */
  async #recoverAlone(partitions: readonly ReplicatedPartition[]): Promise<ReplicatedPartition[]> {
    const { directory } = this.#parts;
    const containers = new Set(partitions.map(({ address }) => address.container));
    const returned = [...containers].flatMap((container) =>
      this.#isEndForgotten(container) ? recede(directory, container) : [],
    );
    const chosen = new Map<ReplicatedPartition, Choice>();
    for (const partition of partitions) {
      if (!partition.isUnsettled) continue;
      const choice = this.#choose(partition);
      if (choice !== undefined) chosen.set(partition, choice);
    }
    const heirs = [...chosen.values()].flatMap((choice) => this.#succeed(choice, chosen));
    const choices = [...chosen.values()].filter(
      (choice) => choice.partition.isUnsettled && !this.#awaitsOther(choice, chosen),
    );
    await this.#makeEqual(choices);
    await this.#setEpoch(choices);
    await this.#applyRows(choices);
    for (const choice of choices) this.#settle(choice);
    return [...returned, ...heirs];
  }

  /**
   * Whether an end that the written map lacks is in no log that can be read, and nothing that came of it was served: the nodes that had it
   * went away before they could hand it on. The others are not to wait for them.
   */
  #isEndForgotten(container: number): boolean {
    const { directory } = this.#parts;
    return directory.maps.endedSince(container).some((ended) => {
      const heirs = directory.heirsOf(partitionNumber(container, ended.physicalPartition));
      const isKnown = heirs.some(({ replicas }) =>
        replicas.some(({ node }) => node.isUp && node.handles.log.state.get(ended)?.ending !== undefined),
      );
      return !isKnown && heirs.every((heir) => heir.isUnsettled);
    });
  }

  /**
   * A partition that has ended, with children that may have rows of their own already, is recovered as these: in its own log there is
   * nothing about them. Their recovery brings its end to all that lack it.
   */
  #succeed(choice: Choice, chosen: ReadonlyMap<ReplicatedPartition, Choice>): ReplicatedPartition[] {
    const { directory } = this.#parts;
    const { ending, partition } = choice;
    // One of a merge may have been succeeded with the other already.
    if (ending === undefined || !partition.isUnsettled) return [];
    if (ending.kind === 'split') return succeedSplit(directory, choice, ending.note);
    const [left, right] = [ending.note.left, ending.note.right].map((parent) =>
      this.#choiceOf(choice, parent, chosen),
    );
    // Else only half of the merge was written, or no node has both halves: nothing that came of it was served.
    const isWhole = left?.ending?.kind === 'merge' && right?.ending?.kind === 'merge';
    return isWhole && this.#isBorn(choice, ending.note.child)
      ? [succeedMerge(directory, left, right, ending.note)]
      : [];
  }

  /** One half of a merge that may have been served is not recovered alone, while no log of the other half can be read. */
  #awaitsOther(choice: Choice, chosen: ReadonlyMap<ReplicatedPartition, Choice>): boolean {
    const { ending } = choice;
    if (ending?.kind !== 'merge' || !this.#isBorn(choice, ending.note.child)) return false;
    return [ending.note.left, ending.note.right].some((physicalPartition) => {
      const parent = this.#parts.directory.at({ ...choice.partition.address, physicalPartition });
      return parent?.isUnsettled === true && !chosen.has(parent);
    });
  }

  #choiceOf(
    { partition }: Choice,
    physicalPartition: number,
    chosen: ReadonlyMap<ReplicatedPartition, Choice>,
  ): Choice | undefined {
    const found = this.#parts.directory.at({ ...partition.address, physicalPartition });
    return found === undefined ? undefined : chosen.get(found);
  }

  #isBorn({ partition }: Choice, child: number): boolean {
    const address = { ...partition.address, physicalPartition: child };
    return partition.replicas.some(({ node }) => node.isUp && node.handles.log.state.get(address));
  }

  #choose(partition: ReplicatedPartition): Choice | undefined {
    const up = partition.replicas.filter((replica) => replica.node.isUp);
    if (partition.isOriginal) for (const { node } of up) node.handles.log.state.of(partition.address);
    let witnesses = 0;
    const chosen = up.reduce<Replica | undefined>((best, next) => {
      const state = stateOf(next, partition);
      if (state === undefined || state.isCopying || !this.#isTrueBorn(next, partition)) return best;
      witnesses += 1;
      const bestState = best === undefined ? undefined : stateOf(best, partition);
      return bestState === undefined || this.#isAhead(state, bestState) ? next : best;
    }, undefined);
    const state = chosen === undefined ? undefined : stateOf(chosen, partition);
    if (chosen === undefined || state === undefined) return undefined;
    return {
      partition,
      chosen,
      lastLsn: state.lastLsn,
      logEpoch: state.logEpoch,
      epochs: state.epochs,
      ending: state.ending,
      isWitnessed: witnesses > partition.replicas.length - partition.quorum,
      others: up.filter((replica) => replica !== chosen),
      level: [],
    };
  }

  /** One pass over a source's log for each pair of nodes, whatever the number of partitions. */
  async #makeEqual(choices: readonly Choice[]): Promise<void> {
    const { maps } = this.#parts.directory;
    const passes = new Map<StorageNode, Map<StorageNode, Map<number, number>>>();
    const limits = new Map<number, number>();
    for (const { partition, chosen, lastLsn, others } of choices) {
      limits.set(partition.number, lastLsn);
      for (const { node } of others) {
        const positions = replayPositions(chosen.node, node, partition.address, maps, this.#commonLsn);
        if (positions === undefined || positions.get(partition.number) === lastLsn) continue;
        const targets = getOrAdd(passes, chosen.node, () => new Map());
        const pass = getOrAdd(targets, node, () => new Map());
        for (const [number, lsn] of positions) pass.set(number, lsn);
      }
    }
    for (const [source, targets] of passes) {
      for (const [target, positions] of targets) {
        if (source.isUp && target.isUp) await this.#replay(source, target, positions, limits);
      }
    }
  }

  async #replay(
    source: StorageNode,
    target: StorageNode,
    positions: Map<number, number>,
    limits: Map<number, number>,
  ): Promise<void> {
    const limitOf = (partition: number) => limits.get(partition) ?? Number.POSITIVE_INFINITY;
    const { plantedFault } = this.#parts.settings;
    try {
      await replayLog({
        source,
        target,
        positions,
        limitOf,
        withRows: false,
        checkIsWanted: () => {},
        rest: this.#rest,
        plantedFault,
      });
    } catch (error) {
      // Which of the two it was: a log that does not read back is the source's fault, all else the target's.
      const isSourceSound = source.isUp && (await source.handles.log.verify(this.#rest));
      if (isSourceSound) target.fail(error);
      else source.fail(error);
    }
  }

  async #setEpoch(choices: readonly Choice[]): Promise<void> {
    const notes: Promise<void>[] = [];
    for (const choice of choices) {
      const { partition, chosen, lastLsn } = choice;
      if (!chosen.node.isUp) continue;
      choice.level = [chosen, ...choice.others.filter((replica) => this.#isEqual(replica, choice))];
      if (choice.level.length < partition.quorum && !this.#parts.forceRecover) continue;
      const header = {
        ...nodeHeader(entryKinds.epoch, this.#epoch, this.#parts.clock.now()),
        ...partition.address,
        lsn: lastLsn,
      };
      for (const { node } of choice.level) {
        const { commit, log } = node.handles;
        notes.push(commit.note(encodeNote(header, null), () => log.state.note(header, null)));
      }
    }
    // A node that fails here is down, and no longer counted when the partition is settled.
    await Promise.allSettled(notes);
  }

  #isEqual(replica: Replica, { partition, chosen, lastLsn }: Choice): boolean {
    if (!replica.node.isUp) return false;
    const own = stateOf(replica, partition);
    const truth = stateOf(chosen, partition);
    if (own === undefined || own.isCopying || truth === undefined) return false;
    if (!this.#isTrueBorn(replica, partition)) return false;
    // A row store ahead of the chosen log, or of the end of one that this partition came of, holds what was never committed: it must
    // be copied anew.
    const { directory } = this.#parts;
    const { appliedLsns } = replica.node;
    if ((appliedLsns.get(partition.number) ?? 0) > lastLsn) return false;
    const isAheadOfEnd = directory.ancestorsOf(partition).some((ancestor) => {
      const number = partitionNumber(ancestor.container, ancestor.physicalPartition);
      return (
        (appliedLsns.get(number) ?? 0) >
        (directory.maps.historyOf(number)?.endLsn ?? Number.POSITIVE_INFINITY)
      );
    });
    if (isAheadOfEnd) return false;
    return this.#commonLsn(own, truth) === lastLsn;
  }

  #settle({ partition, level, lastLsn, logEpoch, isWitnessed }: Choice): void {
    const up = level.filter(({ node }) => node.isUp);
    const isServing = up.length >= partition.quorum || (this.#parts.forceRecover && up.length > 0);
    if (up.length === 0) return;
    // One that was level with what fewer nodes knew is not level with this.
    for (const replica of partition.replicas)
      if (replica.standing === 'level' && !up.includes(replica)) replica.fallBehind();
    this.#parts.onSettling(partition);
    partition.settleAt(isServing ? this.#epoch : logEpoch, lastLsn, isServing || isWitnessed);
    for (const replica of up) {
      replica.durableLsn = lastLsn;
      replica.queuedLsn = lastLsn;
      replica.standing = 'level';
      replica.firstGeneration = 0;
    }
    // A partition that has ended waits, frozen, for its ending to be put into the map.
    const hasEnded = up.some((replica) => stateOf(replica, partition)?.ending !== undefined);
    partition.setState(isServing ? (hasEnded ? 'frozen' : 'serving') : 'reads-only');
  }

  async #applyRows(choices: readonly Choice[]): Promise<void> {
    const { nodes, directory } = this.#parts;
    await Promise.all(
      nodes.map(async (node) => {
        const targets = choices
          .filter(({ level }) => level.some((replica) => replica.node === node))
          .map(({ partition: { number, from, to }, lastLsn }) => ({ number, from, to, through: lastLsn }));
        if (!node.isUp || targets.length === 0) return;
        try {
          const reapplyBytes = node.wasStopped ? 0 : node.reapplyBytes;
          await applyOwnLog(
            node,
            targets,
            (number) => directory.isAwaited(node, number),
            reapplyBytes,
            this.#rest,
          );
        } catch (error) {
          node.fail(error);
        }
      }),
    );
  }

  #isTrueBorn({ node }: Replica, { address, isOriginal }: ReplicatedPartition): boolean {
    return isOriginal || isTrueBorn(node.handles.log.state, address, this.#parts.directory.maps);
  }

  #isAhead(left: PartitionLogState, right: PartitionLogState): boolean {
    if (left.logEpoch !== right.logEpoch && !this.#isJoinByLsn) return left.logEpoch > right.logEpoch;
    return left.lastLsn > right.lastLsn;
  }

  get #isJoinByLsn(): boolean {
    return this.#parts.settings.plantedFault === 'join-without-epochs';
  }

  get #commonLsn(): typeof lastCommonLsn {
    return this.#isJoinByLsn ? (left, right) => Math.min(left.lastLsn, right.lastLsn) : lastCommonLsn;
  }
}

function stateOf(replica: Replica, partition: ReplicatedPartition): PartitionLogState | undefined {
  return replica.node.handles.log.state.get(partition.address);
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
