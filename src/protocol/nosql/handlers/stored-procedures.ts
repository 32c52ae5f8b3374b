import { requiredText } from '../../../catalog/nosql/policies/json-fields.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import {
  type ChildHandlers,
  type ChildKind,
  childHandlers,
  childNamed,
} from '../definitions/child-handlers.ts';
import { scriptOwner } from '../definitions/script-owner.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';

const kind: ChildKind = {
  type: 'stored-procedure',
  word: 'sprocs',
  feedName: 'StoredProcedures',
  ownerOf: scriptOwner,
  read: (given) => ({ body: requiredText(given, 'body') }),
};

export const storedProcedures: ChildHandlers = childHandlers(kind);

export const runStoredProcedure: NosqlHandler<NosqlContext> = (request, context) => {
  const { id } = childNamed(kind, request, context);
  throw new RingfoldError('not-implemented', {
    reason: `The stored procedure '${id}' cannot be run: stored procedures, triggers and user-defined functions are kept and returned by this version, and not run.`,
  });
};
