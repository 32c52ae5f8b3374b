// Options after WITH. Their values are kept as text, as Cassandra keeps them; whoever knows the option reads it.

import { isName, isNativeType, isUnreserved } from './cql-token-kind.ts';
import { parseName } from './names.ts';
import { printTerm } from './print-term.ts';
import { isConstant, type MapEntry, parseConstant, parseMapLiteral, type Term } from './terms.ts';
import type { TokenCursor } from './token-cursor.ts';

export type PropertyValue = string | ReadonlyMap<string, string>;

/** By name, in the order written. Names that Cassandra does not know, such as cosmosdb_*, are here like any other. */
export type Properties = ReadonlyMap<string, PropertyValue>;

/** `name = value AND …`. */
export function parseProperties(cursor: TokenCursor): Properties {
  const properties = new Map<string, PropertyValue>();
  parseProperty(cursor, properties);
  while (cursor.accept('and')) parseProperty(cursor, properties);
  return properties;
}

export function parseProperty(cursor: TokenCursor, properties: Map<string, PropertyValue>): void {
  const name = parsePropertyName(cursor);
  const value = cursor.kind === '{' ? parsePropertyMap(cursor) : parsePropertyValue(cursor);
  if (properties.has(name)) cursor.refuse(`Multiple definitions for property '${name}'`);
  properties.set(name, value);
}

/** Which of its two alternatives an option takes is decided before its name is read, so it is refused there. */
function parsePropertyName(cursor: TokenCursor): string {
  if (!isName(cursor.kind)) cursor.noViableAlternative();
  if (cursor.peek(1) !== '=') cursor.noViableAlternative(1);
  const value = cursor.peek(2);
  if (value !== '{' && !isConstant(value) && !isUnreserved(value)) cursor.noViableAlternative(2);
  const name = parseName(cursor);
  cursor.skip('=');
  return name;
}

function parsePropertyValue(cursor: TokenCursor): string {
  const constant = parseConstant(cursor);
  if (constant !== undefined) return constant.text;
  const { kind } = cursor;
  if (!isUnreserved(kind)) cursor.noViableAlternative();
  const word = cursor.take();
  return isNativeType(kind) ? kind : word;
}

/** `{'class': 'SimpleStrategy', …}`: literals only. */
export function parsePropertyMap(cursor: TokenCursor): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  for (const entry of parseMapLiteral(cursor)) addEntry(cursor, properties, entry);
  return properties;
}

function addEntry(cursor: TokenCursor, properties: Map<string, string>, { key, value }: MapEntry): void {
  if (key.kind !== 'constant') {
    cursor.refuse(`Invalid property name: ${printTerm(key)}${noteOnMarkers(key)}`);
    return;
  }
  if (value.kind !== 'constant') {
    const name = printTerm(key);
    cursor.refuse(`Invalid property value: ${printTerm(value)} for property: ${name}${noteOnMarkers(value)}`);
    return;
  }
  if (properties.has(key.text)) cursor.refuse(`Multiple definition for property ${key.text}`);
  properties.set(key.text, value.text);
}

function noteOnMarkers(term: Term): string {
  return term.kind === 'marker' ? ' (bind variables are not supported in DDL queries)' : '';
}
