import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { SchemaPlan } from '../../../execution/cql/definitions/change-schema.ts';
import { withKeyspace, withoutKeyspace } from '../../../execution/cql/definitions/edit-keyspaces.ts';
import type { Properties } from '../properties.ts';
import type { AlterKeyspaceStatement } from '../statements/alter-keyspace.ts';
import type { CreateKeyspaceStatement } from '../statements/create-keyspace.ts';
import type { DropKeyspaceStatement } from '../statements/drop-keyspace.ts';
import { throughputOf, throughputOptions } from './cosmos-options.ts';
import { type Definition, resources } from './definition.ts';
import { keyspaceExists } from './definition-errors.ts';
import { booleanProperty, checkPropertyNames, mapProperty } from './property-values.ts';
import { checkReplicationClass, defaultReplication, readReplication } from './replication-options.ts';

const names: ReadonlySet<string> = new Set(['replication', 'durable_writes']);

export function defineCreateKeyspace(statement: CreateKeyspaceStatement): Definition {
  const { keyspace } = statement;
  return {
    keyspace,
    permission: 'CREATE',
    resource: undefined,
    plan: (schema) => planCreate(statement, schema),
  };
}

function planCreate(
  { keyspace: name, ifNotExists, properties }: CreateKeyspaceStatement,
  { keyspaces }: CqlSchema,
): SchemaPlan | undefined {
  checkOptions(properties);
  const throughput = throughputOf(properties);
  const written = mapProperty(properties, 'replication');
  if (written === undefined && throughput === undefined)
    throw invalidRequest("Missing mandatory option 'replication'");
  if (keyspaces.has(name)) {
    if (ifNotExists) return undefined;
    throw keyspaceExists(name);
  }
  const durableWrites = booleanProperty(properties, 'durable_writes') ?? true;
  const replication = written === undefined ? defaultReplication : readReplication(written, new Map(), name);
  return {
    keyspaces: withKeyspace(keyspaces, { name, replication, durableWrites, isVirtual: false }),
    change: { change: 'CREATED', target: 'KEYSPACE', keyspace: name },
    throughput,
  };
}

function checkOptions(properties: Properties): void {
  checkPropertyNames(properties, names, throughputOptions);
  checkReplicationClass(mapProperty(properties, 'replication') ?? new Map());
}

export function defineAlterKeyspace(statement: AlterKeyspaceStatement): Definition {
  const { keyspace } = statement;
  return {
    keyspace,
    permission: 'ALTER',
    resource: resources.keyspace(keyspace),
    plan: (schema) => planAlter(statement, schema),
  };
}

function planAlter(
  { keyspace: name, ifExists, properties }: AlterKeyspaceStatement,
  { keyspaces }: CqlSchema,
): SchemaPlan | undefined {
  checkOptions(properties);
  const throughput = throughputOf(properties);
  const keyspace = keyspaces.get(name);
  if (keyspace === undefined) {
    if (ifExists) return undefined;
    throw invalidRequest(`Keyspace '${name}' doesn't exist`);
  }
  const durableWrites = booleanProperty(properties, 'durable_writes') ?? keyspace.durableWrites;
  const written = mapProperty(properties, 'replication');
  const replication =
    written?.has('class') === true
      ? readReplication(written, keyspace.replication, name)
      : keyspace.replication;
  return {
    keyspaces: withKeyspace(keyspaces, { name, replication, durableWrites, isVirtual: keyspace.isVirtual }),
    change: { change: 'UPDATED', target: 'KEYSPACE', keyspace: name },
    throughput,
  };
}

export function defineDropKeyspace({ keyspace, ifExists }: DropKeyspaceStatement): Definition {
  return {
    keyspace,
    permission: 'DROP',
    resource: resources.keyspace(keyspace),
    plan: ({ keyspaces }) => {
      if (keyspaces.has(keyspace)) {
        const change = { change: 'DROPPED', target: 'KEYSPACE', keyspace } as const;
        return { keyspaces: withoutKeyspace(keyspaces, keyspace), change };
      }
      if (ifExists) return undefined;
      throw invalidRequest(`Keyspace '${keyspace}' doesn't exist`);
    },
  };
}
