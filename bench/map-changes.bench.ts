// `npm run bench -- map-changes`: how long writes wait while a partition is split, merged or moved under load. `held` is how long the change
// itself kept writes waiting (a move does not); `longest wait` is of any write while the change lasted, and beside it stands what the slowest write waits
// in as long a time without a change: the machine's own part. `beyond` is held less the longest part of it that was one
// single commit elsewhere, which a writer to another container makes all the while: no change can be shorter than a sync just then is.

import { parseArgs } from 'node:util';
import { type Log, silentLog } from '../src/foundation/log.ts';
import { initialBoundaries } from '../src/partitioning/initial-layout.ts';
import { LogicalPartition } from '../src/partitioning/logical-partition.ts';
import { cqlPartitionKey, partitionKeyDefinition } from '../src/partitioning/partition-key.ts';
import type { NodeId } from '../src/partitioning/replica-set.ts';
import { startRingfold } from '../src/ringfold.ts';
import { putRows } from '../src/storage/operation-kinds.ts';
import { makeScratchDirectory } from './scratch-directory.ts';

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '40' }, writers: { type: 'string', default: '64' } },
});
const rounds = Number(flags.rounds);
const writers = Number(flags.writers);
const answerMs = 20;

const held = new Map<string, number[]>();
const holds: { readonly event: string; readonly from: number; readonly to: number }[] = [];
const log: Log = {
  ...silentLog,
  info: (event, details) => {
    const heldMs = details?.['heldMs'];
    if (typeof heldMs !== 'number') return;
    note(held, event, heldMs);
    const to = performance.now();
    holds.push({ event, from: to - heldMs, to });
  },
};
const server = await startRingfold({
  dataDir: makeScratchDirectory(),
  nodes: 5,
  ownerName: 'npm run bench',
  log,
});
const { store } = server;
const { container } = await store.createContainer(
  initialBoundaries('cql', 1),
  partitionKeyDefinition('cql', ['user']),
);
const { container: elsewhere } = await store.createContainer(
  initialBoundaries('cql', 1),
  partitionKeyDefinition('cql', ['user']),
);
const value = Buffer.alloc(300, 'ringfold ');
const keys = Array.from({ length: 1_000 }, (_, index) => keyOf(container, index));

let isOver = false;
let written = 0;
/** The longest that a write begun or waiting since the last look has taken. */
let slowestMs = 0;
const commitsElsewhere: { readonly from: number; readonly to: number }[] = [];
const running = [...Array.from({ length: writers }, () => writer()), writerElsewhere()];

const waits = new Map<string, number[]>();
const durations = new Map<string, number[]>();
await settle();
for (let round = 0; round < rounds; round++) {
  await compared('split', () => store.splitPartition(container, currentIds()[0] ?? 0, 'midpoint'));
  const [left, right] = currentIds();
  if (left !== undefined && right !== undefined) {
    await compared('merge', () => store.mergePartitions(container, left, right));
  }
  await compared('move', moveOneReplica);
}
isOver = true;
await Promise.all(running);
report();
await server.stop();

/** The change, and then nothing for as long as it took. */
async function compared(name: string, change: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await timed(name, change);
  const tookMs = performance.now() - began - answerMs;
  note(durations, name, tookMs);
  await timed(`${name} not made`, () => new Promise((resolve) => setTimeout(resolve, tookMs)));
}

async function timed(name: string, change: () => Promise<unknown>): Promise<void> {
  slowestMs = 0;
  await change();
  // Writes that the change held are answered within the next turns.
  await new Promise((resolve) => setTimeout(resolve, answerMs));
  note(waits, name, slowestMs);
}

function note(times: Map<string, number[]>, name: string, ms: number): void {
  times.set(name, [...(times.get(name) ?? []), ms]);
}

async function writer(): Promise<void> {
  while (!isOver) {
    const began = performance.now();
    await write(keys[written++ % keys.length] as LogicalPartition);
    slowestMs = Math.max(slowestMs, performance.now() - began);
  }
}

async function writerElsewhere(): Promise<void> {
  const key = keyOf(elsewhere, 0);
  while (!isOver) {
    const from = performance.now();
    await write(key);
    commitsElsewhere.push({ from, to: performance.now() });
  }
}

function keyOf(of: number, index: number): LogicalPartition {
  return new LogicalPartition(of, cqlPartitionKey([Buffer.from(`user${index}`)]));
}

/** As a router does it: told that the partition has moved, it takes the new map. */
async function write(logicalPartition: LogicalPartition): Promise<void> {
  for (;;) {
    const { container } = logicalPartition;
    const owner = store.mapOf(container)?.ownerOf(logicalPartition.ringPosition);
    if (owner === undefined) throw new Error('the container is gone');
    const operation = putRows([{ key: logicalPartition.prefix, value }]);
    const outcome = await new Promise<{ kind: string }>((resolve) =>
      store.transact({ container, physicalPartition: owner.id }, logicalPartition, operation, resolve),
    );
    if (outcome.kind === 'committed') return;
    if (outcome.kind !== 'moved') throw new Error(`a write was not committed: ${JSON.stringify(outcome)}`);
  }
}

function moveOneReplica(): Promise<unknown> {
  const partition = store.mapOf(container)?.partitions[0];
  const members = partition?.replicaSet.members ?? [];
  const [from] = members;
  const to = [0, 1, 2, 3, 4].find((node) => !members.includes(node as NodeId)) as NodeId | undefined;
  if (partition === undefined || from === undefined || to === undefined)
    throw new Error('no replica can be moved');
  return store.moveReplica(container, partition.id, from, to);
}

function currentIds(): number[] {
  return store.mapOf(container)?.partitions.map(({ id }) => id) ?? [];
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

function report(): void {
  console.log(`${writers} writers, ${rounds} rounds, ${written} writes; ms`);
  for (const [name, times] of held) {
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => at(times, share).padStart(7));
    console.log(`${name.padEnd(18)} held  p50 ${p50}  p99 ${p99}  max ${max}`);
  }
  for (const name of held.keys()) {
    const times = holds.filter(({ event }) => event === name).map(beyondOneCommit);
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => at(times, share).padStart(7));
    console.log(`${name.padEnd(18)} beyond p50 ${p50}  p99 ${p99}  max ${max}`);
  }
  const alone = commitsElsewhere.map(({ from, to }) => to - from);
  console.log(`one commit elsewhere: p50 ${at(alone, 0.5)}  p99 ${at(alone, 0.99)}  max ${at(alone, 1)}`);
  console.log('longest wait of any write meanwhile');
  for (const [name, times] of waits) {
    const changes = durations.get(name);
    const took = changes === undefined ? '' : `  (the change itself took ${at(changes, 0.5)})`;
    const waited = [0.5, 0.99, 1].map((share) => at(times, share).padStart(7));
    console.log(`${name.padEnd(16)} p50 ${waited[0]}  p99 ${waited[1]}  max ${waited[2]}${took}`);
  }
}

function beyondOneCommit(hold: { readonly from: number; readonly to: number }): number {
  const longest = commitsElsewhere.reduce(
    (most, { from, to }) => Math.max(most, Math.min(to, hold.to) - Math.max(from, hold.from)),
    0,
  );
  return hold.to - hold.from - longest;
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
