import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { JsonObject } from '../nosql-definitions.ts';
import { readNames } from '../property-path.ts';
import { malformed, optionalObjects } from './json-fields.ts';

export interface UniqueKeyPolicy {
  readonly uniqueKeys: readonly (readonly (readonly string[])[])[];
  readonly shown: JsonObject;
}

/** Microsoft's unique-keys page. */
const limits = { constraints: 10, paths: 16 } as const;

export function readUniqueKeys(given: JsonObject): UniqueKeyPolicy {
  const constraints = optionalObjects(given, 'uniqueKeys').map(textsOf);
  if (constraints.length > limits.constraints)
    throw invalidRequest(`The unique key policy has more than ${limits.constraints} unique keys.`);
  const inOrder = constraints.map((paths) => JSON.stringify([...paths].sort()));
  if (new Set(inOrder).size !== inOrder.length)
    throw invalidRequest('The unique key policy has the same unique key twice.');
  return {
    uniqueKeys: constraints.map((paths) => paths.map(namesOf)),
    shown: { uniqueKeys: constraints.map((paths) => ({ paths })) },
  };
}

function textsOf({ paths }: JsonObject): readonly string[] {
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === 'string'))
    throw malformed("the property 'paths' of a unique key is not an array of strings.");
  if (paths.length === 0 || paths.length > limits.paths)
    throw invalidRequest(`A unique key has 1 to ${limits.paths} paths.`);
  if (new Set(paths).size !== paths.length) throw invalidRequest('A unique key has the same path twice.');
  return paths;
}

function namesOf(path: string): readonly string[] {
  const names = readNames(path);
  if ('position' in names)
    throw invalidRequest(
      `The unique key path '${path}' could not be accepted, failed near position '${names.position}'. Please ensure that the path is a valid path.`,
    );
  return names;
}
