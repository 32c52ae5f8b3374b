import { compactValueOf } from '../../../catalog/cql/compact-storage.ts';
import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { type CqlType, hasDuration, isMultiCell } from '../../../values/cql-type.ts';
import { printQualifiedName } from '../print-name.ts';
import type { IndexTarget } from '../statements/create-index.ts';
import { isWord, maxNameLength } from './find-definitions.ts';

/** Whether the column can be indexed, in the order in which Cassandra asks. */
export function checkIndexTarget(
  table: TableSchema,
  column: ColumnSchema,
  kind: IndexTarget['kind'],
  isCustom: boolean,
): void {
  const { name, type } = column;
  if (isCustom && (!isWord(name) || name.length > maxNameLength)) {
    throw invalidRequest(
      `Column '${name}' is longer than the permissible name length of ${maxNameLength} characters or contains non-alphanumeric-underscore characters`,
    );
  }
  checkDurations(type);
  if (table.isCompact) checkCompact(table, column);
  if (column.kind === 'partition_key' && table.partitionKey.length === 1)
    throw invalidRequest(`Cannot create secondary index on the only partition key column ${name}`);
  const isFrozenCollection = isCollection(type) && !isMultiCell(type);
  if (isFrozenCollection && kind !== 'full') {
    throw invalidRequest(
      `Cannot create ${kind}() index on frozen column ${name}. Frozen collections are immutable and must be fully indexed by using the 'full(${printQualifiedName({ keyspace: null, name })})' modifier`,
    );
  }
  if (!isFrozenCollection && kind === 'full')
    throw invalidRequest('full() indexes can only be created on frozen collections');
  if (!isCollection(type) && kind !== 'simple') {
    throw invalidRequest(
      `Cannot create ${kind}() index on ${name}. Non-collection columns only support simple indexes`,
    );
  }
  if (!(type.kind === 'map' && isMultiCell(type)) && (kind === 'keys' || kind === 'entries'))
    throw invalidRequest(`Cannot create index on ${kind} of column ${name} with non-map type`);
  if (type.kind === 'udt' && isMultiCell(type))
    throw invalidRequest(`Cannot create index on non-frozen UDT column ${name}`);
}

function checkCompact(table: TableSchema, column: ColumnSchema): void {
  if (column.position >= 0) {
    throw invalidRequest(
      'Secondary indexes are not supported on PRIMARY KEY columns in COMPACT STORAGE tables',
    );
  }
  if (column === compactValueOf(table)) {
    throw invalidRequest(
      'Secondary indexes are not supported on compact value column of COMPACT STORAGE tables',
    );
  }
}

function checkDurations(type: CqlType): void {
  if (!hasDuration(type)) return;
  const inside = isCollection(type)
    ? 'collections'
    : type.kind === 'tuple'
      ? 'tuples'
      : type.kind === 'udt'
        ? 'UDTs'
        : undefined;
  const what = inside === undefined ? 'duration columns' : `${inside} containing durations`;
  throw invalidRequest(`Secondary indexes are not supported on ${what}`);
}

function isCollection({ kind }: CqlType): boolean {
  return kind === 'list' || kind === 'set' || kind === 'map';
}
