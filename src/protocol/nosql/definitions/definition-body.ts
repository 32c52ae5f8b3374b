// Bodies of definitions, as far as all kinds have them in common.

import type { JsonObject } from '../../../catalog/nosql/nosql-definitions.ts';
import { isObject, requiredText } from '../../../catalog/nosql/policies/json-fields.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { invalidPayload } from '../../../execution/nosql/items/item-refusals.ts';
import { parseJson } from '../../../values/parse-json.ts';
import type { NosqlRequest } from '../nosql-message.ts';

/** Characters; Microsoft's concepts-limits page. */
const maxIdLength = 255;

/** The body as an object; nothing is known of its members. */
export function objectIn({ body }: Pick<NosqlRequest, 'body'>): JsonObject {
  const value = parseJson(body, invalidPayload);
  if (!isObject(value)) throw invalidRequest('The request payload is invalid. It is not a JSON object.');
  return value;
}

/** The id of a database, a container, or anything else but an item. */
export function idIn(object: JsonObject): string {
  const id = requiredText(object, 'id');
  if (id.length === 0 || id.length > maxIdLength || /\p{Cs}/u.test(id))
    throw invalidRequest(
      `The input name '${id}' is invalid. Ensure to provide a unique non-empty string less than '${maxIdLength + 1}' characters.`,
    );
  if (/[/\\?#\t\r\n]/.test(id) || id.endsWith(' '))
    throw invalidRequest(
      `The input name '${id}' is invalid. Ensure that it has none of the characters '/', '\\', '?', '#' and no tab or line break, and does not end with a space.`,
    );
  return id;
}
