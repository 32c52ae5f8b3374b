// Definitions as system records, each under its rid, which begins with its owner's: one that is deleted and made again is another.
// A record whose owner has none is what a crash left of a deletion.

import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { SystemRecord } from '../../replication/system-records.ts';
import { readContainerSettings } from './container-settings.ts';
import type {
  ContainerDefinition,
  DatabaseDefinition,
  JsonObject,
  PlainDefinition,
  ResourceIdentity,
  UserDefinition,
} from './nosql-definitions.ts';

/** What belongs to a database or a container and has a record of its own. */
export type ChildType =
  | 'user'
  | 'permission'
  | 'client-encryption-key'
  | 'stored-procedure'
  | 'trigger'
  | 'user-defined-function';

export const definitionKinds = {
  database: 'nosql-database',
  container: 'nosql-container',
  child: 'nosql-child',
} as const;

interface IdentityJson {
  readonly id: string;
  readonly etag: string;
  readonly ts: number;
  readonly createdAt: number;
}

interface OfferJson {
  readonly offerRid: string;
  readonly offerTs?: number;
}

interface DatabaseJson extends IdentityJson, OfferJson {
  readonly isSharing?: true;
}

interface ContainerJson extends IdentityJson, OfferJson {
  readonly container: number;
  readonly database: string;
  readonly shown: JsonObject;
}

interface ChildJson extends IdentityJson {
  readonly type: ChildType;
  readonly owner: string;
  readonly shown: JsonObject;
}

export function databaseRecord(database: DatabaseDefinition): SystemRecord {
  const { rid, hasSharedThroughput } = database;
  const value: DatabaseJson = {
    ...identityJson(database),
    ...offerJson(database),
    ...(hasSharedThroughput ? { isSharing: true } : {}),
  };
  return { kind: definitionKinds.database, id: rid, value };
}

export function containerRecord(definition: ContainerDefinition): SystemRecord {
  const { rid, container, databaseRid, shown } = definition;
  const value: ContainerJson = {
    ...identityJson(definition),
    container,
    database: databaseRid,
    ...offerJson(definition),
    shown,
  };
  return { kind: definitionKinds.container, id: rid, value };
}

/** The owner is a database, a container or a user, by its rid. */
export function childRecord(type: ChildType, owner: string, child: PlainDefinition): SystemRecord {
  const value: ChildJson = { ...identityJson(child), type, owner, shown: child.shown };
  return { kind: definitionKinds.child, id: child.rid, value };
}

export function noRecord(kind: keyof typeof definitionKinds, rid: string): SystemRecord {
  return { kind: definitionKinds[kind], id: rid, value: null };
}

function identityJson({ id, etag, ts, createdAt }: ResourceIdentity): IdentityJson {
  return { id, etag, ts, createdAt };
}

function offerJson({ offerRid, offerTs }: OfferJson): OfferJson {
  return { offerRid, ...(offerTs === undefined ? {} : { offerTs }) };
}

/** Records of each kind by rid, as they were read. */
export type StoredDefinitions = Readonly<Record<keyof typeof definitionKinds, ReadonlyMap<string, unknown>>>;

export interface ReadDefinitions {
  readonly databases: readonly DatabaseDefinition[];
  readonly leftovers: Leftovers;
}

/** What nothing that exists owns any more. */
export interface Leftovers {
  readonly containers: readonly { readonly rid: string; readonly container: number }[];
  readonly children: readonly string[];
}

interface Child extends PlainDefinition {
  readonly type: ChildType;
  readonly owner: string;
}

export function decodeDefinitions(stored: StoredDefinitions): ReadDefinitions {
  try {
    const children = byOwner(
      [...stored.child].map(([rid, json]) => decodeChild(rid, json as ChildJson)),
      ({ owner }) => owner,
    );
    const containers = byOwner(
      [...stored.container].map(([rid, json]) => ({ rid, json: json as ContainerJson })),
      ({ json }) => json.database,
    );
    const databases = inOrder(
      [...stored.database].map(([rid, json]) =>
        decodeDatabase(rid, json as DatabaseJson, containers, children),
      ),
    );
    return { databases, leftovers: leftoversOf(stored, databases) };
  } catch (cause) {
    throw new RingfoldError('corrupt-data', { what: 'NoSQL definitions', reason: String(cause) }, cause);
  }
}

type Owned<T> = ReadonlyMap<string, readonly T[]>;

function byOwner<T>(all: readonly T[], ownerOf: (each: T) => string): Owned<T> {
  const owned = new Map<string, T[]>();
  for (const each of all) {
    const others = owned.get(ownerOf(each));
    if (others === undefined) owned.set(ownerOf(each), [each]);
    else others.push(each);
  }
  return owned;
}

function decodeChild(rid: string, json: ChildJson): Child {
  const { type, owner, shown } = json;
  return { ...identityOf(rid, json), type, owner, shown };
}

function identityOf(rid: string, { id, etag, ts, createdAt }: IdentityJson): ResourceIdentity {
  return { id, rid, etag, ts, createdAt };
}

function decodeDatabase(
  rid: string,
  json: DatabaseJson,
  containers: Owned<{ readonly rid: string; readonly json: ContainerJson }>,
  children: Owned<Child>,
): DatabaseDefinition {
  const { id, isSharing } = json;
  const own = children.get(rid) ?? [];
  const users = own.filter(({ type }) => type === 'user').map((user) => decodeUser(user, children));
  return {
    ...identityOf(rid, json),
    ...offerJson(json),
    hasSharedThroughput: isSharing ?? false,
    containers: byId((containers.get(rid) ?? []).map((each) => decodeContainer(each, id, children))),
    users: byId(users),
    clientEncryptionKeys: plainOnes(own, 'client-encryption-key'),
  };
}

function decodeContainer(
  { rid, json }: { readonly rid: string; readonly json: ContainerJson },
  databaseId: string,
  children: Owned<Child>,
): ContainerDefinition {
  const { id, container, database, shown } = json;
  const own = children.get(rid) ?? [];
  return {
    ...identityOf(rid, json),
    container,
    databaseId,
    databaseRid: database,
    ...offerJson(json),
    ...readContainerSettings(id, shown),
    storedProcedures: plainOnes(own, 'stored-procedure'),
    triggers: plainOnes(own, 'trigger'),
    userDefinedFunctions: plainOnes(own, 'user-defined-function'),
  };
}

function decodeUser(user: Child, children: Owned<Child>): UserDefinition {
  return { ...plain(user), permissions: plainOnes(children.get(user.rid) ?? [], 'permission') };
}

function plainOnes(children: readonly Child[], type: ChildType): ReadonlyMap<string, PlainDefinition> {
  return byId(children.filter((child) => child.type === type).map(plain));
}

function plain({ id, rid, etag, ts, createdAt, shown }: PlainDefinition): PlainDefinition {
  return { id, rid, etag, ts, createdAt, shown };
}

function byId<T extends ResourceIdentity>(definitions: readonly T[]): ReadonlyMap<string, T> {
  return new Map(inOrder(definitions).map((definition) => [definition.id, definition]));
}

function inOrder<T extends ResourceIdentity>(definitions: readonly T[]): readonly T[] {
  return [...definitions].sort((one, other) => one.createdAt - other.createdAt);
}

function leftoversOf(
  { container, child }: StoredDefinitions,
  databases: readonly DatabaseDefinition[],
): Leftovers {
  const owners = new Set(
    databases.flatMap(({ rid, containers, users }) => [
      rid,
      ...[...containers.values()].map((each) => each.rid),
      ...[...users.values()].map((each) => each.rid),
    ]),
  );
  return {
    containers: [...container]
      .map(([rid, json]) => ({ rid, json: json as ContainerJson }))
      .filter(({ json }) => !owners.has(json.database))
      .map(({ rid, json }) => ({ rid, container: json.container })),
    children: [...child].flatMap(([rid, json]) => (owners.has((json as ChildJson).owner) ? [] : [rid])),
  };
}
