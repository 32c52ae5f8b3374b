import { parseList } from './comma-list.ts';
import { parsePropertyMap } from './properties.ts';
import type { TokenCursor } from './token-cursor.ts';

/** What a statement says about a role; null where it says nothing. */
export interface RoleOptions {
  readonly password: string | null;
  readonly hashedPassword: string | null;
  readonly isSuperuser: boolean | null;
  readonly canLogin: boolean | null;
  readonly options: ReadonlyMap<string, string> | null;
  readonly datacenters: AccessList | null;
  readonly cidrs: AccessList | null;
}

/** Where a role may come from or go to. */
export type AccessList = 'all' | readonly string[];

export const noRoleOptions: RoleOptions = {
  password: null,
  hashedPassword: null,
  isSuperuser: null,
  canLogin: null,
  options: null,
  datacenters: null,
  cidrs: null,
};

/** `WITH option AND …`, which may be absent. */
export function parseRoleOptions(cursor: TokenCursor): RoleOptions {
  if (!cursor.accept('with')) return noRoleOptions;
  let options = parseRoleOption(cursor, noRoleOptions);
  while (cursor.accept('and')) options = parseRoleOption(cursor, options);
  checkPasswords(cursor, options);
  return options;
}

function checkPasswords(cursor: TokenCursor, options: RoleOptions): void {
  if (options.password !== null && options.hashedPassword !== null) {
    cursor.refuse("Options 'password' and 'hashed password' are mutually exclusive");
  }
}

function parseRoleOption(cursor: TokenCursor, options: RoleOptions): RoleOptions {
  switch (cursor.kind) {
    case 'password':
      cursor.skipAll('password', '=');
      return {
        ...options,
        password: once(cursor, options.password, 'PASSWORD', cursor.expect('STRING_LITERAL')),
      };
    case 'hashed': {
      cursor.skipAll('hashed', 'password', '=');
      const hash = cursor.expect('STRING_LITERAL');
      return { ...options, hashedPassword: once(cursor, options.hashedPassword, 'HASHED_PASSWORD', hash) };
    }
    case 'options':
      cursor.skipAll('options', '=');
      return { ...options, options: once(cursor, options.options, 'OPTIONS', parsePropertyMap(cursor)) };
    case 'superuser':
      cursor.skipAll('superuser', '=');
      return {
        ...options,
        isSuperuser: once(cursor, options.isSuperuser, 'SUPERUSER', parseBoolean(cursor)),
      };
    case 'login':
      cursor.skipAll('login', '=');
      return { ...options, canLogin: once(cursor, options.canLogin, 'LOGIN', parseBoolean(cursor)) };
    case 'access':
      return parseAccess(cursor, options);
    default:
      return cursor.noViableAlternative();
  }
}

function once<Value>(cursor: TokenCursor, earlier: Value | null, option: string, value: Value): Value {
  if (earlier !== null) cursor.refuse(`Multiple definition for property '${option}'`);
  return value;
}

function parseBoolean(cursor: TokenCursor): boolean {
  return cursor.expect('BOOLEAN').toLowerCase() === 'true';
}

/** `ACCESS TO [ALL] DATACENTERS …` or `ACCESS FROM [ALL] CIDRS …`. */
function parseAccess(cursor: TokenCursor, options: RoleOptions): RoleOptions {
  const direction = cursor.peek(1);
  if (direction !== 'to' && direction !== 'from') cursor.noViableAlternative(1);
  const list = direction === 'to' ? 'datacenters' : 'cidrs';
  const next = cursor.peek(2);
  if (next !== 'all' && next !== list) cursor.noViableAlternative(2);
  cursor.skipAll('access', direction);
  const isAll = cursor.accept('all');
  cursor.skip(list);
  const allowed: AccessList = isAll ? 'all' : parseAllowed(cursor);
  return direction === 'to' ? { ...options, datacenters: allowed } : { ...options, cidrs: allowed };
}

function parseAllowed(cursor: TokenCursor): readonly string[] {
  cursor.skip('{');
  const allowed = parseList(cursor, (inside) => inside.expect('STRING_LITERAL'));
  cursor.skip('}');
  return allowed;
}
