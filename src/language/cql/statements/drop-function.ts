import { parseOptionalArgumentTypes } from '../argument-types.ts';
import { parseIfExists } from '../existence-clause.ts';
import { parseFunctionName, type QualifiedName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';
import type { TypeName } from '../type-name.ts';

export interface DropFunctionStatement {
  readonly kind: 'dropFunction';
  readonly ifExists: boolean;
  readonly name: QualifiedName;
  readonly argumentTypes: readonly TypeName[] | null;
}

export function parseDropFunction(cursor: TokenCursor): DropFunctionStatement {
  cursor.skipAll('drop', 'function');
  const ifExists = parseIfExists(cursor);
  const name = parseFunctionName(cursor);
  return { kind: 'dropFunction', ifExists, name, argumentTypes: parseOptionalArgumentTypes(cursor) };
}
