import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { CqlParts } from '../../../execution/cql/cql-parts.ts';
import type { RowsAnswer, StatementRequest } from '../../../execution/cql/statement-request.ts';
import { isSystemKeyspace } from '../../../execution/cql/virtual-tables/system-keyspaces.ts';
import { assert } from '../../../foundation/assert.ts';
import { type CqlValue, decodeCqlValue, encodeCqlValue } from '../../../values/cql-codec.ts';
import { type CqlType, parseCqlType } from '../../../values/cql-type.ts';

const text: CqlType = { kind: 'text' };
const ownershipType = parseCqlType('frozen<map<text, frozen<list<text>>>>');

const columnNamed = (name: string, type: CqlType): ColumnSpec => ({
  keyspace: 'system',
  table: 'describe',
  name,
  type,
});
const clusterColumns: readonly ColumnSpec[] = ['cluster', 'partitioner', 'snitch'].map((name) =>
  columnNamed(name, text),
);
const ownershipColumns: readonly ColumnSpec[] = [
  ...clusterColumns,
  columnNamed('range_ownership', ownershipType),
];

/** What `system.local` tells of the one host; with a keyspace of users in use, also which ranges of the ring it has: all. */
export async function describeCluster(
  { virtualTables }: CqlParts,
  current: string | undefined,
  { session }: StatementRequest,
): Promise<RowsAnswer> {
  const local = virtualTables.get('system.local');
  assert(local !== undefined, 'there is a host');
  const [row = []] = await local.rows(session, undefined);
  const values = new Map<string, CqlValue>(
    Array.from(local.schema.columns.values(), ({ name, type }, at) => [
      name,
      decodeCqlValue(type, row[at] ?? null),
    ]),
  );
  const partitioner = String(values.get('partitioner')).split('.').at(-1) ?? '';
  const texts = [String(values.get('cluster_name')), partitioner, 'DynamicEndpointSnitch'];
  const answer = { kind: 'rows', pagingState: undefined } as const;
  const names = texts.map((one) => Buffer.from(one));
  if (current === undefined || isSystemKeyspace(current))
    return { ...answer, columns: clusterColumns, rows: [names] };
  const host = `${values.get('broadcast_address')}:${values.get('broadcast_port')}`;
  const tokens = values.get('tokens') as readonly string[];
  const ownership = encodeCqlValue(
    ownershipType,
    tokens.map((token) => [token, [`/${host}`]]),
  );
  return { ...answer, columns: ownershipColumns, rows: [[...names, ownership]] };
}
