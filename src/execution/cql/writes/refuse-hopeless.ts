import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import type { CqlParts } from '../cql-parts.ts';
import { applyPartitionWrite } from './apply-partition-write.ts';
import { writeOperation } from './cql-operation-kinds.ts';
import type { PartitionWrite, RowStep } from './partition-write.ts';
import type { TargetedWrite } from './transact-governed.ts';

const maxMoves = 10;

/**
 * A write over several logical partitions may find in one that an element of a list is not there. Cassandra looks at all of them
 * before it writes to any; so do we. Undefined where there is nothing to look at.
 */
export function refuseHopeless(
  parts: CqlParts,
  targets: readonly TargetedWrite[],
): Promise<void> | undefined {
  if (targets.length < 2) return undefined;
  const looking = targets.filter(({ write }) => needsElements(write));
  return looking.length === 0 ? undefined : tryAll(parts, looking);
}

async function tryAll(parts: CqlParts, targets: readonly TargetedWrite[]): Promise<void> {
  for (const { logicalPartition, write } of targets) {
    const found = new Map<ByteString, Buffer | null>();
    for (const key of writeOperation(write).reads.keys) {
      found.set(key, await readRow(parts, logicalPartition, key));
    }
    const decision = applyPartitionWrite(write, { get: (key) => found.get(key) ?? null, range: () => [] });
    if (decision.kind === 'refuse') throw decision.error;
  }
}

function needsElements({ rows, staticSteps }: PartitionWrite): boolean {
  return staticSteps.some(needsElement) || rows.some(({ steps }) => steps.some(needsElement));
}

function needsElement(step: RowStep): boolean {
  return step.some(({ kind }) => kind === 'list-set' || kind === 'list-remove');
}

async function readRow(
  { throughput: { store } }: CqlParts,
  { container, ringPosition }: LogicalPartition,
  key: ByteString,
): Promise<Buffer | null> {
  for (let moves = 0; moves < maxMoves; moves++) {
    const physicalPartition = store.mapOf(container)?.ownerOf(ringPosition).id;
    if (physicalPartition === undefined) throw new RingfoldError('container-not-found', { container });
    const outcome = await store.read({ container, physicalPartition }, key);
    if (outcome.kind === 'refused') throw outcome.error;
    if (outcome.kind !== 'moved') return outcome.value;
  }
  throw new RingfoldError('partition-busy', { moves: maxMoves });
}
