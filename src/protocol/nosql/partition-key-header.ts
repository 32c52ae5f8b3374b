import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { invalidRequest } from '../../errors/invalid-request.ts';
import { missingKeyOf } from '../../execution/nosql/items/item-partition-key.ts';
import { keyNotOfContainer } from '../../execution/nosql/items/item-refusals.ts';
import type { JsonKeyComponent } from '../../partitioning/json-key-component.ts';
import type { NosqlRequest } from './nosql-message.ts';
import { headerOf } from './request-options.ts';

/**
 * The key that a request names; of a hierarchical one perhaps only its first levels. Undefined when it names none, which is not the
 * same as naming that of items without a key.
 */
export function partitionKeyInHeader(
  request: Pick<NosqlRequest, 'headers'>,
  container: ContainerDefinition,
): readonly JsonKeyComponent[] | undefined {
  const text = headerOf(request, 'x-ms-documentdb-partitionkey');
  return text === undefined ? undefined : parsePartitionKey(text, container);
}

/** `["a"]`, `["a",1]`, `[null]`; `[{}]` and `[]` stand for items without the key. */
export function parsePartitionKey(text: string, container: ContainerDefinition): readonly JsonKeyComponent[] {
  const components = componentsOf(text);
  const levels = container.partitionKeyPaths.length;
  if (components.length === levels) return components;
  if (components.length === 0 || (components.length === 1 && components[0] === undefined))
    return missingKeyOf(container);
  if (container.partitionKey.kind !== 'hierarchical' || components.length > levels) throw keyNotOfContainer();
  return components;
}

function componentsOf(text: string): JsonKeyComponent[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw invalidKey(text, error);
  }
  if (!Array.isArray(parsed)) throw invalidKey(text);
  return parsed.map((value: unknown) => {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        // JSON can write -0, and it is the same key as 0.
        return value + 0;
      default:
        if (value === null) return null;
        if (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0)
          return undefined;
        throw invalidKey(text);
    }
  });
}

function invalidKey(text: string, cause?: unknown): Error {
  return invalidRequest(`Partition key ${text.slice(0, 200)} is invalid.`, cause);
}
