// Rows by hand, for operators and for trying the store before the doors exist. Both keys are texts, placed as CQL would
// place a text partition key; what was written through a door is not found this way.

import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { type ByteString, byteStringOf, concatBytes } from '../../../foundation/byte-string.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import { putRows } from '../../../storage/operation-kinds.ts';
import type { Outcome } from '../../../storage/partition-store.ts';
import type { AdminContext } from '../admin-context.ts';
import { type AdminRequest, type AdminResponse, HttpRefusal, ok } from '../admin-message.ts';
import { containerIn } from './containers.ts';

/** Each is a split or a merge that happened between looking at the map and using it. */
const maxMoves = 10;

export async function readRow(request: AdminRequest, context: AdminContext): Promise<AdminResponse> {
  const { store } = context;
  for (let moves = 0; moves < maxMoves; moves++) {
    const { address, key } = placeOf(request, context);
    const outcome = await store.read(address, key);
    if (outcome.kind === 'moved') continue;
    if (outcome.kind === 'refused') throw outcome.error;
    if (outcome.value === null) throw new HttpRefusal(404, 'There is no such row.');
    return ok(outcome.value);
  }
  throw new RingfoldError('partition-busy', { moves: maxMoves });
}

export async function putRow(request: AdminRequest, context: AdminContext): Promise<AdminResponse> {
  return writeRow(request, context, request.body);
}

export async function deleteRow(request: AdminRequest, context: AdminContext): Promise<AdminResponse> {
  return writeRow(request, context, null);
}

async function writeRow(
  request: AdminRequest,
  context: AdminContext,
  value: Buffer | null,
): Promise<AdminResponse> {
  const { store } = context;
  for (let moves = 0; moves < maxMoves; moves++) {
    const { address, logicalPartition, key } = placeOf(request, context);
    const outcome = await new Promise<Outcome>((done) =>
      store.transact(address, logicalPartition, putRows([{ key, value }]), done),
    );
    switch (outcome.kind) {
      case 'committed':
        return ok({ ...address, mark: outcome.mark });
      case 'refused':
        throw outcome.error;
      case 'unknown':
        throw new RingfoldError('outcome-unknown', { transactionId: outcome.transactionId });
      case 'moved':
    }
  }
  throw new RingfoldError('partition-busy', { moves: maxMoves });
}

interface Place {
  readonly address: { readonly container: number; readonly physicalPartition: number };
  readonly logicalPartition: LogicalPartition;
  readonly key: ByteString;
}

function placeOf(request: AdminRequest, context: AdminContext): Place {
  const { container, map } = containerIn(request, context);
  const { partitionKey = '', rowKey = '' } = request.parameters;
  const logicalPartition = new LogicalPartition(container, cqlPartitionKey([Buffer.from(partitionKey)]));
  const physicalPartition = map.ownerOf(logicalPartition.ringPosition).id;
  const key = concatBytes(logicalPartition.prefix, byteStringOf(Buffer.from(rowKey)));
  return { address: { container, physicalPartition }, logicalPartition, key };
}
