import type { JsonObject } from '../../../catalog/nosql/nosql-definitions.ts';
import { malformed, optionalObject, requiredText } from '../../../catalog/nosql/policies/json-fields.ts';
import { databaseAt } from '../container-at.ts';
import { type ChildHandlers, childHandlers } from '../definitions/child-handlers.ts';
import { databaseSelf } from '../definitions/shown-definitions.ts';

/** Keys that clients encrypt with, wrapped in a key that the server never sees: kept and shown. */
export const clientEncryptionKeys: ChildHandlers = childHandlers({
  type: 'client-encryption-key',
  word: 'clientencryptionkeys',
  feedName: 'ClientEncryptionKeys',
  ownerOf: (request, context) => {
    const { rid } = databaseAt(request, context);
    return { rid, self: databaseSelf(rid) };
  },
  read: readKey,
});

function readKey(given: JsonObject): JsonObject {
  const metadata = optionalObject(given, 'keyWrapMetadata');
  if (metadata === undefined) throw malformed("the required properties - 'keyWrapMetadata; ' - are missing");
  return {
    encryptionAlgorithm: requiredText(given, 'encryptionAlgorithm'),
    wrappedDataEncryptionKey: requiredText(given, 'wrappedDataEncryptionKey'),
    keyWrapMetadata: textsOf(metadata),
  };
}

/** Names of keys and of how they are wrapped, each a text. */
function textsOf(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(metadata).map((name) => [name, requiredText(metadata, name)]));
}
