import type { CqlType } from '../../values/cql-type.ts';

/** A column of a result, or what a bind marker stands for: as clients are told of it. */
export interface ColumnSpec {
  readonly keyspace: string;
  readonly table: string;
  readonly name: string;
  readonly type: CqlType;
}
