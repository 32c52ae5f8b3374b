// What is peculiar to USER, the older way to speak of roles that may log in.

import { noRoleOptions, type RoleOptions } from './role-options.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Keeps its case even without quotes. */
export function parseUserName(cursor: TokenCursor): string {
  return parseBareOrString(
    cursor,
    'Quoted strings are are not supported for user names and USER is deprecated, please use ROLE',
  );
}

/** An identity, or the role it is given to; keeps its case too. */
export function parseIdentity(cursor: TokenCursor): string {
  return parseBareOrString(cursor, 'Quoted strings are are not supported for identity');
}

function parseBareOrString(cursor: TokenCursor, whenQuoted: string): string {
  const { kind } = cursor;
  if (kind !== 'IDENT' && kind !== 'STRING_LITERAL' && kind !== 'QUOTED_NAME') cursor.noViableAlternative();
  const name = cursor.take();
  if (kind === 'QUOTED_NAME') cursor.refuse(whenQuoted);
  return name;
}

/** `[WITH [HASHED] PASSWORD '…'] [SUPERUSER | NOSUPERUSER]`. */
export function parseUserOptions(cursor: TokenCursor): RoleOptions {
  const options = cursor.accept('with') ? parsePassword(cursor) : noRoleOptions;
  if (cursor.accept('superuser')) return { ...options, isSuperuser: true };
  if (cursor.accept('nosuperuser')) return { ...options, isSuperuser: false };
  return options;
}

function parsePassword(cursor: TokenCursor): RoleOptions {
  if (cursor.accept('password')) return { ...noRoleOptions, password: cursor.expect('STRING_LITERAL') };
  if (cursor.kind !== 'hashed') cursor.noViableAlternative();
  cursor.skipAll('hashed', 'password');
  return { ...noRoleOptions, hashedPassword: cursor.expect('STRING_LITERAL') };
}
