import { databaseAt } from '../container-at.ts';
import { type ChildHandlers, childHandlers } from '../definitions/child-handlers.ts';
import { databaseSelf } from '../definitions/shown-definitions.ts';

export const users: ChildHandlers = childHandlers({
  type: 'user',
  word: 'users',
  feedName: 'Users',
  ownerOf: (request, context) => {
    const { rid } = databaseAt(request, context);
    return { rid, self: databaseSelf(rid) };
  },
  read: () => ({}),
});
