import { parseIfExists, parseIfNotExists } from '../existence-clause.ts';
import { parseName, type QualifiedName } from '../names.ts';
import { parseRenames, type Rename } from '../renames.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseTypeName, parseUserTypeName, type TypeName } from '../type-name.ts';

export interface AlterTypeStatement {
  readonly kind: 'alterType';
  readonly ifExists: boolean;
  readonly name: QualifiedName;
  readonly change: TypeChange;
}

export type TypeChange =
  | { readonly kind: 'alterField'; readonly field: string; readonly type: TypeName }
  | {
      readonly kind: 'addField';
      readonly ifNotExists: boolean;
      readonly field: string;
      readonly type: TypeName;
    }
  | { readonly kind: 'renameFields'; readonly ifFieldExists: boolean; readonly renames: readonly Rename[] };

export function parseAlterType(cursor: TokenCursor): AlterTypeStatement {
  cursor.skipAll('alter', 'type');
  const ifExists = parseIfExists(cursor);
  const name = parseUserTypeName(cursor);
  return { kind: 'alterType', ifExists, name, change: parseChange(cursor) };
}

function parseChange(cursor: TokenCursor): TypeChange {
  if (cursor.accept('alter')) {
    const field = parseName(cursor);
    cursor.skip('type');
    return { kind: 'alterField', field, type: parseTypeName(cursor) };
  }
  if (cursor.accept('add')) {
    const ifNotExists = parseIfNotExists(cursor);
    const field = parseName(cursor);
    return { kind: 'addField', ifNotExists, field, type: parseTypeName(cursor) };
  }
  if (!cursor.accept('rename')) return cursor.noViableAlternative();
  const ifFieldExists = parseIfExists(cursor);
  return { kind: 'renameFields', ifFieldExists, renames: parseRenames(cursor) };
}
