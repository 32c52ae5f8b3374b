import { isName, type TokenKind } from './cql-token-kind.ts';
import { isPermission, permissionWords } from './permissions.ts';
import { type AddIdentityStatement, parseAddIdentity } from './statements/add-identity.ts';
import { type AlterKeyspaceStatement, parseAlterKeyspace } from './statements/alter-keyspace.ts';
import {
  type AlterMaterializedViewStatement,
  parseAlterMaterializedView,
} from './statements/alter-materialized-view.ts';
import { type AlterRoleStatement, parseAlterRole } from './statements/alter-role.ts';
import { type AlterTableStatement, parseAlterTable } from './statements/alter-table.ts';
import { type AlterTypeStatement, parseAlterType } from './statements/alter-type.ts';
import { parseAlterUser } from './statements/alter-user.ts';
import { type BatchStatement, type ModificationStatement, parseBatch } from './statements/batch.ts';
import { type CreateAggregateStatement, parseCreateAggregate } from './statements/create-aggregate.ts';
import { type CreateFunctionStatement, parseCreateFunction } from './statements/create-function.ts';
import { type CreateIndexStatement, parseCreateIndex } from './statements/create-index.ts';
import { type CreateKeyspaceStatement, parseCreateKeyspace } from './statements/create-keyspace.ts';
import {
  type CreateMaterializedViewStatement,
  parseCreateMaterializedView,
} from './statements/create-materialized-view.ts';
import { type CreateRoleStatement, parseCreateRole } from './statements/create-role.ts';
import { type CreateTableStatement, parseCreateTable } from './statements/create-table.ts';
import { type CreateTriggerStatement, parseCreateTrigger } from './statements/create-trigger.ts';
import { type CreateTypeStatement, parseCreateType } from './statements/create-type.ts';
import { parseCreateUser } from './statements/create-user.ts';
import { parseDelete } from './statements/delete.ts';
import { type DescribeStatement, parseDescribe } from './statements/describe.ts';
import { type DropAggregateStatement, parseDropAggregate } from './statements/drop-aggregate.ts';
import { type DropFunctionStatement, parseDropFunction } from './statements/drop-function.ts';
import { type DropIdentityStatement, parseDropIdentity } from './statements/drop-identity.ts';
import { type DropIndexStatement, parseDropIndex } from './statements/drop-index.ts';
import { type DropKeyspaceStatement, parseDropKeyspace } from './statements/drop-keyspace.ts';
import {
  type DropMaterializedViewStatement,
  parseDropMaterializedView,
} from './statements/drop-materialized-view.ts';
import { type DropRoleStatement, parseDropRole } from './statements/drop-role.ts';
import { type DropTableStatement, parseDropTable } from './statements/drop-table.ts';
import { type DropTriggerStatement, parseDropTrigger } from './statements/drop-trigger.ts';
import { type DropTypeStatement, parseDropType } from './statements/drop-type.ts';
import { parseDropUser } from './statements/drop-user.ts';
import {
  type GrantPermissionsStatement,
  type GrantRoleStatement,
  parseGrantPermissions,
  parseGrantRole,
} from './statements/grant.ts';
import { parseInsert } from './statements/insert.ts';
import { type ListPermissionsStatement, parseListPermissions } from './statements/list-permissions.ts';
import { type ListRolesStatement, parseListRoles } from './statements/list-roles.ts';
import { type ListUsersStatement, parseListUsers } from './statements/list-users.ts';
import {
  parseRevokePermissions,
  parseRevokeRole,
  type RevokePermissionsStatement,
  type RevokeRoleStatement,
} from './statements/revoke.ts';
import { parseSelect, type SelectStatement } from './statements/select.ts';
import { parseTruncate, type TruncateStatement } from './statements/truncate.ts';
import { parseUpdate } from './statements/update.ts';
import { parseUse, type UseStatement } from './statements/use.ts';
import { type BindMarker, TokenCursor } from './token-cursor.ts';

export type CqlStatement =
  | SelectStatement
  | ModificationStatement
  | BatchStatement
  | UseStatement
  | TruncateStatement
  | CreateKeyspaceStatement
  | AlterKeyspaceStatement
  | DropKeyspaceStatement
  | CreateTableStatement
  | AlterTableStatement
  | DropTableStatement
  | CreateTypeStatement
  | AlterTypeStatement
  | DropTypeStatement
  | CreateIndexStatement
  | DropIndexStatement
  | CreateMaterializedViewStatement
  | AlterMaterializedViewStatement
  | DropMaterializedViewStatement
  | CreateFunctionStatement
  | DropFunctionStatement
  | CreateAggregateStatement
  | DropAggregateStatement
  | CreateTriggerStatement
  | DropTriggerStatement
  | CreateRoleStatement
  | AlterRoleStatement
  | DropRoleStatement
  | ListRolesStatement
  | ListUsersStatement
  | ListPermissionsStatement
  | GrantPermissionsStatement
  | GrantRoleStatement
  | RevokePermissionsStatement
  | RevokeRoleStatement
  | AddIdentityStatement
  | DropIdentityStatement
  | DescribeStatement;

/** Plain data; nothing in it is changed once it has been read. */
export interface ParsedStatement {
  readonly statement: CqlStatement;
  /** In order of appearance, each also where it stands in the statement. */
  readonly markers: readonly BindMarker[];
}

type StatementParser = (cursor: TokenCursor) => CqlStatement;
type StatementTable = ReadonlyMap<TokenKind, StatementParser>;

const statements: StatementTable = new Map<TokenKind, StatementParser>([
  ['select', parseSelect],
  ['insert', parseInsert],
  ['update', parseUpdate],
  ['delete', parseDelete],
  ['begin', parseBatch],
  ['use', parseUse],
  ['truncate', parseTruncate],
  ['create', (cursor) => parseBySecondWord(cursor, createStatements)],
  ['alter', (cursor) => parseBySecondWord(cursor, alterStatements)],
  ['drop', (cursor) => parseBySecondWord(cursor, dropStatements)],
  ['list', (cursor) => parseBySecondWord(cursor, listStatements)],
  ['grant', (cursor) => (grantsPermission(cursor, 'to') ? parseGrantPermissions : parseGrantRole)(cursor)],
  [
    'revoke',
    (cursor) => (grantsPermission(cursor, 'from') ? parseRevokePermissions : parseRevokeRole)(cursor),
  ],
  ['add', parseAddIdentity],
  ['describe', parseDescribe],
  ['desc', parseDescribe],
]);

const createStatements: StatementTable = new Map<TokenKind, StatementParser>([
  ['keyspace', parseCreateKeyspace],
  ['table', parseCreateTable],
  ['type', parseCreateType],
  ['index', parseCreateIndex],
  ['custom', parseCreateIndex],
  ['materialized', parseCreateMaterializedView],
  ['function', parseCreateFunction],
  ['aggregate', parseCreateAggregate],
  ['or', parseCreateOrReplace],
  ['trigger', parseCreateTrigger],
  ['role', parseCreateRole],
  ['user', parseCreateUser],
]);

const replaceableStatements: StatementTable = new Map<TokenKind, StatementParser>([
  ['function', parseCreateFunction],
  ['aggregate', parseCreateAggregate],
]);

const alterStatements: StatementTable = new Map<TokenKind, StatementParser>([
  ['keyspace', parseAlterKeyspace],
  ['table', parseAlterTable],
  ['type', parseAlterType],
  ['materialized', parseAlterMaterializedView],
  ['role', parseAlterRole],
  ['user', parseAlterUser],
]);

const dropStatements: StatementTable = new Map<TokenKind, StatementParser>([
  ['keyspace', parseDropKeyspace],
  ['table', parseDropTable],
  ['type', parseDropType],
  ['index', parseDropIndex],
  ['materialized', parseDropMaterializedView],
  ['function', parseDropFunction],
  ['aggregate', parseDropAggregate],
  ['trigger', parseDropTrigger],
  ['role', parseDropRole],
  ['user', parseDropUser],
  ['identity', parseDropIdentity],
]);

const listStatements: StatementTable = new Map<TokenKind, StatementParser>([
  ['roles', parseListRoles],
  ['users', parseListUsers],
  ['all', parseListPermissions],
  ...permissionWords.map((word) => [word, parseListPermissions] as const),
]);

/** Reads one statement, with semicolons behind it or none. Throws CqlSyntaxError, and nothing else. */
export function parseCql(text: string): ParsedStatement {
  const cursor = new TokenCursor(text);
  const parse = statements.get(cursor.kind);
  if (parse === undefined) return cursor.noViableAlternative();
  const statement = parse(cursor);
  cursor.finish();
  return { statement, markers: cursor.markers };
}

function parseBySecondWord(cursor: TokenCursor, table: StatementTable): CqlStatement {
  return parseWithWordAt(cursor, 1, table);
}

/** Which statement it is, is decided before any of it is read. */
function parseWithWordAt(cursor: TokenCursor, ahead: number, table: StatementTable): CqlStatement {
  const parse = table.get(cursor.peek(ahead));
  return parse === undefined ? cursor.noViableAlternative(ahead) : parse(cursor);
}

function parseCreateOrReplace(cursor: TokenCursor): CqlStatement {
  if (cursor.peek(2) !== 'replace') cursor.noViableAlternative(2);
  return parseWithWordAt(cursor, 3, replaceableStatements);
}

/** `GRANT ALL TO …` grants a role of that name; some permissions are unreserved words and may be roles too. */
function grantsPermission(cursor: TokenCursor, preposition: 'to' | 'from'): boolean {
  const word = cursor.peek(1);
  if (!isPermission(word) && word !== 'all') {
    if (!isName(word) && word !== 'STRING_LITERAL' && word !== 'QMARK') cursor.noViableAlternative(1);
    return false;
  }
  if (!isName(word)) return true;
  const next = cursor.peek(2);
  if (next === preposition) return false;
  const isPlural = word === 'all';
  if (next === 'on' || (isPlural ? next === 'permissions' : next === 'permission' || next === ','))
    return true;
  return cursor.noViableAlternative(2);
}
