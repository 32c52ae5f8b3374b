// What Cassandra asks of an index USING 'sai'. The index itself is like any other here.

import type { ColumnSchema, IndexSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { type CqlType, isMultiCell, printCqlType } from '../../../values/cql-type.ts';
import { configurationError } from './definition-errors.ts';

type Options = ReadonlyMap<string, string>;

const className = 'org.apache.cassandra.index.sai.StorageAttachedIndex';

export function isStorageAttached(index: Pick<IndexSchema, 'options'>): boolean {
  const written = index.options.get('class_name') ?? '';
  return written === className || ['sai', 'storageattachedindex'].includes(written.toLowerCase());
}

const analysis = ['case_sensitive', 'normalize', 'ascii'];
const vector = ['maximum_node_connections', 'construction_beam_width', 'similarity_function', 'optimize_for'];
const known: ReadonlySet<string> = new Set(['target', 'class_name', ...analysis, ...vector]);

const similarities = ['EUCLIDEAN', 'DOT_PRODUCT', 'COSINE'];

const vectorWarning = `SAI ANN indexes on vector columns are experimental and are not recommended for production use.
They don't yet support SELECT queries with:
 * Consistency level higher than ONE/LOCAL_ONE.
 * Paging.
 * No LIMIT clauses.
 * PER PARTITION LIMIT clauses.
 * GROUP BY clauses.
 * Aggregation functions.
 * Filters on columns without a SAI index.`;

/** What is to be said to who creates it. */
export function checkStorageAttached(
  table: TableSchema,
  index: IndexSchema,
  column: ColumnSchema,
): readonly string[] {
  const { options } = index;
  const target = options.get('target') ?? '';
  if (table.indexes.some((other) => isStorageAttached(other) && other.options.get('target') === target)) {
    throw invalidRequest(
      `Cannot create more than one storage-attached index on the same column: ${column.name}`,
    );
  }
  const unknown = [...options.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw configurationError(
      `Properties specified [${unknown.join(', ')}] are not understood by StorageAttachedIndex`,
    );
  }
  if (target.includes(','))
    throw invalidRequest(`A storage-attached index cannot be created over multiple columns: ${target}`);
  const types = indexedTypes(column.type, index.target);
  checkAnalysis(options, column, types);
  checkVectorOptions(options, types);
  for (const type of types) {
    if (!isSupported(type)) throw invalidRequest(`Unsupported type: ${printCqlType(type)}`);
    if (type.kind === 'vector') checkVector(type, options);
  }
  return types.some(({ kind }) => kind === 'vector') ? [vectorWarning] : [];
}

/** Of entries both, otherwise the one. */
function indexedTypes(type: CqlType, target: IndexSchema['target']): readonly CqlType[] {
  if (!isMultiCell(type)) return [type];
  switch (type.kind) {
    case 'list':
    case 'set':
      return [type.element];
    case 'map':
      if (target === 'entries') return [type.key, type.value];
      return [target === 'keys' ? type.key : type.value];
    default:
      return [type];
  }
}

function checkAnalysis(options: Options, column: ColumnSchema, types: readonly CqlType[]): void {
  const written = analysis.filter((name) => options.has(name));
  if (written.length === 0) return;
  if (column.position >= 0) {
    const shown = written.map((name) => `'${name}': '${options.get(name)}'`).join(', ');
    throw invalidRequest(`Analysis options are not supported on primary key columns, but found {${shown}}`);
  }
  const [type] = types;
  if (type !== undefined && type.kind !== 'text' && type.kind !== 'ascii')
    throw invalidRequest(`CQL type ${printCqlType(type)} cannot be analyzed.`);
  for (const name of written) {
    const value = options.get(name) ?? '';
    if (!/^(true|false)$/i.test(value))
      throw invalidRequest(`Illegal value for boolean option '${name}': ${value}`);
  }
}

function checkVectorOptions(options: Options, types: readonly CqlType[]): void {
  if (!vector.some((name) => options.has(name))) return;
  const other = types.find(({ kind }) => kind !== 'vector');
  if (other !== undefined) throw invalidRequest(`CQL type ${printCqlType(other)} cannot have vector options`);
  const parameters = [
    ['maximum_node_connections', 'Maximum node connections'],
    ['construction_beam_width', 'Construction beam width'],
  ] as const;
  for (const [name, shown] of parameters) {
    if (options.has(name))
      throw invalidRequest(`${shown} cannot be set without enabling SAI_VECTOR_ALLOW_CUSTOM_PARAMETERS`);
  }
  const similarity = options.get('similarity_function')?.toUpperCase() ?? 'COSINE';
  if (!similarities.includes(similarity)) {
    // At this moment Cassandra has no name for it.
    throw invalidRequest(
      `Similarity function ${similarity} was not recognized for index null. Valid values are: ${similarities.join(', ')}`,
    );
  }
}

const supported: ReadonlySet<CqlType['kind']> = new Set<CqlType['kind']>([
  'ascii',
  'bigint',
  'date',
  'double',
  'float',
  'int',
  'smallint',
  'text',
  'time',
  'timestamp',
  'timeuuid',
  'tinyint',
  'uuid',
  'inet',
  'varint',
  'decimal',
  'boolean',
  // Always frozen.
  'tuple',
  'vector',
]);

function isSupported(type: CqlType): boolean {
  return supported.has(type.kind) || ('frozen' in type && type.frozen);
}

function checkVector({ element, dimension }: Extract<CqlType, { kind: 'vector' }>, options: Options): void {
  if (element.kind !== 'float')
    throw invalidRequest('SAI ANN indexes are only allowed on vector columns with float elements');
  const similarity = options.get('similarity_function')?.toUpperCase() ?? 'COSINE';
  if (dimension === 1 && similarity === 'COSINE')
    throw invalidRequest('Cosine similarity is not supported for single-dimension vectors');
}
