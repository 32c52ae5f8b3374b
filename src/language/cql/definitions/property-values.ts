// Options are kept as text; these read what stands in it, and refuse the rest in Cassandra's words.

import { readFloating, readInteger } from '../../../values/java-number-text.ts';
import type { Properties } from '../properties.ts';
import { syntaxError } from './definition-errors.ts';

/** Names that are in neither list are refused; the second are those of Cosmos, which Cassandra does not know. */
export function checkPropertyNames(properties: Properties, ...known: readonly ReadonlySet<string>[]): void {
  for (const name of properties.keys())
    if (!known.some((names) => names.has(name))) throw syntaxError(`Unknown property '${name}'`);
}

export function textProperty(properties: Properties, name: string): string | undefined {
  const value = properties.get(name);
  if (value === undefined || typeof value === 'string') return value;
  throw syntaxError(`Invalid value for property '${name}'. It should be a string`);
}

export function mapProperty(properties: Properties, name: string): ReadonlyMap<string, string> | undefined {
  const value = properties.get(name);
  if (typeof value === 'string')
    throw syntaxError(`Invalid value for property '${name}'. It should be a map.`);
  return value;
}

export function booleanProperty(properties: Properties, name: string): boolean | undefined {
  const text = textProperty(properties, name);
  if (text === undefined) return undefined;
  if (/^(1|true|yes)$/i.test(text)) return true;
  if (/^(0|false|no)$/i.test(text)) return false;
  throw syntaxError(
    `Invalid boolean value ${text} for '${name}'. Positive values can be '1', 'true' or 'yes'. Negative values can be '0', 'false' or 'no'.`,
  );
}

export function integerProperty(properties: Properties, name: string): number | undefined {
  const text = textProperty(properties, name);
  if (text === undefined) return undefined;
  const value = readInt(text);
  if (value === undefined) throw syntaxError(`Invalid integer value ${text} for '${name}'`);
  return value;
}

export function doubleProperty(properties: Properties, name: string): number | undefined {
  const text = textProperty(properties, name);
  if (text === undefined) return undefined;
  const value = readFloating(text);
  if (value === undefined) throw syntaxError(`Invalid double value ${text} for '${name}'`);
  return value;
}

/** What Integer.parseInt takes. */
export function readInt(text: string): number | undefined {
  const value = readInteger(text);
  return value === undefined || value !== BigInt.asIntN(32, value) ? undefined : Number(value);
}
