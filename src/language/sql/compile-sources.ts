// FROM and JOIN as nested loops over one item. An inner loop sees what the outer ones stand at.

import { invalidRequest } from '../../errors/invalid-request.ts';
import { collectedSourceOf } from './collected-source.ts';
import { compileExpression } from './compile-expression.ts';
import { countRow, type Evaluate, type Frame } from './frame.ts';
import { lastNameOf, rootNameOf } from './item-path.ts';
import { Scope } from './scope.ts';
import { unresolvedName } from './sql-error.ts';
import { type Expression, isQuery, type Source, type SqlQuery } from './sql-query.ts';
import { isArray, type SqlValue } from './sql-value.ts';

/** Sets the slots of one row after another, until `onRow` answers true; answers whether it did. */
export type Rows = (frame: Frame, onRow: () => boolean) => boolean;

/** The slot in which the item itself stands: the first of every query. */
export const itemSlot = 0;

export interface CompiledSources {
  readonly rows: Rows;
  /** The slot of each source, and whether its value is always the whole item. */
  readonly sources: readonly {
    readonly slot: number;
    readonly isItem: boolean;
    readonly alias: string | undefined;
  }[];
  /** The slot in which the first source finds a row of the sub-query that had to see all items; undefined where there is none. */
  readonly collectedSlot: number | undefined;
}

/** Declares the aliases in the scope. `isOuter` is the query itself, in which an unknown name stands for the container. */
export function compileSources(query: SqlQuery, scope: Scope, isOuter: boolean): CompiledSources {
  const { from } = query;
  const collectedSlot =
    isOuter && collectedSourceOf(query) !== undefined ? scope.layout.newSlot() : undefined;
  const loops: ((onRow: () => boolean, frame: Frame) => boolean)[] = [];
  const sources: { slot: number; isItem: boolean; alias: string | undefined }[] = [];
  for (const [at, source] of from.entries()) {
    const { values, isItem } =
      at === 0 && collectedSlot !== undefined
        ? collectedOrigin(source, collectedSlot)
        : compileOrigin(source, scope, isOuter && at === 0);
    const alias = aliasOf(source);
    const slot = alias === undefined ? scope.layout.newSlot() : scope.declare(alias, source.span);
    sources.push({ slot, isItem, alias });
    loops.push((onRow, frame) =>
      values(frame, (value) => {
        frame.slots[slot] = value;
        return onRow();
      }),
    );
  }
  return { rows: nested(loops), sources, collectedSlot };
}

function nested(loops: readonly ((onRow: () => boolean, frame: Frame) => boolean)[]): Rows {
  const [only] = loops;
  if (loops.length === 1 && only !== undefined) return (frame, onRow) => only(onRow, frame);
  return (frame, onRow) => {
    const from = (at: number): boolean => {
      const loop = loops[at];
      return loop === undefined ? onRow() : loop(() => from(at + 1), frame);
    };
    return from(0);
  };
}

type Values = (frame: Frame, onValue: (value: SqlValue) => boolean) => boolean;

interface Origin {
  readonly values: Values;
  readonly isItem: boolean;
}

/** Whoever runs the query puts one row after another into the slot. */
function collectedOrigin({ isIterated }: Source, slot: number): Origin {
  const values: Values = isIterated
    ? (frame, onValue) => eachElement(frame, frame.slots[slot], onValue)
    : (frame, onValue) => onValue(frame.slots[slot]);
  return { values, isItem: false };
}

function compileOrigin({ origin, isIterated }: Source, scope: Scope, isContainerAllowed: boolean): Origin {
  if (isQuery(origin)) {
    const run = scope.layout.compileSubquery(origin, scope, isContainerAllowed);
    if (!isIterated) return { values: counted(run), isItem: false };
    return {
      values: (frame, onValue) => run(frame, (value) => eachElement(frame, value, onValue)),
      isItem: false,
    };
  }
  const path = compilePath(origin, scope, isContainerAllowed);
  if (isIterated) {
    return { values: (frame, onValue) => eachElement(frame, path(frame), onValue), isItem: false };
  }
  const isItem = origin.kind === 'name' && scope.slotOf(origin.name) === undefined;
  const values: Values = (frame, onValue) => {
    const value = path(frame);
    return value === undefined ? false : onValue(value);
  };
  return { values, isItem };
}

/** A path whose first name, if nothing else is called so, stands for the item. */
function compilePath(origin: Expression, scope: Scope, isContainerAllowed: boolean): Evaluate {
  const root = rootNameOf(origin);
  if (root === undefined || scope.slotOf(root.name) !== undefined) return compileExpression(origin, scope);
  if (!isContainerAllowed) throw unresolvedName(root.name, root.span);
  const container = new ContainerScope(scope.layout);
  return compileExpression(origin, container);
}

/** In it every name is the item. */
class ContainerScope extends Scope {
  override slotOf(): number {
    return itemSlot;
  }
}

function eachElement(frame: Frame, value: SqlValue, onValue: (element: SqlValue) => boolean): boolean {
  if (!isArray(value)) return false;
  for (const element of value) {
    if (!countRow(frame)) throw tooManyRows();
    if (onValue(element)) return true;
  }
  return false;
}

function counted(run: Values): Values {
  return (frame, onValue) =>
    run(frame, (value) => {
      if (!countRow(frame)) throw tooManyRows();
      return onValue(value);
    });
}

function tooManyRows(): Error {
  return invalidRequest('The joins and sub-queries of the query make too many rows out of one item.');
}

/** What was said, or the last name of the path. */
function aliasOf({ alias, origin }: Source): string | undefined {
  return alias !== undefined || isQuery(origin) ? alias : lastNameOf(origin);
}
