import { opcodes } from '../opcode.ts';
import type { ResponseWriter } from '../response-writer.ts';

/** Events answer no request. */
export const eventStream = -1;

/** Something happened to a node of the cluster, as clients see it. */
export type NodeEvent =
  | { readonly type: 'TOPOLOGY_CHANGE'; readonly change: 'NEW_NODE' | 'REMOVED_NODE' | 'MOVED_NODE' }
  | { readonly type: 'STATUS_CHANGE'; readonly change: 'UP' | 'DOWN' };

/** The address has 4 or 16 bytes. */
export function writeNodeEvent(
  out: ResponseWriter,
  event: NodeEvent,
  address: Uint8Array,
  port: number,
): void {
  out.begin(opcodes.event, eventStream);
  out.string(event.type);
  out.string(event.change);
  out.byte(address.length);
  out.raw(address);
  out.int(port);
  out.end();
}
