import { sqlError, syntaxError } from './sql-error.ts';
import { type SqlToken, tokensOf } from './sql-lexer.ts';
import type { Span, SqlQuery } from './sql-query.ts';

/** Words that are no name, wherever they stand; in any case. */
const reservedWords: ReadonlySet<string> = new Set(
  (
    'AND ARRAY AS ASC BETWEEN BY DESC DISTINCT EXISTS FROM GROUP IN JOIN LIKE NOT OR ORDER SELECT TOP VALUE ' +
    'WHERE'
  ).split(' '),
);
/** These are so in small letters alone. */
const reservedConstants: ReadonlySet<string> = new Set(['true', 'false', 'null', 'undefined', 'udf']);

// Deep enough for what machines write (one pair of parentheses for each OR), and for the stack of whatever walks the tree.
const deepestNesting = 600;
const longestChains = 2_000;

/** Where in a query's tokens a parser stands. */
export class TokenCursor {
  readonly #tokens: readonly SqlToken[];
  readonly #parseQuery: (cursor: TokenCursor) => SqlQuery;
  #at = 0;
  #depth = 0;
  #chained = 0;

  constructor(text: string, parseQuery: (cursor: TokenCursor) => SqlQuery) {
    this.#tokens = tokensOf(text);
    this.#parseQuery = parseQuery;
  }

  get next(): SqlToken {
    return this.#tokens[this.#at] as SqlToken;
  }

  peek(distance: number): SqlToken {
    return this.#tokens[Math.min(this.#at + distance, this.#tokens.length - 1)] as SqlToken;
  }

  take(): SqlToken {
    const token = this.next;
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  isWord(word: string, distance = 0): boolean {
    const token = this.peek(distance);
    return token.kind === 'name' && token.text.length === word.length && token.text.toUpperCase() === word;
  }

  isSymbol(symbol: string, distance = 0): boolean {
    const token = this.peek(distance);
    return token.kind === 'symbol' && token.text === symbol;
  }

  takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.#at++;
    return true;
  }

  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#at++;
    return true;
  }

  expectWord(word: string): void {
    if (!this.takeWord(word)) this.fail();
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) this.fail();
  }

  isName(): boolean {
    const { kind, text } = this.next;
    return kind === 'name' && !reservedConstants.has(text) && !reservedWords.has(text.toUpperCase());
  }

  takeName(): string {
    if (!this.isName()) this.fail();
    return this.take().text;
  }

  /** From a token's start to the end of what was taken last. */
  spanFrom(start: number): Span {
    const last = this.#tokens[Math.max(this.#at - 1, 0)] as SqlToken;
    return Object.freeze({ start, end: Math.max(last.end, start) });
  }

  fail(): never {
    const { kind, text, start, end } = this.next;
    if (kind !== 'end') throw syntaxError(text, { start, end });
    const last = this.#tokens[this.#at - 1] ?? this.next;
    throw syntaxError(last.text, { start: last.start, end: last.end });
  }

  nested<T>(parse: () => T): T {
    if (++this.#depth > deepestNesting) this.#tooComplex();
    const parsed = parse();
    this.#depth--;
    return parsed;
  }

  query(): SqlQuery {
    return this.nested(() => this.#parseQuery(this));
  }

  /** One more link in a chain such as `a + b + c`, whose tree is as deep as it is long. */
  chain(): void {
    if (++this.#chained > longestChains) this.#tooComplex();
  }

  #tooComplex(): never {
    const { start, end } = this.next;
    throw sqlError('SC1010', 'The query is nested too deeply.', { start, end });
  }
}
