// The driver's own classes as values that `assert.deepEqual` compares and a reader can write down.

import { types } from 'cassandra-driver';

/** Uuids, addresses, dates, times, durations and decimals as text; blobs as `0x…`; timestamps as ISO text; tuples and vectors as arrays. */
export function plainValue(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return value;
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex')}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof types.Tuple) return value.elements.map(plainValue);
  if (value instanceof types.Vector) return Array.from(value as Iterable<unknown>, plainValue);
  if (Array.isArray(value)) return value.map(plainValue);
  if (value instanceof Set) return new Set([...value].map(plainValue));
  if (value instanceof Map)
    return new Map([...value].map(([key, held]) => [plainValue(key), plainValue(held)]));
  if (isTextual(value)) return value.toString();
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, plainValue(held)]));
}

function isTextual(value: object): boolean {
  return (
    value instanceof types.Uuid ||
    value instanceof types.InetAddress ||
    value instanceof types.LocalDate ||
    value instanceof types.LocalTime ||
    value instanceof types.BigDecimal ||
    value instanceof types.Duration
  );
}

/** The name of a column's type, without those of its elements. */
export function typeText({ code }: { readonly code: number }): string {
  const [name] = Object.entries(types.dataTypes).find(([, known]) => known === code) ?? [];
  return name ?? `type ${code}`;
}
