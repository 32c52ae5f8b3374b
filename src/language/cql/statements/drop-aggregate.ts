import { parseOptionalArgumentTypes } from '../argument-types.ts';
import { parseIfExists } from '../existence-clause.ts';
import { parseFunctionName, type QualifiedName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';
import type { TypeName } from '../type-name.ts';

export interface DropAggregateStatement {
  readonly kind: 'dropAggregate';
  readonly ifExists: boolean;
  readonly name: QualifiedName;
  readonly argumentTypes: readonly TypeName[] | null;
}

export function parseDropAggregate(cursor: TokenCursor): DropAggregateStatement {
  cursor.skipAll('drop', 'aggregate');
  const ifExists = parseIfExists(cursor);
  const name = parseFunctionName(cursor);
  return { kind: 'dropAggregate', ifExists, name, argumentTypes: parseOptionalArgumentTypes(cursor) };
}
