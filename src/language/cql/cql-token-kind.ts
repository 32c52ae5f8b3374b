// The kinds of token of Cassandra 5.0. A keyword's kind is the word in lower case, a punctuation's kind is itself, and
// the others carry the grammar's names, so that what the parser asks for is also what an error says it expected.

const nativeTypeWords = [
  'ascii',
  'bigint',
  'blob',
  'boolean',
  'counter',
  'decimal',
  'double',
  'duration',
  'float',
  'inet',
  'int',
  'smallint',
  'text',
  'timestamp',
  'tinyint',
  'uuid',
  'varchar',
  'varint',
  'timeuuid',
  'date',
  'time',
] as const;

const basicUnreservedWords = [
  'keys',
  'as',
  'cluster',
  'clustering',
  'compact',
  'storage',
  'tables',
  'type',
  'types',
  'values',
  'map',
  'list',
  'filtering',
  'permission',
  'permissions',
  'keyspaces',
  'all',
  'user',
  'users',
  'role',
  'roles',
  'identity',
  'superuser',
  'nosuperuser',
  'login',
  'nologin',
  'options',
  'password',
  'hashed',
  'exists',
  'custom',
  'trigger',
  'contains',
  'internals',
  'only',
  'static',
  'frozen',
  'tuple',
  'function',
  'functions',
  'aggregate',
  'aggregates',
  'sfunc',
  'stype',
  'finalfunc',
  'initcond',
  'returns',
  'language',
  'called',
  'input',
  'like',
  'per',
  'partition',
  'group',
  'datacenters',
  'cidrs',
  'access',
  'default',
  'mbean',
  'mbeans',
  'replace',
  'unset',
  'masked',
  'unmask',
  'select_masked',
  'vector',
  'ann',
] as const;

/** Unreserved, yet not the name of a type or of a function. */
const valueWords = ['ttl', 'count', 'writetime', 'maxwritetime', 'key', 'cast', 'json', 'distinct'] as const;

const reservedWords = [
  'add',
  'allow',
  'alter',
  'and',
  'apply',
  'asc',
  'authorize',
  'batch',
  'begin',
  'by',
  'create',
  'delete',
  'desc',
  'describe',
  'drop',
  'entries',
  'execute',
  'from',
  'full',
  'grant',
  'if',
  'in',
  'index',
  'infinity',
  'insert',
  'into',
  'is',
  'keyspace',
  'limit',
  'materialized',
  'modify',
  'nan',
  'norecursive',
  'not',
  'null',
  'of',
  'on',
  'or',
  'order',
  'primary',
  'rename',
  'revoke',
  'schema',
  'select',
  'set',
  'table',
  'to',
  'token',
  'truncate',
  'unlogged',
  'update',
  'use',
  'using',
  'view',
  'where',
  'with',
] as const;

export type NativeTypeWord = (typeof nativeTypeWords)[number];
type BasicUnreservedWord = (typeof basicUnreservedWords)[number];
type Keyword =
  | NativeTypeWord
  | BasicUnreservedWord
  | (typeof valueWords)[number]
  | (typeof reservedWords)[number];

export type TokenKind =
  | Keyword
  | 'IDENT'
  | 'QUOTED_NAME'
  | 'EMPTY_QUOTED_NAME'
  | 'STRING_LITERAL'
  | 'INTEGER'
  | 'FLOAT'
  | 'BOOLEAN'
  | 'DURATION'
  | 'UUID'
  | 'HEXNUMBER'
  | '-nan'
  | '-infinity'
  | 'QMARK'
  | 'RANGE'
  | 'EOF'
  | 'HIDDEN'
  | Punctuation;

type Punctuation =
  | '('
  | ')'
  | '['
  | ']'
  | '{'
  | '}'
  | ','
  | ';'
  | ':'
  | '.'
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '+='
  | '-'
  | '-='
  | '*'
  | '/'
  | '%'
  | 'expr(';

/** Every word the lexer knows, in lower case. The second spelling of a word has the kind of the first. */
export const wordKinds: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...[...nativeTypeWords, ...basicUnreservedWords, ...valueWords, ...reservedWords].map(
    (word) => [word, word] as const,
  ),
  ['columnfamily', 'table'],
  ['columnfamilies', 'tables'],
  ['true', 'BOOLEAN'],
  ['false', 'BOOLEAN'],
]);

const nativeTypes: ReadonlySet<TokenKind> = new Set<TokenKind>(nativeTypeWords);
const basicUnreserved: ReadonlySet<TokenKind> = new Set<TokenKind>(basicUnreservedWords);
const names: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'IDENT',
  'QUOTED_NAME',
  ...nativeTypeWords,
  ...basicUnreservedWords,
  ...valueWords,
]);

export function isNativeType(kind: TokenKind): kind is NativeTypeWord {
  return nativeTypes.has(kind);
}

export function isBasicUnreserved(kind: TokenKind): boolean {
  return basicUnreserved.has(kind);
}

/** A word that is its own name: anything but what the grammar reserves. */
export function isUnreserved(kind: TokenKind): boolean {
  return names.has(kind) && kind !== 'IDENT' && kind !== 'QUOTED_NAME';
}

/** What may name a column, a table, a keyspace. */
export function isName(kind: TokenKind): boolean {
  return names.has(kind);
}

/** What may name a function: the words that only stand for values are out, `token` and `count` are in. */
export function isFunctionName(kind: TokenKind): boolean {
  return (
    kind === 'IDENT' ||
    kind === 'QUOTED_NAME' ||
    kind === 'token' ||
    kind === 'count' ||
    basicUnreserved.has(kind) ||
    nativeTypes.has(kind)
  );
}

const grammarNames: ReadonlyMap<TokenKind, string> = new Map<TokenKind, string>([
  ['table', 'K_COLUMNFAMILY'],
  ['nan', 'K_POSITIVE_NAN'],
  ['-nan', 'K_NEGATIVE_NAN'],
  ['infinity', 'K_POSITIVE_INFINITY'],
  ['-infinity', 'K_NEGATIVE_INFINITY'],
]);

/** The kind as an error message names it: K_FROM, IDENT, ')'. */
export function grammarName(kind: TokenKind): string {
  const special = grammarNames.get(kind);
  if (special !== undefined) return special;
  if (wordKinds.has(kind)) return `K_${kind.toUpperCase()}`;
  return /^[A-Z_]+$/.test(kind) ? kind : `'${kind}'`;
}
