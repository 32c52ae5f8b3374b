import { isName } from '../cql-token-kind.ts';
import { parseIfNotExists } from '../existence-clause.ts';
import { parseName, type QualifiedName } from '../names.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseTypeName, parseUserTypeName, type TypeName } from '../type-name.ts';

export interface CreateTypeStatement {
  readonly kind: 'createType';
  readonly ifNotExists: boolean;
  readonly name: QualifiedName;
  readonly fields: readonly FieldDefinition[];
}

export interface FieldDefinition {
  readonly name: string;
  readonly type: TypeName;
}

export function parseCreateType(cursor: TokenCursor): CreateTypeStatement {
  cursor.skipAll('create', 'type');
  const ifNotExists = parseIfNotExists(cursor);
  const name = parseUserTypeName(cursor);
  cursor.skip('(');
  const fields = [parseField(cursor)];
  while (cursor.accept(',')) if (isName(cursor.kind)) fields.push(parseField(cursor));
  cursor.skip(')');
  return { kind: 'createType', ifNotExists, name, fields };
}

function parseField(cursor: TokenCursor): FieldDefinition {
  const name = parseName(cursor);
  return { name, type: parseTypeName(cursor) };
}
