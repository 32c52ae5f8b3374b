import { version } from '../../../version.ts';
import type { AdminContext } from '../admin-context.ts';
import { type AdminRequest, type AdminResponse, ok } from '../admin-message.ts';

export async function status(
  _request: AdminRequest,
  { store, cqlPort }: AdminContext,
): Promise<AdminResponse> {
  return ok({ version, cql: { port: cqlPort, isOpen: true }, ...store.status() });
}
