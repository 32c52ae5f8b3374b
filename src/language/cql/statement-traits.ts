import type { CqlStatement } from './cql-parser.ts';
import type { QualifiedName } from './names.ts';
import type { ModificationStatement } from './statements/batch.ts';

/** What can be told of a statement from its text alone. */
export interface StatementTraits {
  readonly work: 'read' | 'write' | 'definition';
  /** The tables it reads or writes; a null keyspace is that of `USE`. */
  readonly tables: readonly QualifiedName[];
  /** It means the same in every keyspace. */
  readonly isFullyQualified: boolean;
  /** Its rows depend on what happened: IF. */
  readonly isConditional: boolean;
  /** Undefined for what is no batch. */
  readonly batchType: 'logged' | 'unlogged' | 'counter' | undefined;
}

const definition: StatementTraits = {
  work: 'definition',
  tables: [],
  isFullyQualified: false,
  isConditional: false,
  batchType: undefined,
};

export function traitsOf(statement: CqlStatement): StatementTraits {
  switch (statement.kind) {
    case 'select':
      return ofTables('read', [statement.table]);
    case 'insert':
    case 'insertJson':
    case 'update':
    case 'delete':
      return { ...ofTables('write', [statement.table]), isConditional: isConditional(statement) };
    case 'batch':
      return {
        ...ofTables(
          'write',
          statement.statements.map(({ table }) => table),
        ),
        isConditional: statement.statements.some(isConditional),
        batchType: statement.type,
      };
    case 'truncate':
      return ofTables('definition', [statement.table]);
    default:
      return definition;
  }
}

function ofTables(work: StatementTraits['work'], tables: readonly QualifiedName[]): StatementTraits {
  const isFullyQualified = tables.every(({ keyspace }) => keyspace !== null);
  return { work, tables, isFullyQualified, isConditional: false, batchType: undefined };
}

function isConditional(statement: ModificationStatement): boolean {
  return 'ifNotExists' in statement ? statement.ifNotExists : statement.if !== null;
}
