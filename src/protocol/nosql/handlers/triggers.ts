import type { JsonObject } from '../../../catalog/nosql/nosql-definitions.ts';
import { oneOf, requiredText } from '../../../catalog/nosql/policies/json-fields.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { type ChildHandlers, childHandlers } from '../definitions/child-handlers.ts';
import { scriptOwner } from '../definitions/script-owner.ts';

const types = ['pre', 'post'] as const;
const operations = ['all', 'create', 'replace', 'delete', 'update', 'upsert'] as const;

export const triggers: ChildHandlers = childHandlers({
  type: 'trigger',
  word: 'triggers',
  feedName: 'Triggers',
  ownerOf: scriptOwner,
  read: (given) => ({
    body: requiredText(given, 'body'),
    triggerType: wordOf(given, 'triggerType', types),
    triggerOperation: wordOf(given, 'triggerOperation', operations),
  }),
});

/** In the letters that the client chose: SDKs compare. */
function wordOf(given: JsonObject, name: string, words: readonly string[]): string {
  const text = requiredText(given, name);
  if (oneOf(words, text) === undefined)
    throw invalidRequest(`The value '${text}' of '${name}' is invalid. It is one of ${words.join(', ')}.`);
  return text;
}
