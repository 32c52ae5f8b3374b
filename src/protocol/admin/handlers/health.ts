import { errorKinds } from '../../../errors/error-codes.ts';
import { quorumOf } from '../../../partitioning/replica-set.ts';
import type { AdminContext } from '../admin-context.ts';
import type { AdminRequest, AdminResponse } from '../admin-message.ts';

/** 200 while everything can be read and written, 503 otherwise: what a load balancer asks. Who may look here is told the reasons. */
export async function health({ rights }: AdminRequest, { store }: AdminContext): Promise<AdminResponse> {
  const { nodes, partitions, writesRefused } = store.status();
  const reasons = partitions
    .filter(({ state, members, levelReplicas }) => {
      return state !== 'serving' || levelReplicas < quorumOf(members.length);
    })
    .map(({ container, id, state, members, levelReplicas }) => {
      const replicas = `${levelReplicas} of ${members.length} replicas level`;
      return `physical partition ${id} of container ${container} is ${state}, ${replicas}`;
    });
  if (writesRefused !== undefined) reasons.unshift(errorKinds[writesRefused].text);
  const isHealthy = reasons.length === 0;
  const status = isHealthy ? 200 : 503;
  if (rights === 'none') return { status, body: { healthy: isHealthy } };
  const nodeStates = nodes.map(({ nodeId, state, reason }) => ({ nodeId, state, reason }));
  return { status, body: { healthy: isHealthy, reasons, nodes: nodeStates } };
}
