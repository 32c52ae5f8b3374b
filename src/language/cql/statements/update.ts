import { type IfClause, parseIfClause } from '../conditions.ts';
import { isColumnName, parseColumnName, parseName, parseTableName, type QualifiedName } from '../names.ts';
import { parseElementKey, parseWhere, type Relation } from '../relations.ts';
import { parseTerm, type Term } from '../terms.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseUsing, type UsingClause } from '../using-clause.ts';

export interface UpdateStatement {
  readonly kind: 'update';
  readonly table: QualifiedName;
  readonly using: UsingClause;
  readonly assignments: readonly Assignment[];
  readonly where: readonly Relation[];
  readonly if: IfClause | null;
}

/** `append` and `remove` are `c = c + term` and `c = c - term`; `prepend` is `c = term + c`. */
export type Assignment =
  | { readonly kind: 'set' | 'append' | 'prepend' | 'remove'; readonly column: string; readonly term: Term }
  | { readonly kind: 'setElement'; readonly column: string; readonly key: Term; readonly term: Term }
  | { readonly kind: 'setField'; readonly column: string; readonly field: string; readonly term: Term };

export function parseUpdate(cursor: TokenCursor): UpdateStatement {
  cursor.skip('update');
  const table = parseTableName(cursor);
  const using = parseUsing(cursor);
  cursor.skip('set');
  const assignments: Assignment[] = [];
  do {
    const assignment = parseAssignment(cursor);
    checkCompatible(cursor, assignments, assignment);
    assignments.push(assignment);
  } while (cursor.accept(','));
  cursor.skip('where');
  return { kind: 'update', table, using, assignments, where: parseWhere(cursor), if: parseIfClause(cursor) };
}

function parseAssignment(cursor: TokenCursor): Assignment {
  const column = parseColumnName(cursor);
  switch (cursor.kind) {
    case '=':
      cursor.take();
      return parseValueOf(cursor, column);
    case '+=':
      cursor.take();
      return { kind: 'append', column, term: parseTerm(cursor) };
    case '-=':
      cursor.take();
      return { kind: 'remove', column, term: parseTerm(cursor) };
    case '[': {
      const key = parseElementKey(cursor);
      cursor.skip('=');
      return { kind: 'setElement', column, key, term: parseTerm(cursor) };
    }
    case '.': {
      cursor.take();
      const field = parseName(cursor);
      cursor.skip('=');
      return { kind: 'setField', column, field, term: parseTerm(cursor) };
    }
    default:
      return cursor.noViableAlternative();
  }
}

/** What follows the equals sign of a whole column. */
function parseValueOf(cursor: TokenCursor, column: string): Assignment {
  if (isColumnName(cursor.kind) && !beginsCall(cursor)) return parseChangeOf(cursor, column);
  const term = parseTerm(cursor);
  if (!cursor.accept('+')) return { kind: 'set', column, term };
  if (parseColumnName(cursor) !== column) {
    cursor.refuse('Only expressions of the form X = <value> + X are supported.');
  }
  return { kind: 'prepend', column, term };
}

function beginsCall(cursor: TokenCursor): boolean {
  const next = cursor.peek(1);
  if (next === '+' || next === '-' || next === 'INTEGER') return false;
  if (next !== '(' && next !== '.') cursor.noViableAlternative(1);
  return true;
}

/** `c = c + term`. A minus before a digit belongs to the number, so `c = c -1` has no sign of its own. */
function parseChangeOf(cursor: TokenCursor, column: string): Assignment {
  const changed = parseColumnName(cursor);
  if (cursor.kind === 'INTEGER') {
    const text = cursor.take();
    if (changed !== column) {
      const sign = text.startsWith('-') ? '-' : '+';
      cursor.refuse(`Only expressions of the form X = X ${sign} <value> are supported.`);
    }
    return { kind: 'append', column, term: { kind: 'constant', type: 'integer', text } };
  }
  const sign = cursor.take();
  const term = parseTerm(cursor);
  if (changed !== column) {
    cursor.refuse(`Only expressions of the form X = X ${sign}<value> are supported.`);
  }
  return { kind: sign === '+' ? 'append' : 'remove', column, term };
}

/** A column is set once as a whole, or changed in parts that do not touch one another. */
function checkCompatible(cursor: TokenCursor, earlier: readonly Assignment[], assignment: Assignment): void {
  for (const other of earlier) {
    if (other.column === assignment.column && !areCompatible(other, assignment)) {
      cursor.refuse(`Multiple incompatible setting of column ${assignment.column}`);
    }
  }
}

function areCompatible(first: Assignment, second: Assignment): boolean {
  if (first.kind === 'set' || second.kind === 'set') return false;
  return first.kind !== 'setField' || second.kind !== 'setField' || first.field !== second.field;
}
