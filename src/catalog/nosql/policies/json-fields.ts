// Reading what a client sent: nothing is known of it but that it is JSON.

import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { JsonObject } from '../nosql-definitions.ts';

/** What the service says of a body that has not the form of its resource. */
export function malformed(what: string): Error {
  return invalidRequest(`The input content is invalid because ${what}`);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null is as good as absent. */
export function optionalObject(owner: JsonObject, name: string): JsonObject | undefined {
  const value = owner[name] ?? undefined;
  if (value === undefined) return undefined;
  if (!isObject(value)) throw malformed(`the property '${name}' is not an object.`);
  return value;
}

export function optionalObjects(owner: JsonObject, name: string): readonly JsonObject[] {
  const value = owner[name] ?? undefined;
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every(isObject))
    throw malformed(`the property '${name}' is not an array of objects.`);
  return value;
}

export function requiredText(owner: JsonObject, name: string): string {
  const value = owner[name];
  if (typeof value !== 'string') throw malformed(`the required properties - '${name}; ' - are missing`);
  return value;
}

export function textOr(owner: JsonObject, name: string, missing: string): string {
  const value = owner[name] ?? missing;
  if (typeof value !== 'string') throw malformed(`the property '${name}' is not a string.`);
  return value;
}

export function optionalInteger(owner: JsonObject, name: string): number | undefined {
  const value = owner[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw malformed(`the property '${name}' is not a whole number.`);
  return value;
}

/** The member of a list that is the same but for the case of its letters; undefined if none is. */
export function oneOf<T extends string>(names: readonly T[], text: string): T | undefined {
  const wanted = text.toLowerCase();
  return names.find((name) => name.toLowerCase() === wanted);
}
