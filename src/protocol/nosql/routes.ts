// The list of what NoSQL clients are served: what each verb means for each kind of resource, and who may do it.

import { RingfoldError } from '../../errors/ringfold-error.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { batchDocuments } from './handlers/batch-documents.ts';
import { clientEncryptionKeys } from './handlers/client-encryption-keys.ts';
import { findConflict, listConflicts, queryConflicts } from './handlers/conflicts.ts';
import {
  createContainer,
  deleteContainer,
  listContainers,
  queryContainers,
  readContainer,
  replaceContainer,
} from './handlers/containers.ts';
import { createDocument } from './handlers/create-document.ts';
import {
  createDatabase,
  deleteDatabase,
  listDatabases,
  queryDatabases,
  readDatabase,
} from './handlers/databases.ts';
import { deleteDocument } from './handlers/delete-document.ts';
import { deletePartitionKey } from './handlers/delete-partition-key.ts';
import { explainQuery } from './handlers/explain-query.ts';
import { listOffers, queryOffers, readOffer, replaceOffer } from './handlers/offers.ts';
import { listPartitionKeyRanges } from './handlers/partition-key-ranges.ts';
import { patchDocument } from './handlers/patch-document.ts';
import { permissions } from './handlers/permissions.ts';
import { queryDocuments } from './handlers/query-documents.ts';
import { readChanges } from './handlers/read-changes.ts';
import { readDocument } from './handlers/read-document.ts';
import { readDocuments } from './handlers/read-documents.ts';
import { replaceDocument } from './handlers/replace-document.ts';
import { runStoredProcedure, storedProcedures } from './handlers/stored-procedures.ts';
import { triggers } from './handlers/triggers.ts';
import { upsertDocument } from './handlers/upsert-document.ts';
import { userDefinedFunctions } from './handlers/user-defined-functions.ts';
import { users } from './handlers/users.ts';
import type { NosqlContext } from './nosql-context.ts';
import type { NosqlHandler, NosqlRequest } from './nosql-message.ts';
import { hasQueryBody } from './query-request.ts';
import { isAsked } from './request-options.ts';
import type { ResourcePath, ResourceType } from './resource-path.ts';

export type Verb =
  | 'list'
  | 'changes'
  | 'create'
  | 'upsert'
  | 'query'
  | 'plan'
  | 'batch'
  | 'read'
  | 'replace'
  | 'patch'
  | 'delete'
  | 'run';

/** What a key or token must be good for. */
export type Need = 'read-data' | 'write-data' | 'read-definitions' | 'write-definitions';

export interface Route {
  readonly need: Need;
  readonly handler: NosqlHandler<NosqlContext>;
}

type Routes = Partial<Record<Verb, Route>>;

type Handler = NosqlHandler<NosqlContext>;

const reads = (handler: Handler): Route => ({ need: 'read-data', handler });
const writes = (handler: Handler): Route => ({ need: 'write-data', handler });
const shows = (handler: Handler): Route => ({ need: 'read-definitions', handler });
const defines = (handler: Handler): Route => ({ need: 'write-definitions', handler });

const routes: Partial<Record<ResourceType, Routes>> = {
  dbs: {
    list: shows(listDatabases),
    query: shows(queryDatabases),
    create: defines(createDatabase),
    read: shows(readDatabase),
    delete: defines(deleteDatabase),
  },
  colls: {
    list: shows(listContainers),
    query: shows(queryContainers),
    create: defines(createContainer),
    read: shows(readContainer),
    replace: defines(replaceContainer),
    delete: defines(deleteContainer),
  },
  docs: {
    list: reads(readDocuments),
    changes: reads(readChanges),
    query: reads(queryDocuments),
    plan: reads(explainQuery),
    create: writes(createDocument),
    upsert: writes(upsertDocument),
    batch: writes(batchDocuments),
    read: reads(readDocument),
    replace: writes(replaceDocument),
    patch: writes(patchDocument),
    delete: writes(deleteDocument),
  },
  pkranges: { list: shows(listPartitionKeyRanges), changes: shows(listPartitionKeyRanges) },
  sprocs: {
    list: shows(storedProcedures.list),
    query: shows(storedProcedures.query),
    create: defines(storedProcedures.create),
    upsert: defines(storedProcedures.upsert),
    read: shows(storedProcedures.read),
    replace: defines(storedProcedures.replace),
    delete: defines(storedProcedures.delete),
    run: writes(runStoredProcedure),
  },
  triggers: {
    list: shows(triggers.list),
    query: shows(triggers.query),
    create: defines(triggers.create),
    upsert: defines(triggers.upsert),
    read: shows(triggers.read),
    replace: defines(triggers.replace),
    delete: defines(triggers.delete),
  },
  udfs: {
    list: shows(userDefinedFunctions.list),
    query: shows(userDefinedFunctions.query),
    create: defines(userDefinedFunctions.create),
    upsert: defines(userDefinedFunctions.upsert),
    read: shows(userDefinedFunctions.read),
    replace: defines(userDefinedFunctions.replace),
    delete: defines(userDefinedFunctions.delete),
  },
  conflicts: {
    list: shows(listConflicts),
    query: shows(queryConflicts),
    read: shows(findConflict),
    delete: defines(findConflict),
  },
  operations: { run: writes(deletePartitionKey) },
  users: {
    list: shows(users.list),
    query: shows(users.query),
    create: defines(users.create),
    upsert: defines(users.upsert),
    read: shows(users.read),
    replace: defines(users.replace),
    delete: defines(users.delete),
  },
  permissions: {
    list: shows(permissions.list),
    query: shows(permissions.query),
    create: defines(permissions.create),
    upsert: defines(permissions.upsert),
    read: shows(permissions.read),
    replace: defines(permissions.replace),
    delete: defines(permissions.delete),
  },
  clientencryptionkeys: {
    list: shows(clientEncryptionKeys.list),
    query: shows(clientEncryptionKeys.query),
    create: defines(clientEncryptionKeys.create),
    read: shows(clientEncryptionKeys.read),
    replace: defines(clientEncryptionKeys.replace),
  },
  offers: {
    list: shows(listOffers),
    query: shows(queryOffers),
    read: shows(readOffer),
    replace: defines(replaceOffer),
  },
};

/** What owns what; undefined for what belongs to the account. */
const owners: Partial<Record<ResourceType, ResourceType | undefined>> = {
  dbs: undefined,
  offers: undefined,
  colls: 'dbs',
  users: 'dbs',
  clientencryptionkeys: 'dbs',
  permissions: 'users',
  docs: 'colls',
  pkranges: 'colls',
  sprocs: 'colls',
  triggers: 'colls',
  udfs: 'colls',
  conflicts: 'colls',
  operations: 'colls',
};

/** Throws for a path that is of no resource, and for a verb that the resource does not take. */
export function findRoute(method: string, path: ResourcePath, headers: NosqlRequest['headers']): Route {
  const { type, id, segments } = path;
  if (type === 'addresses' || type === 'topology') {
    const reason =
      'Direct mode is not served: set the connection mode of the client to Gateway (ConnectionMode.Gateway, gatewayMode()).';
    throw new RingfoldError('resource-not-found', { reason });
  }
  const found = type === undefined ? undefined : routes[type];
  if (type === undefined || found === undefined || !isOwned(segments))
    throw new RingfoldError('resource-not-found', {
      reason: 'The request url is of no resource that is served.',
    });
  const verb = id === undefined ? verbOfFeed(method, headers) : verbOfResource(method);
  const route = verb === undefined ? undefined : found[verb];
  if (route === undefined) {
    const reason = `The requested verb is not supported: ${method} of ${id === undefined ? 'the feed ' : ''}${type}.`;
    throw new HttpRefusal(405, reason);
  }
  return route;
}

function isOwned(segments: ResourcePath['segments']): boolean {
  let owner: ResourceType | undefined;
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at];
    if (segment === undefined || !(segment.type in owners) || owners[segment.type] !== owner) return false;
    // Only the last may be a feed.
    if (segment.id === undefined && at < segments.length - 1) return false;
    owner = segment.type;
  }
  return true;
}

function verbOfResource(method: string): Verb | undefined {
  switch (method) {
    case 'GET':
      return 'read';
    case 'PUT':
      return 'replace';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return 'delete';
    case 'POST':
      return 'run';
    default:
      return undefined;
  }
}

/** POST means one of five things, told apart by headers alone, in this order. */
function verbOfFeed(method: string, headers: NosqlRequest['headers']): Verb | undefined {
  if (method === 'GET') return headers.get('a-im') === undefined ? 'list' : 'changes';
  if (method !== 'POST') return undefined;
  const request = { headers };
  if (isAsked(request, 'x-ms-cosmos-is-query-plan-request')) return 'plan';
  if (isAsked(request, 'x-ms-cosmos-is-batch-request')) return 'batch';
  if (isAsked(request, 'x-ms-documentdb-isquery') || hasQueryBody(request)) return 'query';
  return isAsked(request, 'x-ms-documentdb-is-upsert') ? 'upsert' : 'create';
}
