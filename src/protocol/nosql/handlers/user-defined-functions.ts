import { requiredText } from '../../../catalog/nosql/policies/json-fields.ts';
import { type ChildHandlers, childHandlers } from '../definitions/child-handlers.ts';
import { scriptOwner } from '../definitions/script-owner.ts';

export const userDefinedFunctions: ChildHandlers = childHandlers({
  type: 'user-defined-function',
  word: 'udfs',
  feedName: 'UserDefinedFunctions',
  ownerOf: scriptOwner,
  read: (given) => ({ body: requiredText(given, 'body') }),
});
