// The cells of a collection or user type that is not frozen, put together to one value as the protocol has it.

import type { ByteString } from '../../../foundation/byte-string.ts';
import { writeCollection, writeFields } from '../../../values/cql-elements.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import { decodeCellPath } from '../../../values/ordered-key.ts';
import { pathTypeOf } from '../writes/cell-paths.ts';

export interface LiveCollectionCell {
  readonly path: ByteString;
  readonly pathAsWritten: Buffer | undefined;
  readonly value: Buffer;
  readonly timestamp: bigint;
  readonly ttlSeconds: number | undefined;
}

/** The cells are in the order of their paths, which is that of the elements. */
export function valueOfCells(type: CqlType, cells: readonly LiveCollectionCell[]): Buffer | null {
  if (cells.length === 0) return null;
  switch (type.kind) {
    case 'list':
      return writeCollection(
        cells.map(({ value }) => value),
        1,
      );
    case 'set':
      return writeCollection(
        cells.map(({ path, pathAsWritten }) => cellKey(type, path, pathAsWritten)),
        1,
      );
    case 'map':
      return writeCollection(
        cells.flatMap(({ path, pathAsWritten, value }) => [cellKey(type, path, pathAsWritten), value]),
        2,
      );
    case 'udt': {
      const fields: (Buffer | null)[] = type.fields.map(() => null);
      for (const { path, value } of cells) {
        const index = cellKey(type, path, undefined).readInt16BE();
        if (index < fields.length) fields[index] = value;
      }
      return writeFields(fields);
    }
    default:
      throw new Error(`invariant broken: ${type.kind} has one cell`);
  }
}

export function cellKey(type: CqlType, path: ByteString, asWritten: Buffer | undefined): Buffer {
  return asWritten ?? decodeCellPath(pathTypeOf(type), path);
}
