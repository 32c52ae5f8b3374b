import type { DistanceFunction } from '../../catalog/nosql/nosql-definitions.ts';
import type { Expression } from './sql-query.ts';
import type { SqlValue } from './sql-value.ts';

/** What a function may know besides its arguments. */
export interface QueryContext {
  /** Microseconds since 1970, as they are when asked. */
  readonly now: () => number;
  /** The same, one value for the whole query. */
  readonly startedAt: number;
  /** From 0 (included) to 1. */
  readonly random: () => number;
  /** Whether shapes are on the globe, in degrees, or on a plane. */
  readonly isGeography: boolean;
  /** What the container's policy says of its vectors, by path: `/a/b`. Absent where there is no container. */
  readonly vectorDistances?: VectorDistances;
}

export type VectorDistances = ReadonlyMap<string, DistanceFunction>;

export interface SqlFunction {
  readonly least: number;
  readonly most: number;
  /**
   * Arguments as many as allowed; none is undefined, and long integers are numbers, unless `takesUndefined`. An argument of a wrong type makes the result
   * undefined, never an error. The arguments as they are written matter to few.
   */
  readonly run: (
    given: readonly SqlValue[],
    context: QueryContext,
    written: readonly Expression[],
  ) => SqlValue;
  readonly takesUndefined: boolean;
}

/** By name in capitals. */
export type SqlFunctions = Readonly<Record<string, SqlFunction>>;

export function strict(least: number, most: number, run: SqlFunction['run']): SqlFunction {
  return { least, most, run, takesUndefined: false };
}

/** For a function to which `undefined` is an argument like others. */
export function lenient(least: number, most: number, run: SqlFunction['run']): SqlFunction {
  return { least, most, run, takesUndefined: true };
}

/** A number, or undefined for what JSON cannot write. */
export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
