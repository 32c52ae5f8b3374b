import { lexCql } from './cql-lexer.ts';
import { CqlSyntaxError } from './cql-syntax-error.ts';
import { grammarName, type TokenKind } from './cql-token-kind.ts';
import { lexicalError, parseError, positionOfToken, tokenName } from './syntax-error-text.ts';
import type { TokenList } from './token-list.ts';

/** What a bind marker stands for, as far as the grammar knows; the type of a `value` follows from the term around it. */
export type MarkerPlace =
  | 'value'
  | 'inValues'
  | 'tuple'
  | 'tupleInValues'
  | 'json'
  | 'selection'
  | 'limit'
  | 'perPartitionLimit'
  | 'ttl'
  | 'timestamp';

/** `?` has no name. The index counts markers in order of appearance; a name that stands twice has two. */
export interface BindMarker {
  readonly kind: 'marker';
  readonly index: number;
  readonly name: string | null;
  readonly place: MarkerPlace;
}

// Far above what people write, and far below what the stack holds. Long chains of operators count too, because they
// become deep trees that others walk.
const maxDepth = 250;

/** Thrown by an attempt that failed; made once, since a message nobody reads need not be written. */
const attemptFailed = new Error('the attempt failed');

/**
 * The parser's place in a statement, and its bind markers. It keeps how far it has looked, because Cassandra quotes
 * only what it had read, and tells an error of its lexer only if it came that far.
 */
export class TokenCursor {
  readonly #tokens: TokenList;
  readonly #markers: BindMarker[] = [];
  #position = 0;
  #furthest = 0;
  #depth = 0;
  #attempts = 0;
  #postponed: CqlSyntaxError | undefined;

  constructor(source: string) {
    this.#tokens = lexCql(source);
  }

  get kind(): TokenKind {
    return this.#tokens.kindAt(this.#position);
  }

  get markers(): readonly BindMarker[] {
    return this.#markers;
  }

  /** The text of the present token: a string or quoted name without its quotes, a word as it was typed. */
  get text(): string {
    return this.#tokens.textAt(this.#position);
  }

  /** The kind of a token further on. */
  peek(ahead: number): TokenKind {
    const index = Math.min(this.#position + ahead, this.#tokens.kinds.length - 1);
    if (index > this.#furthest) this.#furthest = index;
    return this.#tokens.kindAt(index);
  }

  /**
   * Where Cassandra decides by a table it reads one token more than it decides by, which shows in what an error quotes.
   */
  hasRead(ahead: number): void {
    this.peek(ahead);
  }

  /** Goes past the present token and answers its text. */
  take(): string {
    const text = this.text;
    this.#position += 1;
    return text;
  }

  accept(kind: TokenKind): boolean {
    if (this.kind !== kind) return false;
    this.#position += 1;
    return true;
  }

  /** Goes past a token that must be of this kind. */
  skip(kind: TokenKind): void {
    if (this.kind !== kind) this.#refuseMismatch(kind);
    this.#position += 1;
  }

  skipAll(...kinds: readonly TokenKind[]): void {
    for (const kind of kinds) this.skip(kind);
  }

  /** The text of a token that must be of this kind. */
  expect(kind: TokenKind): string {
    if (this.kind !== kind) this.#refuseMismatch(kind);
    return this.take();
  }

  /** No alternative of the grammar goes on with the token this far ahead. */
  noViableAlternative(ahead = 0): never {
    this.hasRead(ahead);
    const at = Math.min(this.#position + ahead, this.#tokens.kinds.length - 1);
    return this.#fail(() => `no viable alternative at input ${tokenName(this.#tokens, at)}`, at);
  }

  /** The present token is none of a set that the grammar writes as one token. */
  mismatchedSet(): never {
    const reason = () => `mismatched input ${tokenName(this.#tokens, this.#position)} expecting set null`;
    return this.#fail(reason, this.#position);
  }

  #refuseMismatch(kind: TokenKind): never {
    const found = () => tokenName(this.#tokens, this.#position);
    return this.#fail(() => `mismatched input ${found()} expecting ${grammarName(kind)}`, this.#position);
  }

  #fail(reason: () => string, at: number): never {
    if (this.#attempts > 0) throw attemptFailed;
    throw (
      this.#earlierLexicalError() ??
      parseError(this.#tokens, reason(), at, this.#position, Math.max(this.#furthest, this.#position))
    );
  }

  #earlierLexicalError(): CqlSyntaxError | undefined {
    const { error, tokensBeforeError, source } = this.#tokens;
    if (error === undefined || tokensBeforeError > Math.max(this.#furthest, this.#position)) return undefined;
    return lexicalError(source, error.reason, error.offset);
  }

  /** Refuses what the grammar lets pass; Cassandra gives no position in such a message. */
  refuse(message: string): void {
    const { line, column } = positionOfToken(this.#tokens, this.#position);
    const error = this.#earlierLexicalError() ?? new CqlSyntaxError(message, line, column);
    if (this.#attempts === 0) throw error;
    this.#postponed ??= error;
  }

  /** Refuses a number that Java, while reading the statement, cannot hold. */
  refuseNumber(complaint: string): void {
    this.refuse(
      `Failed parsing statement: [${this.#tokens.source}] reason: NumberFormatException ${complaint}`,
    );
  }

  /** The whole text has been read. A lexical error anywhere in it refuses it now. */
  finish(): void {
    while (this.accept(';'));
    this.skip('EOF');
    const error = this.#earlierLexicalError();
    if (error !== undefined) throw error;
  }

  /** Reads ahead on trial: undefined, and everything as before, if it cannot be read so. */
  attempt<Result>(parse: () => Result): Result | undefined {
    const position = this.#position;
    const markerCount = this.#markers.length;
    const depth = this.#depth;
    const postponed = this.#postponed;
    this.#attempts += 1;
    try {
      const result = parse();
      this.#attempts -= 1;
      if (this.#attempts === 0 && this.#postponed !== undefined) throw this.#postponed;
      return result;
    } catch (error) {
      if (error !== attemptFailed) throw error;
      this.#attempts -= 1;
      this.#furthest = Math.max(this.#furthest, this.#position);
      this.#position = position;
      this.#markers.length = markerCount;
      this.#depth = depth;
      this.#postponed = postponed;
      return undefined;
    }
  }

  addMarker(name: string | null, place: MarkerPlace): BindMarker {
    const marker: BindMarker = { kind: 'marker', index: this.#markers.length, name, place };
    this.#markers.push(marker);
    return marker;
  }

  /** One level deeper; every call is paired with `rise`. */
  descend(): void {
    this.#depth += 1;
    if (this.#depth <= maxDepth) return;
    const { line, column } = positionOfToken(this.#tokens, this.#position);
    throw new CqlSyntaxError(
      `line ${line}:${column} the statement is nested more than ${maxDepth} levels deep`,
      line,
      column,
    );
  }

  rise(levels = 1): void {
    this.#depth -= levels;
  }
}
