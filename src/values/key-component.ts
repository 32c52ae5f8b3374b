import type { CqlType } from './cql-type.ts';

/** A clustering column as far as keys know it: its type has an order (`canBeClustering`), and a direction. */
export interface KeyColumn {
  readonly type: CqlType;
  readonly descending: boolean;
}

/**
 * A JSON value that can stand in a key. In Cosmos DB's order: undefined, null, false, true, numbers, strings. Arrays
 * and objects come after strings, and no index has them as values.
 */
export type JsonComponent = undefined | null | boolean | number | string;

export interface JsonKeyPath {
  readonly descending: boolean;
}

// The first byte of a component in a key. What stands inside a frozen value begins with such a byte too, so the end
// of the elements (0) comes before any further element: a prefix sorts first.

export const cqlMarkers = { end: 0x00, null: 0x01, empty: 0x02, value: 0x03 } as const;

/** 0 and 255 stay free for bounds below and above every value of a path. */
export const jsonMarkers = {
  undefined: 0x01,
  null: 0x02,
  false: 0x03,
  true: 0x04,
  number: 0x05,
  string: 0x06,
  array: 0x07,
  object: 0x08,
} as const;
