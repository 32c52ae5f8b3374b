import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { type ItemPatch, parsePatch } from '../../execution/nosql/items/item-patch.ts';
import { invalidPayload } from '../../execution/nosql/items/item-refusals.ts';
import { compilePredicate } from '../../language/sql/compile-predicate.ts';
import { jsonTextOf } from '../../values/parse-json.ts';
import type { NosqlContext } from './nosql-context.ts';
import { queryContextOf } from './query-request.ts';

/** A patch as a client sent it, checked, with its condition ready to be asked. Of JSON text or of bytes that may be none. */
export function draftPatch(
  context: NosqlContext,
  container: ContainerDefinition,
  body: Buffer | string,
): ItemPatch {
  const text = typeof body === 'string' ? body : jsonTextOf(body, invalidPayload);
  const { operations, condition } = parsePatch(text);
  if (condition === undefined) return { operations, condition };
  const surroundings = queryContextOf(context, container);
  // Operations may be run again, and must then see the same time and the same chance.
  const { startedAt } = surroundings;
  const chance = surroundings.random();
  const steady = { ...surroundings, now: () => startedAt, random: () => chance };
  return { operations, condition: compilePredicate(condition, steady) };
}
