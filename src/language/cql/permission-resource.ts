import { parseArgumentTypes } from './argument-types.ts';
import { isName, type TokenKind } from './cql-token-kind.ts';
import {
  beginsFunctionName,
  parseFunctionName,
  parseKeyspaceName,
  parseRoleName,
  parseTableName,
  type QualifiedName,
} from './names.ts';
import type { Permission } from './permissions.ts';
import type { TokenCursor } from './token-cursor.ts';
import type { TypeName } from './type-name.ts';

/** What a permission is granted on. A null keyspace of all functions means every keyspace. */
export type PermissionResource =
  | { readonly kind: 'allKeyspaces' | 'allRoles' | 'allMbeans' }
  | { readonly kind: 'keyspace' | 'allTables'; readonly keyspace: string }
  | { readonly kind: 'table'; readonly table: QualifiedName }
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'allFunctions'; readonly keyspace: string | null }
  | { readonly kind: 'function'; readonly name: QualifiedName; readonly argumentTypes: readonly TypeName[] }
  | { readonly kind: 'mbean' | 'mbeans'; readonly name: string };

export function parseResource(cursor: TokenCursor): PermissionResource {
  const { kind } = cursor;
  switch (kind) {
    case 'all':
      return parseAll(cursor);
    case 'keyspace':
      cursor.take();
      return { kind: 'keyspace', keyspace: parseKeyspaceName(cursor) };
    case 'table':
      cursor.take();
      return { kind: 'table', table: parseTableName(cursor) };
    case 'role':
      if (namesTable(cursor)) break;
      if (!beginsRoleName(cursor.peek(1))) cursor.noViableAlternative(1);
      cursor.take();
      return { kind: 'role', role: parseRoleName(cursor) };
    case 'function': {
      if (namesTable(cursor)) break;
      if (!beginsFunctionName(cursor.peek(1))) cursor.noViableAlternative(1);
      cursor.take();
      const name = parseFunctionName(cursor);
      return { kind: 'function', name, argumentTypes: parseArgumentTypes(cursor) };
    }
    case 'mbean':
    case 'mbeans':
      if (namesTable(cursor)) break;
      if (cursor.peek(1) !== 'STRING_LITERAL') cursor.noViableAlternative(1);
      cursor.take();
      return { kind, name: cursor.expect('STRING_LITERAL') };
    default:
      if (!isName(kind) && kind !== 'QMARK') cursor.noViableAlternative();
  }
  return { kind: 'table', table: parseTableName(cursor) };
}

/** The word is itself a table's or keyspace's name, because of what follows it. */
function namesTable(cursor: TokenCursor): boolean {
  const next = cursor.peek(1);
  return next === '.' || endsResource(next);
}

function beginsRoleName(kind: TokenKind): boolean {
  return isName(kind) || kind === 'STRING_LITERAL' || kind === 'QMARK';
}

function endsResource(kind: TokenKind): boolean {
  return (
    kind === 'to' ||
    kind === 'from' ||
    kind === 'of' ||
    kind === 'norecursive' ||
    kind === ';' ||
    kind === 'EOF'
  );
}

function parseAll(cursor: TokenCursor): PermissionResource {
  switch (cursor.peek(1)) {
    case 'keyspaces':
      cursor.skipAll('all', 'keyspaces');
      return { kind: 'allKeyspaces' };
    case 'roles':
      cursor.skipAll('all', 'roles');
      return { kind: 'allRoles' };
    case 'mbeans':
      cursor.skipAll('all', 'mbeans');
      return { kind: 'allMbeans' };
    case 'tables':
      cursor.skipAll('all', 'tables', 'in', 'keyspace');
      return { kind: 'allTables', keyspace: parseKeyspaceName(cursor) };
    case 'functions':
      if (cursor.peek(2) !== 'in' && !endsResource(cursor.peek(2))) cursor.noViableAlternative(2);
      cursor.skipAll('all', 'functions');
      if (!cursor.accept('in')) return { kind: 'allFunctions', keyspace: null };
      cursor.skip('keyspace');
      return { kind: 'allFunctions', keyspace: parseKeyspaceName(cursor) };
    default:
      if (!namesTable(cursor)) cursor.noViableAlternative(1);
      return { kind: 'table', table: parseTableName(cursor) };
  }
}

const ofTable: readonly Permission[] = [
  'ALTER',
  'DROP',
  'SELECT',
  'MODIFY',
  'AUTHORIZE',
  'UNMASK',
  'SELECT_MASKED',
];
const ofRole: readonly Permission[] = ['ALTER', 'DROP', 'AUTHORIZE', 'DESCRIBE'];
const ofFunction: readonly Permission[] = ['ALTER', 'DROP', 'AUTHORIZE', 'EXECUTE'];
const ofMbean: readonly Permission[] = ['AUTHORIZE', 'DESCRIBE', 'EXECUTE', 'MODIFY', 'SELECT'];

// The class is Cassandra's name for the family, which its message gives.
const families = {
  allKeyspaces: { className: 'DataResource', applicable: ['CREATE', ...ofTable] },
  keyspace: { className: 'DataResource', applicable: ['CREATE', ...ofTable] },
  allTables: { className: 'DataResource', applicable: ['CREATE', ...ofTable] },
  table: { className: 'DataResource', applicable: ofTable },
  allRoles: { className: 'RoleResource', applicable: ['CREATE', ...ofRole] },
  role: { className: 'RoleResource', applicable: ofRole },
  allFunctions: { className: 'FunctionResource', applicable: ['CREATE', ...ofFunction] },
  function: { className: 'FunctionResource', applicable: ofFunction },
  allMbeans: { className: 'JMXResource', applicable: ofMbean },
  mbean: { className: 'JMXResource', applicable: ofMbean },
  mbeans: { className: 'JMXResource', applicable: ofMbean },
} satisfies Record<PermissionResource['kind'], { className: string; applicable: readonly Permission[] }>;

/** Those of the permissions that the resource can have; there must be one. */
export function applicablePermissions(
  cursor: TokenCursor,
  permissions: readonly Permission[],
  resource: PermissionResource,
): readonly Permission[] {
  const family: { className: string; applicable: readonly Permission[] } = families[resource.kind];
  const applicable = permissions.filter((permission) => family.applicable.includes(permission));
  if (applicable.length === 0) {
    cursor.refuse(`Resource type ${family.className} does not support any of the requested permissions`);
  }
  return applicable;
}
