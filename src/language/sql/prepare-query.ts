import { type CompiledSelect, compileSelect } from './compile-select.ts';
import { distinctCountOf } from './distinct-count.ts';
import type { Frame } from './frame.ts';
import { filterPathsOf, neededPathsOf } from './needed-paths.ts';
import { parseSql } from './parse-sql.ts';
import { type QueryShape, shapeOf } from './query-shape.ts';
import { QueryLayout, Scope } from './scope.ts';
import { runnerOf } from './select-run.ts';
import { unresolvedName } from './sql-error.ts';
import type { QueryContext } from './sql-function.ts';
import type { SqlParameters } from './sql-parameters.ts';
import type { SqlQuery } from './sql-query.ts';
import type { SqlValue } from './sql-value.ts';
import { needsSystemProperties } from './system-properties.ts';

/** A query that was read and compiled; any number of runs may share it. */
export interface PreparedQuery {
  readonly text: string;
  readonly query: SqlQuery;
  readonly select: CompiledSelect;
  readonly shape: QueryShape;
  /** The paths of an item that are looked at; undefined for all of it. */
  readonly paths: readonly (readonly string[])[] | undefined;
  /** Those that the filter looks at, where it can be asked first and that is worth while. */
  readonly filterPaths: () => readonly (readonly string[])[] | undefined;
  readonly slotCount: number;
  readonly needsSystemProperties: boolean;
  readonly parameterNames: readonly string[];
}

export function prepareQuery(query: SqlQuery, text: string): PreparedQuery {
  const layout = new QueryLayout((inner, scope, isOuter) =>
    runnerOf(compileSelect(inner, new Scope(layout, scope), isOuter)),
  );
  // The item's own slot, before all others.
  layout.newSlot();
  const asked = distinctCountOf(query)?.counted ?? query;
  const select = compileSelect(asked, new Scope(layout), true);
  // Items that are to be told apart are looked at, even if they are given as they are.
  const isGivenUnseen = select.givesWholeItems && !select.isDistinct;
  return {
    text,
    query,
    select,
    shape: shapeOf(query, select, text),
    paths: neededPathsOf(asked, isGivenUnseen),
    filterPaths: () => (select.filter === undefined ? undefined : filterPathsOf(asked, isGivenUnseen)),
    slotCount: layout.slotCount,
    parameterNames: layout.parameterNames,
    needsSystemProperties: needsSystemProperties(query),
  };
}

const prepared = new Map<string, PreparedQuery>();
const mostPrepared = 500;
const longestKept = 8 * 1024;

/** The same text is prepared once, as long as it has been used lately. */
export function prepareText(text: string): PreparedQuery {
  const known = prepared.get(text);
  if (known !== undefined) {
    prepared.delete(text);
    prepared.set(text, known);
    return known;
  }
  const fresh = prepareQuery(parseSql(text), text);
  if (text.length > longestKept) return fresh;
  prepared.set(text, fresh);
  for (const oldest of prepared.keys()) {
    if (prepared.size <= mostPrepared) break;
    prepared.delete(oldest);
  }
  return fresh;
}

/** What one run of the query reads and writes. A parameter that is used must have been given. */
export function frameOf(
  { slotCount, parameterNames }: PreparedQuery,
  parameters: SqlParameters,
  context: QueryContext,
): Frame {
  const values = parameterNames.map((name): SqlValue => {
    if (!parameters.has(name)) throw unresolvedName(name);
    return parameters.get(name);
  });
  return {
    slots: new Array<SqlValue>(slotCount).fill(undefined),
    parameters: values,
    context,
    rowsOfItem: 0,
  };
}
