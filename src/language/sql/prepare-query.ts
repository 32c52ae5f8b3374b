import { type CompiledSelect, compileSelect } from './compile-select.ts';
import { distinctCountOf } from './distinct-count.ts';
import type { Frame } from './frame.ts';
import { parseSql } from './parse-sql.ts';
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
  const select = compileSelect(distinctCountOf(query)?.counted ?? query, new Scope(layout), true);
  return {
    text,
    query,
    select,
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
