import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { prepareTerm } from '../expressions/prepare-term.ts';
import type { TermContext } from '../expressions/term-context.ts';
import type { TypedTerm } from '../expressions/typed-term.ts';
import type { Relation } from '../relations.ts';
import { existingColumn, specOf } from '../writes/target-table.ts';
import { printRelation } from './print-relation.ts';

/** What WHERE says of token(partition key). Equality has both bounds, and they are one term. */
export interface TokenRestriction {
  readonly isEqual: boolean;
  readonly start: TokenBound | undefined;
  readonly end: TokenBound | undefined;
}

interface TokenBound {
  readonly isInclusive: boolean;
  readonly term: TypedTerm;
}

export function tokenRestriction(
  relation: Extract<Relation, { kind: 'token' }>,
  table: TableSchema,
  context: TermContext,
): TokenRestriction {
  const { columns, operator, term } = relation;
  if (operator === '!=') throw invalidRequest(`Unsupported "!=" relation: ${printRelation(relation)}`);
  refuseColumns(
    columns.map((name) => existingColumn(table, name)),
    table,
  );
  const typed = prepareTerm(term, specOf(table, 'partition key token', { kind: 'bigint' }), context);
  const bound = { isInclusive: operator === '=' || operator.endsWith('='), term: typed };
  return {
    isEqual: operator === '=',
    start: operator.startsWith('<') ? undefined : bound,
    end: operator.startsWith('>') ? undefined : bound,
  };
}

export function mergeTokenRestrictions(
  known: TokenRestriction,
  added: TokenRestriction,
  { partitionKey }: TableSchema,
): TokenRestriction {
  const names = partitionKey.map(({ name }) => name).join(', ');
  if (known.isEqual) {
    throw invalidRequest(`${names} cannot be restricted by more than one relation if it includes an Equal`);
  }
  if (added.isEqual) {
    throw invalidRequest(
      `Columns "${names}" cannot be restricted by both an equality and an inequality relation`,
    );
  }
  if (known.start !== undefined && added.start !== undefined) {
    throw invalidRequest(`More than one restriction was found for the start bound on ${names}`);
  }
  if (known.end !== undefined && added.end !== undefined) {
    throw invalidRequest(`More than one restriction was found for the end bound on ${names}`);
  }
  return { isEqual: false, start: known.start ?? added.start, end: known.end ?? added.end };
}

function refuseColumns(columns: readonly ColumnSchema[], { partitionKey }: TableSchema): void {
  if (columns.length === partitionKey.length && columns.every((column, at) => column === partitionKey[at])) {
    return;
  }
  if (!partitionKey.every((column) => columns.includes(column))) {
    throw invalidRequest(
      'The token() function must be applied to all partition key components or none of them',
    );
  }
  if (new Set(columns).size !== columns.length) {
    throw invalidRequest('The token() function contains duplicate partition key components');
  }
  if (!columns.every((column) => partitionKey.includes(column))) {
    throw invalidRequest('The token() function must contains only partition key components');
  }
  const names = partitionKey.map(({ name }) => name).join(', ');
  throw invalidRequest(`The token function arguments must be in the partition key order: ${names}`);
}
