import type { ByteString } from '../../../foundation/byte-string.ts';
import { chargedFailure } from '../../../throughput/charged-failure.ts';
import { fromHundredths, hundredthsOf } from '../../../throughput/request-units.ts';
import type { CqlParts } from '../cql-parts.ts';
import { pointReadTraits } from '../reads/read-charges.ts';
import type { StatementAnswer } from '../statement-request.ts';
import { applyPartitionWrite } from './apply-partition-write.ts';
import { writeOperation } from './cql-operation-kinds.ts';
import { type Looked, lookForWrite } from './look-for-write.ts';
import type { PartitionWrite, RowStep } from './partition-write.ts';
import { refuseIfExhausted, type TargetedWrite, type WriteManner } from './transact-governed.ts';

type Write = (manner: WriteManner) => StatementAnswer | Promise<StatementAnswer>;

/**
 * A write over several logical partitions may find in one that an element of a list is not there. Cassandra looks at all of them
 * before it writes to any; so do we. What it looks at is charged with the write.
 */
export function refuseHopeless(
  parts: CqlParts,
  targets: readonly TargetedWrite[],
  manner: WriteManner,
  write: Write,
): StatementAnswer | Promise<StatementAnswer> {
  if (targets.length < 2) return write(manner);
  const looking = targets.filter((target) => needsElements(target.write));
  if (looking.length === 0) return write(manner);
  // Once for all: what it spends by looking must not be held against the write that it belongs to.
  if (manner.mayBeRefused) for (const target of targets) refuseIfExhausted(parts, target);
  return lookAndWrite(parts, looking, { ...manner, mayBeRefused: false }, write);
}

async function lookAndWrite(
  parts: CqlParts,
  looking: readonly TargetedWrite[],
  manner: WriteManner,
  write: Write,
): Promise<StatementAnswer> {
  let hundredths = 0;
  try {
    for (const target of looking) {
      const { found, chargeRu } = await readDeclared(parts, target);
      hundredths += hundredthsOf(chargeRu);
      const rows = { get: (key: ByteString) => found.get(key) ?? null, range: () => [] };
      const decision = applyPartitionWrite(target.write, rows);
      if (decision.kind === 'refuse') throw decision.error;
    }
    const answer = await write(manner);
    return { ...answer, chargeRu: fromHundredths(hundredths + hundredthsOf(answer.chargeRu)) };
  } catch (error) {
    throw chargedFailure(error, fromHundredths(hundredths));
  }
}

type FoundRows = ReadonlyMap<ByteString, Buffer | null>;

function readDeclared(
  parts: CqlParts,
  { write, logicalPartition }: TargetedWrite,
): Promise<Looked<FoundRows>> {
  const { store } = parts.throughput;
  const { keys } = writeOperation(write).reads;
  return lookForWrite(parts, logicalPartition, pointReadTraits, async (address, meter) => {
    const found = new Map<ByteString, Buffer | null>();
    for (const key of keys) {
      const outcome = await store.read(address, key);
      if (outcome.kind === 'refused') throw outcome.error;
      if (outcome.kind === 'moved') return undefined;
      found.set(key, outcome.value);
      meter.add({ kind: 'read-item', itemBytes: outcome.value?.length ?? 0, consistencyMultiplier: 1 });
    }
    return found;
  });
}

function needsElements({ rows, staticSteps }: PartitionWrite): boolean {
  return staticSteps.some(needsElement) || rows.some(({ steps }) => steps.some(needsElement));
}

function needsElement(step: RowStep): boolean {
  return step.some(({ kind }) => kind === 'list-set' || kind === 'list-remove');
}
