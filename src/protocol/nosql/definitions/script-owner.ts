import { containerAt } from '../container-at.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlRequest } from '../nosql-message.ts';
import type { ChildOwner } from './child-handlers.ts';
import { containerSelf } from './shown-definitions.ts';

/** Scripts belong to the container that their path leads through. */
export function scriptOwner(request: NosqlRequest, context: NosqlContext): ChildOwner {
  const container = containerAt(request, context);
  return { rid: container.rid, self: containerSelf(container) };
}
