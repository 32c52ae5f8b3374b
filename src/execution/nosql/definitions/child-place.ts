// Where users, permissions, encryption keys and scripts stand among a database's definitions, and how one of them becomes another.

import type { ChildType } from '../../../catalog/nosql/definition-records.ts';
import type {
  ContainerDefinition,
  DatabaseDefinition,
  PlainDefinition,
  UserDefinition,
} from '../../../catalog/nosql/nosql-definitions.ts';
import { encryptionKeyRid, permissionRid, ridInContainer, userRid } from '../../../values/resource-id.ts';
import { withContainer } from './change-containers.ts';
import { ownerNotFound } from './definition-checks.ts';

type ScriptType = 'stored-procedure' | 'trigger' | 'user-defined-function';

/** A feed of them: of a database, of a user or of a container. */
export interface ChildPlace {
  readonly type: ChildType;
  /** By rid. */
  readonly database: string;
  /** By rid: what they belong to, which may be the database. */
  readonly owner: string;
}

const scriptMaps = {
  'stored-procedure': 'storedProcedures',
  trigger: 'triggers',
  'user-defined-function': 'userDefinedFunctions',
} as const satisfies Record<ScriptType, keyof ContainerDefinition>;

const scriptRids = {
  'stored-procedure': 'storedProcedure',
  trigger: 'trigger',
  'user-defined-function': 'userDefinedFunction',
} as const;

/** In the order in which they were made. Throws where the owner is not there. */
export function childrenAt(
  database: DatabaseDefinition,
  { type, owner }: ChildPlace,
): ReadonlyMap<string, PlainDefinition> {
  switch (type) {
    case 'user':
      return database.users;
    case 'client-encryption-key':
      return database.clientEncryptionKeys;
    case 'permission':
      return userIn(database, owner).permissions;
    default:
      return containerIn(database, owner)[scriptMaps[type]];
  }
}

/** The database with a child instead of another, or as the last where there was none, or without it. */
export function withChild(
  database: DatabaseDefinition,
  { type, owner }: ChildPlace,
  before: PlainDefinition | undefined,
  child: PlainDefinition | undefined,
): DatabaseDefinition {
  switch (type) {
    case 'user': {
      const permissions = database.users.get(before?.id ?? '')?.permissions ?? new Map();
      const user = child === undefined ? undefined : { ...child, permissions };
      return { ...database, users: edited(database.users, before, user) };
    }
    case 'client-encryption-key':
      return { ...database, clientEncryptionKeys: edited(database.clientEncryptionKeys, before, child) };
    case 'permission': {
      const user = userIn(database, owner);
      const changed = { ...user, permissions: edited(user.permissions, before, child) };
      return { ...database, users: edited(database.users, user, changed) };
    }
    default: {
      const container = containerIn(database, owner);
      const name = scriptMaps[type];
      return withContainer(database, { ...container, [name]: edited(container[name], before, child) });
    }
  }
}

/** The rid of a new child, made from a number. */
export function childRid({ type, owner }: ChildPlace, number: number): string {
  switch (type) {
    case 'user':
      return userRid(owner, number);
    case 'client-encryption-key':
      return encryptionKeyRid(owner, number);
    case 'permission':
      return permissionRid(owner, number);
    default:
      return ridInContainer(owner, scriptRids[type], number);
  }
}

function edited<T extends PlainDefinition>(
  children: ReadonlyMap<string, T>,
  before: PlainDefinition | undefined,
  after: T | undefined,
): ReadonlyMap<string, T> {
  if (before === undefined) return after === undefined ? children : new Map(children).set(after.id, after);
  return new Map(
    [...children.values()].flatMap((child): [string, T][] => {
      if (child.rid !== before.rid) return [[child.id, child]];
      return after === undefined ? [] : [[after.id, after]];
    }),
  );
}

function userIn({ users }: DatabaseDefinition, rid: string): UserDefinition {
  const found = [...users.values()].find((user) => user.rid === rid);
  if (found === undefined) throw ownerNotFound('resource');
  return found;
}

function containerIn({ containers }: DatabaseDefinition, rid: string): ContainerDefinition {
  const found = [...containers.values()].find((container) => container.rid === rid);
  if (found === undefined) throw ownerNotFound('container');
  return found;
}
