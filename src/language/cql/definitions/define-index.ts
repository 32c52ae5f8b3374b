import type { CqlSchema, Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { ColumnSchema, IndexSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { SchemaPlan } from '../../../execution/cql/definitions/change-schema.ts';
import { withTable } from '../../../execution/cql/definitions/edit-keyspaces.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import type { StatementContext } from '../prepared-statement.ts';
import { printQualifiedName } from '../print-name.ts';
import type { CreateIndexStatement, IndexTarget } from '../statements/create-index.ts';
import type { DropIndexStatement } from '../statements/drop-index.ts';
import { undefinedColumn } from '../undefined-column.ts';
import { sortedMap } from './compaction-options.ts';
import { type Definition, keyspaceOf, resources } from './definition.ts';
import { configurationError } from './definition-errors.ts';
import { existingKeyspace, isWord } from './find-definitions.ts';
import { checkIndexTarget } from './index-targets.ts';
import { checkPropertyNames, mapProperty } from './property-values.ts';
import { checkStorageAttached, isStorageAttached } from './storage-attached-index.ts';

const optionNames: ReadonlySet<string> = new Set(['options']);
const legacyClass = /^legacy_local_table$/i;
const sasiClass = 'org.apache.cassandra.index.sasi.SASIIndex';

/** Undefined for Cassandra's own kind of index. */
function classOf({ isCustom, using }: CreateIndexStatement): string | undefined {
  if (!isCustom && (using === null || legacyClass.test(using))) return undefined;
  return using ?? 'legacy_local_table';
}

export function defineCreateIndex(statement: CreateIndexStatement, context: StatementContext): Definition {
  const { table } = statement;
  const keyspace = keyspaceOf(table.keyspace, context);
  return {
    keyspace,
    permission: 'ALTER',
    resource: resources.table(keyspace, table.name),
    plan: (schema) => planCreate(statement, keyspace, schema),
  };
}

function planCreate(
  statement: CreateIndexStatement,
  keyspaceName: string,
  schema: CqlSchema,
): SchemaPlan | undefined {
  const { name, table: tableName, ifNotExists } = statement;
  const className = classOf(statement);
  checkOptions(statement, className);
  const keyspace = existingKeyspace(schema, keyspaceName);
  const table = keyspace.tables.get(tableName.name);
  if (table === undefined) throw invalidRequest(`Table '${tableName.name}' doesn't exist`);
  if (name !== null && hasIndex(keyspace, name)) {
    if (ifNotExists) return undefined;
    throw invalidRequest(`Index '${name}' already exists`);
  }
  if (table.isCounter) throw invalidRequest("Secondary indexes on counter tables aren't supported");
  const { index, column } = indexOf(statement, className, keyspace, table);
  const equal = table.indexes.find((other) => isSame(other, index));
  if (equal !== undefined) {
    if (ifNotExists) return undefined;
    throw invalidRequest(`Index ${index.name} is a duplicate of existing index ${equal.name}`);
  }
  if (!isWord(index.name)) throw configurationError(`Illegal index name ${index.name}`);
  const warnings = className === undefined ? [] : checkCustom(table, index, column, className);
  return {
    keyspaces: withTable(schema.keyspaces, { ...table, indexes: [...table.indexes, index] }),
    change: { change: 'UPDATED', target: 'TABLE', keyspace: keyspaceName, name: table.name },
    warnings,
  };
}

function checkOptions({ properties }: CreateIndexStatement, className: string | undefined): void {
  checkPropertyNames(properties, optionNames);
  if (className === undefined && properties.size > 0)
    throw invalidRequest('Cannot specify options for a non-CUSTOM index');
  const options = mapProperty(properties, 'options');
  for (const name of ['class_name', 'target'])
    if (options?.has(name) === true) throw invalidRequest(`Cannot specify ${name} as a CUSTOM option`);
  if (className === sasiClass)
    throw invalidRequest('SASI indexes are disabled. Enable in cassandra.yaml to use.');
}

function checkCustom(
  table: TableSchema,
  index: IndexSchema,
  column: ColumnSchema | undefined,
  className: string,
): readonly string[] {
  if (!isStorageAttached(index))
    throw configurationError(`Unable to find custom indexer class '${className}'`);
  if (column === undefined) throw invalidRequest('Failed to retrieve target column for: ');
  return checkStorageAttached(table, index, column);
}

interface MadeIndex {
  readonly index: IndexSchema;
  /** Undefined only where there is no target at all. */
  readonly column: ColumnSchema | undefined;
}

function indexOf(
  { name, targets: written, properties }: CreateIndexStatement,
  className: string | undefined,
  keyspace: Keyspace,
  table: TableSchema,
): MadeIndex {
  const targets = written.map((target) => resolveTarget(target, table));
  if (targets.length === 0 && className === undefined)
    throw invalidRequest('Only CUSTOM indexes can be created without specifying a target column');
  checkSeveral(targets, className);
  for (const target of targets) checkIndexTarget(table, target.column, target.kind, className !== undefined);
  const [first] = targets;
  const options = className === undefined ? [] : [...(mapProperty(properties, 'options') ?? [])];
  const index: IndexSchema = {
    name: name ?? freeName(keyspace, table, targets),
    kind: className === undefined ? 'COMPOSITES' : 'CUSTOM',
    options: new Map([
      ['target', targets.map(textOfTarget).join(', ')],
      ...sortedMap([...options, ...(className === undefined ? [] : [['class_name', className] as const])]),
    ]),
    column: first?.column.name ?? '',
    target: first?.kind ?? 'simple',
  };
  return { index, column: first?.column };
}

interface Target {
  readonly kind: IndexTarget['kind'];
  readonly column: ColumnSchema;
}

/** `values` may be left out, but for a frozen collection too, which is then refused. */
function resolveTarget({ kind, column: name }: IndexTarget, table: TableSchema): Target {
  const column = table.columns.get(name);
  if (column === undefined) throw undefinedColumn(table, name);
  return { kind: kind === 'simple' && isCollection(column.type) ? 'values' : kind, column };
}

function isCollection({ kind }: CqlType): boolean {
  return kind === 'list' || kind === 'set' || kind === 'map';
}

function checkSeveral(targets: readonly Target[], className: string | undefined): void {
  if (targets.length < 2) return;
  if (className === undefined) throw invalidRequest('Only CUSTOM indexes support multiple columns');
  const seen = new Set<string>();
  for (const { column } of targets) {
    if (seen.has(column.name)) throw invalidRequest(`Duplicate column '${column.name}' in index target list`);
    seen.add(column.name);
  }
}

function textOfTarget({ kind, column }: Target): string {
  const name = printQualifiedName({ keyspace: null, name: column.name });
  return kind === 'simple' ? name : `${kind}(${name})`;
}

/** Two indexes that differ in nothing but their names are one too many. */
function isSame(a: IndexSchema, b: IndexSchema): boolean {
  return (
    a.kind === b.kind &&
    a.options.size === b.options.size &&
    [...a.options].every(([name, value]) => b.options.get(name) === value)
  );
}

function freeName(keyspace: Keyspace, table: TableSchema, targets: readonly Target[]): string {
  const [only, second] = targets;
  const column = only === undefined || second !== undefined ? '' : `_${only.column.name}`;
  const base = `${table.name}${column}_idx`.replace(/\W/g, '');
  let name = base;
  for (let count = 1; hasIndex(keyspace, name); count++) name = `${base}_${count}`;
  return name;
}

function hasIndex(keyspace: Keyspace, name: string): boolean {
  return tableOfIndex(keyspace, name) !== undefined;
}

function tableOfIndex({ tables }: Keyspace, name: string): TableSchema | undefined {
  return [...tables.values()].find(({ indexes }) => indexes.some((index) => index.name === name));
}

export function defineDropIndex(
  { index, ifExists }: DropIndexStatement,
  context: StatementContext,
): Definition {
  const keyspace = keyspaceOf(index.keyspace, context);
  return {
    keyspace,
    permission: 'ALTER',
    // Which table it is about is not known yet.
    resource: undefined,
    plan: (schema) => {
      const found = schema.keyspaces.get(keyspace);
      const table = found === undefined ? undefined : tableOfIndex(found, index.name);
      if (table === undefined) {
        if (ifExists) return undefined;
        throw invalidRequest(`Index '${keyspace}.${index.name}' doesn't exist'`);
      }
      const indexes = table.indexes.filter(({ name }) => name !== index.name);
      return {
        keyspaces: withTable(schema.keyspaces, { ...table, indexes }),
        change: { change: 'UPDATED', target: 'TABLE', keyspace, name: table.name },
      };
    },
  };
}
