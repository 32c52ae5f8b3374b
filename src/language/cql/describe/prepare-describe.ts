import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { StatementAnswer, StatementRequest } from '../../../execution/cql/statement-request.ts';
import { fromHundredths } from '../../../throughput/request-units.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import type { PreparedStatement, StatementContext } from '../prepared-statement.ts';
import type { DescribeStatement } from '../statements/describe.ts';
import type { BindMarker } from '../token-cursor.ts';
import { nameText } from './cql-text.ts';
import { describeCluster } from './describe-cluster.ts';
import { describeOffset, describePagingState } from './describe-page.ts';
import { findElements } from './find-elements.ts';
import type { SchemaElement } from './schema-element.ts';

const text: CqlType = { kind: 'text' };
const columnNamed = (name: string): ColumnSpec => ({
  keyspace: 'system',
  table: 'describe',
  name,
  type: text,
});

const free = { chargeRu: fromHundredths(0), warnings: [] };

const nameColumns: readonly ColumnSpec[] = ['keyspace_name', 'type', 'name'].map(columnNamed);
const elementColumns: readonly ColumnSpec[] = [...nameColumns, columnNamed('create_statement')];

/** These tell names only. */
const listings: ReadonlySet<DescribeStatement['target']['kind']> = new Set([
  'keyspaces',
  'tables',
  'types',
  'functions',
  'aggregates',
] as const);

/** Everything is looked up when it runs, so that it never goes stale. */
export function prepareDescribe(
  statement: DescribeStatement,
  _markers: readonly BindMarker[],
  context: StatementContext,
): PreparedStatement {
  return {
    variables: [],
    partitionKeyIndexes: [],
    resultColumns: undefined,
    warnings: [],
    isCurrent: () => true,
    run: (request) => describe(statement, context, request),
  };
}

function describe(
  { target, withInternals }: DescribeStatement,
  context: StatementContext,
  request: StatementRequest,
): StatementAnswer | Promise<StatementAnswer> {
  const current = context.keyspace ?? request.session.keyspace;
  if (target.kind === 'cluster')
    return describeCluster(context.parts, current, request).then((rows) => ({ ...free, ...rows }));
  const { schema } = context.parts.catalog;
  const { pageSize, pagingState } = request;
  const offset = describeOffset(schema, pagingState);
  const elements = findElements(schema, target, current);
  const page = elements.slice(offset, pageSize === undefined ? undefined : offset + pageSize);
  const isList = listings.has(target.kind);
  return {
    ...free,
    kind: 'rows',
    columns: isList ? nameColumns : elementColumns,
    rows: page.map((element) => rowOf(element, isList, withInternals)),
    // As Cassandra does it: a page that is full may be the last, and the next one empty.
    pagingState: page.length === pageSize ? describePagingState(schema, offset + page.length) : undefined,
  };
}

function rowOf(element: SchemaElement, isList: boolean, withInternals: boolean): Buffer[] {
  const { keyspace, type, name } = element;
  const texts = [nameText(keyspace), type, nameText(name)];
  if (!isList) texts.push(element.print(withInternals));
  return texts.map((one) => Buffer.from(one));
}
