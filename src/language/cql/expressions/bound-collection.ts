import { sortedCollection } from '../../../values/cql-codec.ts';
import { readCollection, writeCollection } from '../../../values/cql-elements.ts';
import { compareCqlValues } from '../../../values/cql-order.ts';
import type { CqlType } from '../../../values/cql-type.ts';

/** Whether clients may have sent values of the type in an order that is not its own. */
export function hasOrderOfItsOwn(type: CqlType): boolean {
  switch (type.kind) {
    case 'set':
    case 'map':
      return true;
    case 'list':
      return hasOrderOfItsOwn(type.element);
    default:
      return false;
  }
}

/**
 * The value with sets and maps, and those inside lists, sets and maps, in their order and each key once. Those inside tuples stay as
 * they came, as in Cassandra. The very bytes that were given, if they are in order.
 */
export function inOrder(type: CqlType, bytes: Buffer): Buffer {
  switch (type.kind) {
    case 'list': {
      if (!hasOrderOfItsOwn(type.element)) return bytes;
      const elements = readCollection(bytes, 1);
      const ordered = elements.map((element) => inOrder(type.element, element));
      return isUnchanged(elements, ordered) ? bytes : writeCollection(ordered, 1);
    }
    case 'set': {
      const elements = readCollection(bytes, 1);
      const ordered = elements.map((element) => inOrder(type.element, element));
      if (isUnchanged(elements, ordered) && isAscending(type.element, ordered)) return bytes;
      return sortedCollection([type.element], ordered);
    }
    case 'map': {
      const parts = readCollection(bytes, 2);
      const ordered = parts.map((part, at) => inOrder(at % 2 === 0 ? type.key : type.value, part));
      const keys = ordered.filter((_part, at) => at % 2 === 0);
      if (isUnchanged(parts, ordered) && isAscending(type.key, keys)) return bytes;
      return sortedCollection([type.key, type.value], ordered);
    }
    default:
      return bytes;
  }
}

function isUnchanged(before: readonly Buffer[], after: readonly Buffer[]): boolean {
  return before.every((part, at) => part === after[at]);
}

function isAscending(type: CqlType, keys: readonly Buffer[]): boolean {
  return keys.every((key, at) => at === 0 || compareCqlValues(type, keys[at - 1] ?? null, key) < 0);
}
