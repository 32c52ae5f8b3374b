import { parseList } from '../comma-list.ts';
import { isName } from '../cql-token-kind.ts';
import { parseIfNotExists } from '../existence-clause.ts';
import { parseFunctionName, parseName, type QualifiedName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseTypeName, type TypeName } from '../type-name.ts';

export interface CreateFunctionStatement {
  readonly kind: 'createFunction';
  readonly orReplace: boolean;
  readonly ifNotExists: boolean;
  readonly name: QualifiedName;
  readonly arguments: readonly FunctionArgument[];
  readonly calledOnNullInput: boolean;
  readonly returns: TypeName;
  readonly language: string;
  readonly body: string;
}

export interface FunctionArgument {
  readonly name: string;
  readonly type: TypeName;
}

export function parseCreateFunction(cursor: TokenCursor): CreateFunctionStatement {
  cursor.skip('create');
  const orReplace = parseOrReplace(cursor);
  cursor.skip('function');
  const ifNotExists = parseIfNotExists(cursor);
  const name = parseFunctionName(cursor);
  cursor.skip('(');
  const inside = isName(cursor.kind) ? parseList(cursor, parseArgument) : [];
  cursor.skip(')');
  const calledOnNullInput = parseNullInput(cursor);
  cursor.skip('returns');
  const returns = parseTypeName(cursor);
  cursor.skip('language');
  const language = cursor.expect('IDENT').toLowerCase();
  cursor.skip('as');
  const body = cursor.expect('STRING_LITERAL');
  return {
    kind: 'createFunction',
    orReplace,
    ifNotExists,
    name,
    arguments: inside,
    calledOnNullInput,
    returns,
    language,
    body,
  };
}

/** `OR REPLACE`, which may be absent. */
export function parseOrReplace(cursor: TokenCursor): boolean {
  if (!cursor.accept('or')) return false;
  cursor.skip('replace');
  return true;
}

function parseArgument(cursor: TokenCursor): FunctionArgument {
  const name = parseName(cursor);
  return { name, type: parseTypeName(cursor) };
}

function parseNullInput(cursor: TokenCursor): boolean {
  const isCalled = cursor.accept('called');
  if (!isCalled) {
    if (cursor.kind !== 'returns') cursor.noViableAlternative();
    cursor.skipAll('returns', 'null');
  }
  cursor.skipAll('on', 'null', 'input');
  return isCalled;
}
