import { parseExpression, parsePath } from './expression-parser.ts';
import { sqlError } from './sql-error.ts';
import type {
  Count,
  Expression,
  SelectClause,
  SelectItem,
  SelectList,
  SortKey,
  Source,
  SqlQuery,
} from './sql-query.ts';
import { TokenCursor } from './token-cursor.ts';

/** The service's limit on a query's text. */
const longestQueryBytes = 512 * 1024;

export function parseSql(text: string): SqlQuery {
  return parseWhole(text, parseQuery);
}

/** A condition as patches have it: `from c where …`. */
export function parseCondition(text: string): SqlQuery {
  return parseWhole(text, (cursor) => {
    const start = cursor.next.start;
    if (cursor.isWord('SELECT')) return parseQuery(cursor);
    const select: SelectClause = {
      isDistinct: false,
      top: undefined,
      list: { kind: 'all' },
      span: { start, end: start },
    };
    return parseClauses(cursor, select, start);
  });
}

function parseWhole(text: string, parse: (cursor: TokenCursor) => SqlQuery): SqlQuery {
  if (Buffer.byteLength(text) > longestQueryBytes) {
    throw sqlError('SC1002', `The SQL query text exceeded the maximum limit of ${longestQueryBytes} bytes.`);
  }
  const cursor = new TokenCursor(text, parseQuery);
  const query = parse(cursor);
  if (cursor.next.kind !== 'end') cursor.fail();
  return query;
}

function parseQuery(cursor: TokenCursor): SqlQuery {
  const start = cursor.next.start;
  cursor.expectWord('SELECT');
  const isDistinct = cursor.takeWord('DISTINCT');
  const top = cursor.takeWord('TOP') ? parseCount(cursor, 'SC2060', 'TOP') : undefined;
  const list = parseSelectList(cursor);
  const select = Object.freeze({ isDistinct, top, list, span: cursor.spanFrom(start) });
  return parseClauses(cursor, select, start);
}

function parseClauses(cursor: TokenCursor, select: SelectClause, start: number): SqlQuery {
  const from = cursor.takeWord('FROM') ? parseSources(cursor) : [];
  const where = cursor.takeWord('WHERE') ? parseExpression(cursor) : undefined;
  const groupBy = takeWords(cursor, 'GROUP', 'BY') ? listOf(cursor, parseExpression) : [];
  let isRanked = false;
  let orderBy: readonly SortKey[] = [];
  if (takeWords(cursor, 'ORDER', 'BY')) {
    isRanked = cursor.isWord('RANK') && cursor.peek(1).kind === 'name' && cursor.takeWord('RANK');
    orderBy = listOf(cursor, parseSortKey);
  }
  let offset: Count | undefined;
  let limit: Count | undefined;
  if (cursor.takeWord('OFFSET')) {
    offset = parseCount(cursor, 'SC2062', 'OFFSET');
    cursor.expectWord('LIMIT');
    limit = parseCount(cursor, 'SC2061', 'LIMIT');
  }
  return Object.freeze({
    select,
    from,
    where,
    groupBy,
    orderBy,
    isRanked,
    offset,
    limit,
    span: cursor.spanFrom(start),
  });
}

function parseSelectList(cursor: TokenCursor): SelectList {
  if (cursor.takeSymbol('*')) return { kind: 'all' };
  if (cursor.takeWord('VALUE')) {
    const value = parseExpression(cursor);
    // It may be named, though no result says so.
    parseAlias(cursor);
    return Object.freeze({ kind: 'value', value });
  }
  return Object.freeze({ kind: 'items', items: listOf(cursor, parseSelectItem) });
}

function parseSelectItem(cursor: TokenCursor): SelectItem {
  const value = parseExpression(cursor);
  return Object.freeze({ value, alias: parseAlias(cursor) });
}

/** `AS name`, or a name alone where it cannot be the next clause. */
function parseAlias(cursor: TokenCursor): string | undefined {
  if (cursor.takeWord('AS')) return cursor.takeName();
  const opensOffset = cursor.isWord('OFFSET') && ['number', 'parameter'].includes(cursor.peek(1).kind);
  return cursor.isName() && !opensOffset ? cursor.takeName() : undefined;
}

function parseSources(cursor: TokenCursor): readonly Source[] {
  const sources = [parseSource(cursor)];
  while (cursor.takeWord('JOIN')) sources.push(parseSource(cursor));
  return Object.freeze(sources);
}

function parseSource(cursor: TokenCursor): Source {
  const { start } = cursor.next;
  if (cursor.isName() && cursor.isWord('IN', 1)) {
    const alias = cursor.takeName();
    cursor.take();
    const origin = parseOrigin(cursor);
    return Object.freeze({ alias, isIterated: true, origin, span: cursor.spanFrom(start) });
  }
  const origin = parseOrigin(cursor);
  const alias = parseAlias(cursor);
  return Object.freeze({ alias, isIterated: false, origin, span: cursor.spanFrom(start) });
}

function parseOrigin(cursor: TokenCursor): Expression | SqlQuery {
  if (cursor.takeSymbol('(')) {
    const query = cursor.query();
    cursor.expectSymbol(')');
    return query;
  }
  return parsePath(cursor);
}

function parseSortKey(cursor: TokenCursor): SortKey {
  const value = parseExpression(cursor);
  const direction = cursor.takeWord('ASC') ? 'ascending' : cursor.takeWord('DESC') ? 'descending' : undefined;
  return Object.freeze({ value, direction });
}

const largestCount = 2 ** 32 - 1;

function parseCount(cursor: TokenCursor, code: string, clause: string): Count {
  const token = cursor.next;
  const { start, end } = token;
  if (token.kind === 'parameter') {
    cursor.take();
    return Object.freeze({ kind: 'parameter', name: token.text, span: { start, end } });
  }
  if (token.kind !== 'number') cursor.fail();
  const value = Number(token.value);
  if (!Number.isInteger(value)) cursor.fail();
  if (value > largestCount) {
    throw sqlError(code, `The ${clause} value must be an integer between 0 and ${largestCount}.`, {
      start,
      end,
    });
  }
  cursor.take();
  return Object.freeze({ kind: 'literal', value, span: { start, end } });
}

function takeWords(cursor: TokenCursor, first: string, second: string): boolean {
  if (!cursor.takeWord(first)) return false;
  cursor.expectWord(second);
  return true;
}

function listOf<T>(cursor: TokenCursor, parse: (cursor: TokenCursor) => T): readonly T[] {
  const items = [parse(cursor)];
  while (cursor.takeSymbol(',')) items.push(parse(cursor));
  return Object.freeze(items);
}
