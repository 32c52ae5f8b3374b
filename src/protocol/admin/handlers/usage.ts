import { describeUsage } from '../../../execution/describe-usage.ts';
import type { AdminContext } from '../admin-context.ts';
import { type AdminRequest, type AdminResponse, ok } from '../admin-message.ts';

export async function usage(_request: AdminRequest, { throughput }: AdminContext): Promise<AdminResponse> {
  return ok(describeUsage(throughput));
}
