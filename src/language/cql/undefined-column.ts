import type { TableSchema } from '../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../errors/invalid-request.ts';
import type { RingfoldError } from '../../errors/ringfold-error.ts';
import { quoteIfNeeded } from '../../values/cql-type.ts';
import { printQualifiedName } from './print-name.ts';

export function undefinedColumn(table: TableSchema, name: string): RingfoldError {
  return invalidRequest(`Undefined column name ${quoteIfNeeded(name)} in table ${printQualifiedName(table)}`);
}
