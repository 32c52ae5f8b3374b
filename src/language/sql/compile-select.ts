import { type Accumulator, aggregates } from './aggregates.ts';
import { collectedSourceOf } from './collected-source.ts';
import { compileExpression } from './compile-expression.ts';
import { compileSources, type Rows } from './compile-sources.ts';
import { aggregatesOf, partsOf, selectedBy } from './find-aggregates.ts';
import type { Evaluate, Frame } from './frame.ts';
import { distanceFunctionOf } from './functions/vector.ts';
import { lastNameOf } from './item-path.ts';
import { printExpression } from './print-sql.ts';
import { Scope } from './scope.ts';
import { sqlError } from './sql-error.ts';
import type { Count, Expression, SelectItem, SqlQuery } from './sql-query.ts';
import { type SqlValue, setMember } from './sql-value.ts';

/** What one SELECT does, as closures; `select-run.ts` runs them. */
export interface CompiledSelect {
  /** What has to see all items before this select has its first row. */
  readonly collected: CollectedSelect | undefined;
  /** The rows that FROM makes and WHERE keeps. */
  readonly rows: Rows;
  /** What WHERE says of the item in this slot; undefined where rows are something else. */
  readonly filter: { readonly holds: Evaluate; readonly slot: number } | undefined;
  /** Of a row, or of a group; undefined where the row gives no result. */
  readonly project: Evaluate;
  readonly grouping: Grouping | undefined;
  readonly sort: readonly { readonly value: Evaluate; readonly isDescending: (frame: Frame) => boolean }[];
  /** Whether results that are the same stand at the same place of the order; so they do where there is none. */
  readonly isOrderSelected: boolean;
  readonly isDistinct: boolean;
  readonly top: Evaluate | undefined;
  readonly offset: Evaluate | undefined;
  readonly limit: Evaluate | undefined;
  /** Whether each result is the item itself, so that its text can be sent as it is stored. */
  readonly givesWholeItems: boolean;
}

export interface CollectedSelect {
  readonly select: CompiledSelect;
  /** Where the rows of this select look for those of the other. */
  readonly slot: number;
}

export interface Grouping {
  readonly keys: readonly { readonly value: Evaluate; readonly slot: number }[];
  readonly aggregates: readonly {
    readonly start: () => Accumulator;
    readonly input: Evaluate;
    readonly slot: number;
  }[];
}

export function compileSelect(query: SqlQuery, scope: Scope, isOuter: boolean): CompiledSelect {
  const { select } = query;
  const { rows, sources, collectedSlot } = compileSources(query, scope, isOuter);
  const holds = query.where === undefined ? undefined : compileExpression(query.where, scope);
  const grouping = compileGrouping(query, scope);
  const [only] = sources;
  let project: Evaluate;
  let givesWholeItems = false;
  if (select.list.kind === 'all') {
    checkSelectAll(query);
    const slot = only?.slot ?? 0;
    project = ({ slots }) => slots[slot];
    givesWholeItems = only?.isItem === true;
  } else if (select.list.kind === 'value') {
    const { value } = select.list;
    project = compileExpression(value, scope);
    givesWholeItems =
      sources.length === 1 && only?.isItem === true && value.kind === 'name' && value.name === only.alias;
  } else {
    project = compileItems(select.list.items, scope);
  }
  return {
    collected: compileCollected(query, scope, collectedSlot),
    rows: holds === undefined ? rows : withFilter(rows, holds),
    filter:
      holds !== undefined && sources.length === 1 && only?.isItem === true
        ? { holds, slot: only.slot }
        : undefined,
    project,
    grouping,
    // One row needs no order: ORDER BY beside an aggregate is read and has no effect.
    sort: grouping === undefined && !query.isRanked ? compileSort(query, scope) : [],
    isOrderSelected: isOrderSelected(query),
    isDistinct: select.isDistinct,
    top: compileCount(select.top, scope),
    offset: compileCount(query.offset, scope),
    limit: compileCount(query.limit, scope),
    givesWholeItems: givesWholeItems && grouping === undefined,
  };
}

function compileCollected(
  query: SqlQuery,
  scope: Scope,
  slot: number | undefined,
): CollectedSelect | undefined {
  const inner = collectedSourceOf(query);
  if (inner === undefined || slot === undefined) return undefined;
  return { select: compileSelect(inner, new Scope(scope.layout), true), slot };
}

function isOrderSelected(query: SqlQuery): boolean {
  const { list } = query.select;
  if (list.kind === 'all') return true;
  // Of two members of one name, only the last is in the result.
  if (list.kind === 'items' && new Set(namesOf(list.items)).size < list.items.length) return false;
  const selected = new Set(selectedBy(query).map(printExpression));
  return query.orderBy.every(({ value }) => selected.has(printExpression(value)));
}

/** Ranked searches are run by clients score by score, and never as they are written. */
function compileSort({ orderBy }: SqlQuery, scope: Scope): CompiledSelect['sort'] {
  return orderBy.map(({ value, direction }) => ({
    value: compileExpression(value, scope),
    isDescending: direction === undefined ? compileNearest(value, scope) : () => direction === 'descending',
  }));
}

/** The nearest comes first: where the distance is a similarity, the greatest. */
function compileNearest(node: Expression, scope: Scope): (frame: Frame) => boolean {
  if (node.kind !== 'call' || node.name.toUpperCase() !== 'VECTORDISTANCE') return () => false;
  const { arguments: written } = node;
  const [, , , options] = written;
  const given = options === undefined ? undefined : compileExpression(options, scope);
  return (frame) =>
    distanceFunctionOf(given?.(frame) ?? {}, written, frame.context.vectorDistances) !== 'euclidean';
}

function withFilter(rows: Rows, holds: Evaluate): Rows {
  return (frame, onRow) => rows(frame, () => (holds(frame) === true ? onRow() : false));
}

function checkSelectAll({ select, from, groupBy }: SqlQuery): void {
  if (groupBy.length > 0) {
    throw sqlError('SC2041', "'SELECT *' is not valid with GROUP BY clause.", select.span);
  }
  if (from.length === 0) {
    throw sqlError('SC2040', "'SELECT *' is not valid if FROM clause is omitted.", select.span);
  }
  if (from.length > 1) {
    throw sqlError('SC2042', "'SELECT *' is only valid with a single input set.", select.span);
  }
}

/** Undefined where rows are not grouped. After it, the scope knows only what a group has. */
function compileGrouping(query: SqlQuery, scope: Scope): Grouping | undefined {
  const calls = aggregatesOf(query);
  if (query.groupBy.length === 0 && calls.length === 0) return undefined;
  if (query.groupBy.length > 0 && query.orderBy.length > 0) {
    throw sqlError(
      'SC2103',
      "'ORDER BY' is not supported in presence of GROUP BY.",
      query.orderBy[0]?.value.span,
    );
  }
  const replacements = new Map<string, Evaluate>();
  const keys = query.groupBy.map((node) => {
    const value = compileExpression(node, scope);
    const slot = scope.layout.newSlot();
    replacements.set(printExpression(node), ({ slots }) => slots[slot]);
    return { value, slot };
  });
  const compiled = calls.map((call) => {
    const start = aggregates[call.name.toUpperCase()] as () => Accumulator;
    const input = compileExpression(call.arguments[0] as Expression, scope);
    const slot = scope.layout.newSlot();
    replacements.set(printExpression(call), ({ slots }) => slots[slot]);
    return { start, input, slot };
  });
  checkGrouped(query, replacements);
  scope.afterGrouping(replacements);
  return { keys, aggregates: compiled };
}

/** Everything selected is a key, an aggregate, or made of such. */
function checkGrouped(query: SqlQuery, replacements: ReadonlyMap<string, Evaluate>): void {
  for (const node of selectedBy(query)) checkNode(node, replacements);
}

function checkNode(node: Expression, replacements: ReadonlyMap<string, Evaluate>): void {
  if (replacements.has(printExpression(node))) return;
  if (node.kind === 'property' || node.kind === 'element') {
    let root: Expression = node;
    while (
      (root.kind === 'property' || root.kind === 'element') &&
      !replacements.has(printExpression(root))
    ) {
      root = root.of;
    }
    if (root.kind === 'name' && !replacements.has(root.name)) {
      throw sqlError(
        'SC2102',
        `Property reference '${printExpression(node)}' is invalid in the select list because it is not contained in ` +
          'either an aggregate function or the GROUP BY clause.',
        node.span,
      );
    }
  }
  for (const part of partsOf(node)) checkNode(part, replacements);
}

function compileItems(items: readonly SelectItem[], scope: Scope): Evaluate {
  const names = namesOf(items);
  const members = items.map(({ value }, at) => ({
    name: names[at] as string,
    value: compileExpression(value, scope),
  }));
  return (frame) => {
    const object: Record<string, SqlValue> = {};
    for (const { name, value } of members) setMember(object, name, value(frame));
    return object;
  };
}

/** The alias, or the last name of a path, or `$1`, `$2`… over those that have neither. */
export function namesOf(items: readonly SelectItem[]): readonly string[] {
  let unnamed = 0;
  return items.map(({ value, alias }) => alias ?? lastNameOf(value) ?? `$${++unnamed}`);
}

function compileCount(count: Count | undefined, scope: Scope): Evaluate | undefined {
  return count === undefined ? undefined : compileExpression(count, scope);
}
