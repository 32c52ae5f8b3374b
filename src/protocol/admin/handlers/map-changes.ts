import { byteStringFromHex } from '../../../foundation/byte-string.ts';
import type { NodeId } from '../../../partitioning/replica-set.ts';
import type { RingPosition } from '../../../partitioning/ring-position.ts';
import type { AdminContext } from '../admin-context.ts';
import {
  type AdminRequest,
  type AdminResponse,
  badRequest,
  jsonBody,
  numberIn,
  ok,
} from '../admin-message.ts';
import { containerIn } from './containers.ts';

/** `{partition, at: "midpoint" | "median" | hexadecimal ring position}`; answers with the map after it, as all three do. */
export async function splitPartition(request: AdminRequest, { store }: AdminContext): Promise<AdminResponse> {
  const { container } = containerIn(request, { store });
  const { partition, at = 'midpoint' } = jsonBody(request, ['partition', 'at']);
  return ok(await store.splitPartition(container, numberIn(partition, 'partition'), cutIn(at)));
}

/** `{left, right}`: neighbours on the ring. */
export async function mergePartitions(
  request: AdminRequest,
  { store }: AdminContext,
): Promise<AdminResponse> {
  const { container } = containerIn(request, { store });
  const { left, right } = jsonBody(request, ['left', 'right']);
  return ok(await store.mergePartitions(container, numberIn(left, 'left'), numberIn(right, 'right')));
}

/** `{partition, from, to}`: storage nodes by number. */
export async function moveReplica(request: AdminRequest, { store }: AdminContext): Promise<AdminResponse> {
  const { container } = containerIn(request, { store });
  const { partition, from, to } = jsonBody(request, ['partition', 'from', 'to']);
  const [source, target] = [numberIn(from, 'from') as NodeId, numberIn(to, 'to') as NodeId];
  return ok(await store.moveReplica(container, numberIn(partition, 'partition'), source, target));
}

function cutIn(at: unknown): RingPosition | 'midpoint' | 'median' {
  if (at === 'midpoint' || at === 'median') return at;
  if (typeof at === 'string' && /^([0-9a-fA-F]{2}){1,64}$/.test(at))
    return byteStringFromHex(at) as RingPosition;
  throw badRequest('"at" is "midpoint", "median" or a ring position in hexadecimal');
}
