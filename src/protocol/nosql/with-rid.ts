import type { ItemTarget } from './item-request.ts';
import type { NosqlContext } from './nosql-context.ts';
import type { NosqlResponse } from './nosql-message.ts';

/** Writes an item that may be new, with a number for it: at once, as nearly always there is one. */
export function withRid(
  { parts }: NosqlContext,
  { container }: ItemTarget,
  write: (rid: number) => Promise<NosqlResponse>,
): Promise<NosqlResponse> {
  const rid = parts.catalog.nextRid(container);
  return typeof rid === 'number' ? write(rid) : rid.then(write);
}
