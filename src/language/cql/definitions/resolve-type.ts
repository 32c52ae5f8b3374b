// From a type as it was written to the type that it is, with Cassandra's rules on what may stand inside what.

import { isDeepStrictEqual } from 'node:util';
import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { type CqlType, freeze, parseCqlType, printCqlType } from '../../../values/cql-type.ts';
import { parseTypeClass } from '../../../values/cql-type-class.ts';
import { printTypeName } from '../print-type-name.ts';
import type { TypeName } from '../type-name.ts';

/**
 * `keyspace` is that of the statement: user types are found there and nowhere else.
 * @public
 */
export function resolveType(type: TypeName, schema: CqlSchema, keyspace: string | undefined): CqlType {
  return resolve(pushFrozen(type), { schema, keyspace }, false);
}

interface Surroundings {
  readonly schema: CqlSchema;
  readonly keyspace: string | undefined;
}

/** The same type with `frozen` said of everything that it holds for, as Cassandra repeats it in its messages. */
export function pushFrozen(type: TypeName): TypeName {
  switch (type.kind) {
    case 'frozen':
      return freezeName(pushFrozen(type.type));
    case 'list':
    case 'set':
      return { kind: type.kind, element: pushFrozen(type.element) };
    case 'map':
      return { kind: 'map', key: pushFrozen(type.key), value: pushFrozen(type.value) };
    case 'tuple':
      return { kind: 'tuple', elements: type.elements.map((element) => freezeName(pushFrozen(element))) };
    case 'vector':
      return { ...type, element: pushFrozen(type.element) };
    default:
      return type;
  }
}

/** As Cassandra repeats a type once it has looked for it: user types with their keyspace. */
export function printResolved(type: TypeName, keyspace: string): string {
  return printTypeName(qualify(pushFrozen(type), keyspace));
}

function qualify(type: TypeName, keyspace: string): TypeName {
  switch (type.kind) {
    case 'userType':
      return { kind: 'userType', name: { keyspace, name: type.name.name } };
    case 'frozen':
      return { kind: 'frozen', type: qualify(type.type, keyspace) };
    case 'list':
    case 'set':
    case 'vector':
      return { ...type, element: qualify(type.element, keyspace) };
    case 'map':
      return { kind: 'map', key: qualify(type.key, keyspace), value: qualify(type.value, keyspace) };
    case 'tuple':
      return { kind: 'tuple', elements: type.elements.map((element) => qualify(element, keyspace)) };
    default:
      return type;
  }
}

function freezeName(type: TypeName): TypeName {
  switch (type.kind) {
    case 'list':
    case 'set':
      return { kind: 'frozen', type: { kind: type.kind, element: freezeName(type.element) } };
    case 'map': {
      const inside = { kind: 'map', key: freezeName(type.key), value: freezeName(type.value) } as const;
      return { kind: 'frozen', type: inside };
    }
    case 'userType':
      return { kind: 'frozen', type };
    default:
      return type;
  }
}

function resolve(type: TypeName, around: Surroundings, isFrozen: boolean): CqlType {
  switch (type.kind) {
    case 'native':
      return { kind: type.name === 'varchar' ? 'text' : type.name };
    case 'custom':
      return resolveClass(type.className, around);
    case 'frozen':
      return freeze(resolve(type.type, around, true));
    case 'userType':
      return resolveUserType(type.name, around);
    case 'tuple':
      return { kind: 'tuple', fields: type.elements.map((element) => resolveTupleField(element, around)) };
    case 'vector':
      return resolveVector(type, around);
    case 'list':
    case 'set':
      checkValues(type, type.element, isFrozen);
      if (type.kind === 'set' && isNative(type.element, 'duration'))
        throw invalidRequest(`Durations are not allowed inside sets: ${shown(type, isFrozen)}`);
      return { kind: type.kind, element: resolve(type.element, around, isFrozen), frozen: isFrozen };
    case 'map': {
      checkValues(type, type.value, isFrozen);
      checkKeys(type, type.key, isFrozen);
      const value = resolve(type.value, around, isFrozen);
      return { kind: 'map', key: resolve(type.key, around, isFrozen), value, frozen: isFrozen };
    }
  }
}

function checkValues(collection: TypeName, values: TypeName, isFrozen: boolean): void {
  checkNesting(collection, values, isFrozen);
  checkCounter(collection, values, isFrozen);
}

/** In another order than values: Cassandra looks at the nesting of keys last. */
function checkKeys(collection: TypeName, keys: TypeName, isFrozen: boolean): void {
  checkCounter(collection, keys, isFrozen);
  if (isNative(keys, 'duration'))
    throw invalidRequest(`Durations are not allowed as map keys: ${shown(collection, isFrozen)}`);
  checkNesting(collection, keys, isFrozen);
}

function checkNesting(collection: TypeName, inside: TypeName, isFrozen: boolean): void {
  if (isFrozen) return;
  if (inside.kind === 'list' || inside.kind === 'set' || inside.kind === 'map')
    throw invalidRequest(
      `Non-frozen collections are not allowed inside collections: ${printTypeName(collection)}`,
    );
  if (inside.kind === 'userType')
    throw invalidRequest(`Non-frozen UDTs are not allowed inside collections: ${printTypeName(collection)}`);
}

function checkCounter(collection: TypeName, inside: TypeName, isFrozen: boolean): void {
  if (isNative(inside, 'counter'))
    throw invalidRequest(`Counters are not allowed inside collections: ${shown(collection, isFrozen)}`);
}

function isNative(type: TypeName, name: 'counter' | 'duration'): boolean {
  return type.kind === 'native' && type.name === name;
}

function shown(collection: TypeName, isFrozen: boolean): string {
  const text = printTypeName(collection);
  return isFrozen ? `frozen<${text}>` : text;
}

function resolveTupleField(type: TypeName, around: Surroundings): CqlType {
  if (isNative(type, 'counter')) throw invalidRequest('Counters are not allowed inside tuples');
  return resolve(type, around, true);
}

/** Cassandra does it while it reads the text. */
function resolveClass(className: string, { schema, keyspace = '' }: Surroundings): CqlType {
  try {
    const { type } = parseTypeClass(className);
    // It is kept by its name in CQL: a type that this does not say would be another, or none, after the next start.
    const types = schema.keyspaces.get(keyspace)?.types;
    const kept = parseCqlType(printCqlType(type), (name) => types?.get(name));
    if (!isDeepStrictEqual(kept, type)) throw invalidRequest(`${className} is no type of the keyspace`);
    return type;
  } catch (cause) {
    const qualified = className.includes('.') ? className : `org.apache.cassandra.db.marshal.${className}`;
    const reason = `Error setting type ${className}: Unable to find abstract-type class '${qualified}'`;
    throw new RingfoldError('cql-syntax', { reason }, cause);
  }
}

function resolveVector(
  { element, dimension }: Extract<TypeName, { kind: 'vector' }>,
  around: Surroundings,
): CqlType {
  const type = resolve(element, around, false);
  if (dimension <= 0) throw invalidRequest(`vectors may only have positive dimensions; given ${dimension}`);
  return { kind: 'vector', element: type, dimension };
}

function resolveUserType(
  { keyspace: written, name }: Extract<TypeName, { kind: 'userType' }>['name'],
  { schema, keyspace = '' }: Surroundings,
): CqlType {
  if (written !== null && written !== keyspace) {
    throw invalidRequest(
      `Statement on keyspace ${keyspace} cannot refer to a user type in keyspace ${written}; user types can only be used in the keyspace they are defined in`,
    );
  }
  const found = schema.keyspaces.get(keyspace);
  if (found === undefined)
    throw new RingfoldError('cql-configuration', { reason: `Keyspace ${keyspace} doesn't exist` });
  const type = found.types.get(name);
  if (type === undefined) throw invalidRequest(`Unknown type ${keyspace}.${name}`);
  return type;
}
