// How a definition takes effect: planned on the schema as it is when its turn comes, written, seen by everybody, and only then is
// what is no longer named dropped. A crash leaves the old definitions or the new ones; what it leaves besides, the next start drops.

import type { CqlSchema, Keyspace, SchemaChange } from '../../../catalog/cql/cql-schema.ts';
import { containersGone } from '../../../catalog/cql/schema-difference.ts';
import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { containerOwner, databaseOwner } from '../../../catalog/throughput-owner.ts';
import { assert } from '../../../foundation/assert.ts';
import { partitionKeyDefinition } from '../../../partitioning/partition-key.ts';
import type { SystemRecord } from '../../../replication/system-records.ts';
import type { RequestUnits } from '../../../throughput/request-units.ts';
import { noThroughputOfItsOwn } from '../../../throughput/throughput-refusal.ts';
import type { ThroughputRequest } from '../../../throughput/throughput-request.ts';
import { createContainer, createDatabase, dropContainer } from '../../define-container.ts';
import type { CqlParts } from '../cql-parts.ts';
import type { StatementAnswer } from '../statement-request.ts';
import { dropKeyspaceThroughput } from './drop-leftovers.ts';
import { withTable } from './edit-keyspaces.ts';
import { containerMark, databaseGoneMark } from './table-containers.ts';

/** What a definition comes to. */
export interface SchemaPlan {
  /** All that there is to be. A table that is to be created has no container yet. */
  readonly keyspaces: ReadonlyMap<string, Keyspace>;
  readonly change: SchemaChange;
  readonly warnings?: readonly string[];
  /** Of the keyspace or table that is created or changed. */
  readonly throughput?: ThroughputRequest | undefined;
}

type Parts = Pick<CqlParts, 'catalog' | 'throughput'>;

/** A plan of undefined is that nothing need be done. */
export function changeSchema(
  parts: Parts,
  planFor: (schema: CqlSchema) => SchemaPlan | undefined,
): Promise<StatementAnswer> {
  const { catalog } = parts;
  return catalog.inTurn(async () => {
    const plan = planFor(catalog.schema);
    if (plan === undefined) return nothing([]);
    const before = catalog.schema;
    const { change, warnings = [] } = plan;
    const isChanged = await write(parts, plan);
    if (!isChanged) return nothing(warnings);
    await dropWhatIsGone(parts, before.keyspaces, change);
    return { kind: 'schema-change', change, warnings, chargeRu: 0 as RequestUnits };
  });
}

function nothing(warnings: readonly string[]): StatementAnswer {
  return { kind: 'void', warnings, chargeRu: 0 as RequestUnits };
}

/** Whether anything has become another. */
async function write(parts: Parts, plan: SchemaPlan): Promise<boolean> {
  const { catalog, throughput } = parts;
  const { change } = plan;
  if (change.change === 'CREATED' && change.target === 'TABLE') return writeTable(parts, plan, change.name);
  const isThroughputChanged = change.change === 'UPDATED' && (await changeThroughput(parts, plan));
  const { schema, records } = catalog.stage(plan.keyspaces, 'new-version');
  if (records.length === 0) return isThroughputChanged;
  const all = [...records, ...marksOf(parts, change)];
  if (change.change === 'CREATED' && change.target === 'KEYSPACE' && plan.throughput !== undefined)
    await createDatabase(throughput, change.keyspace, plan.throughput, all);
  else await throughput.store.records.put(all);
  catalog.adopt(schema, change);
  return true;
}

function marksOf({ throughput }: Parts, { change, target, keyspace }: SchemaChange): SystemRecord[] {
  const isSharing = throughput.records.of(databaseOwner(keyspace)) !== undefined;
  return change === 'DROPPED' && target === 'KEYSPACE' && isSharing ? [databaseGoneMark.put(keyspace)] : [];
}

async function writeTable(parts: Parts, plan: SchemaPlan, name: string): Promise<boolean> {
  const { catalog, throughput } = parts;
  const { keyspaces, change } = plan;
  const table = keyspaces.get(change.keyspace)?.tables.get(name);
  assert(table !== undefined, 'the table that is created is in the plan');
  const isSharing = throughput.records.of(databaseOwner(change.keyspace)) !== undefined;
  const request = {
    definition: partitionKeyDefinition('cql', namesOf(table)),
    throughput: plan.throughput ?? {},
    database: isSharing ? change.keyspace : undefined,
    partitionCount: undefined,
  };
  let staged = catalog.stage(keyspaces, 'new-version');
  await createContainer(throughput, request, (container) => {
    staged = catalog.stage(withTable(keyspaces, { ...table, container }), 'new-version');
    return [...staged.records, containerMark.put(container)];
  });
  catalog.adopt(staged.schema, change);
  return true;
}

function namesOf({ partitionKey }: TableSchema): string[] {
  return partitionKey.map(({ name }) => name);
}

async function changeThroughput(
  { throughput }: Parts,
  { keyspaces, change, throughput: request }: SchemaPlan,
): Promise<boolean> {
  if (request === undefined) return false;
  if (change.target === 'KEYSPACE') {
    const owner = databaseOwner(change.keyspace);
    // What is shared is decided when a database is created: its tables have throughput of their own otherwise.
    if (throughput.records.of(owner) === undefined) throw noThroughputOfItsOwn();
    await throughput.changes.change(owner, request);
    return true;
  }
  if (change.target !== 'TABLE') return false;
  const container = keyspaces.get(change.keyspace)?.tables.get(change.name)?.container;
  assert(container !== undefined, 'a table that is changed has a container');
  await throughput.changes.change(containerOwner(container), request);
  return true;
}

async function dropWhatIsGone(
  { catalog, throughput }: Parts,
  before: ReadonlyMap<string, Keyspace>,
  { change, target, keyspace }: SchemaChange,
): Promise<void> {
  if (change !== 'DROPPED') return;
  const gone = containersGone(before, catalog.schema.keyspaces);
  const drops = gone.map((container) =>
    dropContainer(throughput, container, [containerMark.remove(container)]),
  );
  // Nobody can reach them any more. One that could not be dropped now is dropped at the next start.
  const outcomes = await Promise.allSettled(drops);
  if (target !== 'KEYSPACE' || outcomes.some(({ status }) => status === 'rejected')) return;
  if (throughput.records.of(databaseOwner(keyspace)) !== undefined)
    await dropKeyspaceThroughput(throughput, keyspace);
}
