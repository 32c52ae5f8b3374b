// Where the cells of a column of many cells stand: one ordered component each (docs/stored-forms.md).

import type { ByteString } from '../../../foundation/byte-string.ts';
import type { CqlCell } from '../../../values/cql-cell.ts';
import type { CollectionCell } from '../../../values/cql-row.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import { encodeCellPath, isKeptByKey } from '../../../values/ordered-key.ts';

/** A list's elements are keyed by timeuuids. */
export const listPathType: CqlType = { kind: 'timeuuid' };
/** A field of a user type is keyed by its number. */
const fieldPathType: CqlType = { kind: 'smallint' };

/** The type of which the paths of a column's cells are values. */
export function pathTypeOf(type: CqlType): CqlType {
  switch (type.kind) {
    case 'map':
      return type.key;
    case 'set':
      return type.element;
    case 'list':
      return listPathType;
    default:
      return fieldPathType;
  }
}

export function fieldPath(index: number): ByteString {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(index);
  return encodeCellPath(fieldPathType, bytes);
}

/** A cell under a key of a map or an element of a set. */
export function keyedCell(keyType: CqlType, key: Buffer, cell: CqlCell): CollectionCell {
  return {
    path: encodeCellPath(keyType, key),
    pathAsWritten: isKeptByKey(keyType, key) ? undefined : key,
    cell,
  };
}
