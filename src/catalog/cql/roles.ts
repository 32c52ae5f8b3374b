import { assert } from '../../foundation/assert.ts';
import type { SystemRecord, SystemRecords } from '../../replication/system-records.ts';
import { LoginChecks } from './login-checks.ts';
import { hashPassword, nobodysHash } from './password-hash.ts';

export interface Role {
  readonly name: string;
  readonly isSuperuser: boolean;
  readonly canLogin: boolean;
  /** Roles that were granted to it, by name. */
  readonly memberOf: readonly string[];
}

/** What CREATE and ALTER say; undefined leaves it as it is. */
export interface RoleChange {
  readonly isSuperuser?: boolean | undefined;
  readonly canLogin?: boolean | undefined;
  readonly password?: string | undefined;
  /** Instead of a password: one that the client hashed (`readBcrypt`). */
  readonly hashedPassword?: string | undefined;
}

interface StoredRole extends Role {
  /** As `hashPassword` or a client made it; null for a role without, which then cannot log in. */
  readonly password: string | null;
}

const roleKind = 'cql-role';
const identityKind = 'cql-identity';

// As Cassandra begins. It is stored only together with the first change, and its password is not hashed until it is altered: a new
// server would spend more time on that than on all else.
const defaultName = 'cassandra';
const defaultPassword = 'cassandra';
const unhashedDefault = 'default';
const defaultRole: StoredRole = {
  name: defaultName,
  isSuperuser: true,
  canLogin: true,
  memberOf: [],
  password: unhashedDefault,
};

/** Who may log in, and which roles were granted to whom. Changes happen one after another. */
export class Roles {
  readonly #records: Pick<SystemRecords, 'readAll' | 'put'>;
  #roles: ReadonlyMap<string, StoredRole>;
  readonly #identities: Map<string, string>;
  readonly #checks: LoginChecks;
  readonly #nobodysHash = nobodysHash();
  #isStored: boolean;
  #turn: Promise<void> = Promise.resolve();

  private constructor(
    records: Pick<SystemRecords, 'readAll' | 'put'>,
    stored: readonly StoredRole[],
    identities: Map<string, string>,
    checks: LoginChecks,
  ) {
    this.#records = records;
    this.#checks = checks;
    this.#isStored = stored.length > 0;
    this.#roles = new Map((this.#isStored ? stored : [defaultRole]).map((role) => [role.name, role]));
    this.#identities = identities;
  }

  static async load(
    records: Pick<SystemRecords, 'readAll' | 'put'>,
    checks: LoginChecks = new LoginChecks(),
  ): Promise<Roles> {
    const stored = await records.readAll(roleKind);
    const roles = Array.from(stored, ([name, json]) => ({ ...(json as Omit<StoredRole, 'name'>), name }));
    const identities = await records.readAll(identityKind);
    return new Roles(records, roles, identities as Map<string, string>, checks);
  }

  find(name: string): Role | undefined {
    return this.#roles.get(name);
  }

  /** By name. */
  all(): readonly Role[] {
    return [...this.#roles.values()].sort(byName);
  }

  /** The role itself and what was granted to it, or to those in turn; by name. */
  rolesOf(name: string, isRecursive: boolean): readonly Role[] {
    const found = new Map<string, Role>();
    const visit = (role: Role | undefined, depth: number): void => {
      if (role === undefined || found.has(role.name)) return;
      found.set(role.name, role);
      if (depth > 0 && !isRecursive) return;
      for (const granted of role.memberOf) visit(this.#roles.get(granted), depth + 1);
    };
    visit(this.#roles.get(name), 0);
    return [...found.values()].sort(byName);
  }

  /** Also by a role that was granted. */
  isSuperuser(name: string): boolean {
    return this.rolesOf(name, true).some((role) => role.isSuperuser);
  }

  /** False alike, and after the same work, for a name that is not known, a role without a password and a wrong one. */
  async authenticate(name: string, password: string): Promise<boolean> {
    const stored = this.#roles.get(name)?.password ?? null;
    if (stored === unhashedDefault && password === defaultPassword) return true;
    const isHashed = stored !== null && stored !== unhashedDefault;
    return await this.#checks.isRight(name, password, isHashed ? stored : this.#nobodysHash);
  }

  async create(name: string, change: RoleChange): Promise<void> {
    const { isSuperuser = false, canLogin = false } = change;
    const hash = (await hashOf(change)) ?? null;
    await this.#change(() => [{ name, isSuperuser, canLogin, memberOf: [], password: hash }]);
  }

  async alter(name: string, change: RoleChange): Promise<void> {
    const { isSuperuser, canLogin } = change;
    const hash = await hashOf(change);
    await this.#change(() => {
      const role = this.#roles.get(name);
      if (role === undefined) return [];
      return [
        {
          ...role,
          isSuperuser: isSuperuser ?? role.isSuperuser,
          canLogin: canLogin ?? role.canLogin,
          password: hash ?? role.password,
        },
      ];
    });
  }

  async drop(name: string): Promise<void> {
    const members = (): StoredRole[] =>
      [...this.#roles.values()].filter((role) => role.memberOf.includes(name));
    await this.#change(() => members().map((member) => without(member, name)), name);
    this.#checks.forget(name);
    const identities = Array.from(this.#identities).filter(([, role]) => role === name);
    for (const [identity] of identities) await this.dropIdentity(identity);
  }

  async grant(name: string, grantee: string): Promise<void> {
    await this.#change(() => {
      const role = this.#roles.get(grantee);
      return role === undefined ? [] : [{ ...role, memberOf: [...role.memberOf, name].sort() }];
    });
  }

  async revoke(name: string, revokee: string): Promise<void> {
    await this.#change(() => {
      const role = this.#roles.get(revokee);
      return role === undefined ? [] : [without(role, name)];
    });
  }

  hasIdentity(identity: string): boolean {
    return this.#identities.has(identity);
  }

  async addIdentity(identity: string, role: string): Promise<void> {
    await this.#records.put([{ kind: identityKind, id: identity, value: role }]);
    this.#identities.set(identity, role);
  }

  async dropIdentity(identity: string): Promise<void> {
    await this.#records.put([{ kind: identityKind, id: identity, value: null }]);
    this.#identities.delete(identity);
  }

  #change(changedRoles: () => readonly StoredRole[], dropped?: string): Promise<void> {
    const turn = this.#turn.then(async () => {
      const next = new Map(this.#roles);
      const changed = changedRoles();
      for (const role of changed) next.set(role.name, role);
      if (dropped !== undefined) next.delete(dropped);
      const written = this.#isStored ? changed : [...next.values()];
      // Without a role left there would be the default one again, as there is in a new Cassandra.
      await this.#records.put([
        ...written.map(recordOf),
        ...(dropped === undefined ? [] : [{ kind: roleKind, id: dropped, value: null }]),
      ]);
      this.#isStored = true;
      this.#roles = next;
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

async function hashOf({ password, hashedPassword }: RoleChange): Promise<string | undefined> {
  return password === undefined ? hashedPassword : await hashPassword(password);
}

function recordOf({ name, ...value }: StoredRole): SystemRecord {
  assert(name !== '', 'a role has a name');
  return { kind: roleKind, id: name, value };
}

function without(role: StoredRole, granted: string): StoredRole {
  return { ...role, memberOf: role.memberOf.filter((name) => name !== granted) };
}

function byName(one: Role, other: Role): number {
  if (one.name === other.name) return 0;
  return one.name < other.name ? -1 : 1;
}
