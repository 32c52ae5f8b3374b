import type { AdminContext } from '../admin-context.ts';
import { type AdminRequest, type AdminResponse, jsonBody, ok } from '../admin-message.ts';

/** Compares all replicas now; answers when every partition has been gone through. */
export async function scrub(request: AdminRequest, { store }: AdminContext): Promise<AdminResponse> {
  jsonBody(request, []);
  return ok(await store.scrub());
}
