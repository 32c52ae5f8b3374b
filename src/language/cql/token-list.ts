import type { TokenKind } from './cql-token-kind.ts';

/** What the lexer could not read. Later errors of the same text are never told, so only the first is kept. */
export interface LexicalError {
  readonly reason: string;
  /** Where the lexer stood: one past the last character of the text if it met the end. */
  readonly offset: number;
}

/** Tokens as parallel arrays, which cost a third of what an object for each would. The last is always EOF. */
export class TokenList {
  readonly source: string;
  readonly kinds: TokenKind[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** The first thing that is no token, and how many tokens were read before it. */
  error: LexicalError | undefined;
  tokensBeforeError: number = Number.POSITIVE_INFINITY;

  constructor(source: string) {
    this.source = source;
  }

  add(kind: TokenKind, start: number, end: number): void {
    this.kinds.push(kind);
    this.starts.push(start);
    this.ends.push(end);
  }

  refuse(reason: string, offset: number): void {
    if (this.error !== undefined) return;
    this.error = { reason, offset };
    this.tokensBeforeError = this.kinds.length;
  }

  kindAt(index: number): TokenKind {
    return this.kinds[index] ?? 'EOF';
  }

  /** The token without the quotes of a string or a quoted name; doubled quotes inside are one. */
  textAt(index: number): string {
    const start = this.starts[index] ?? this.source.length;
    const end = this.ends[index] ?? start;
    const kind = this.kindAt(index);
    if (kind === 'EOF') return '<EOF>';
    if (kind === 'STRING_LITERAL') {
      if (this.source.charCodeAt(start) === 0x24) return this.source.slice(start + 2, end - 2);
      return this.source.slice(start + 1, end - 1).replaceAll("''", "'");
    }
    if (kind === 'QUOTED_NAME') return this.source.slice(start + 1, end - 1).replaceAll('""', '"');
    return this.source.slice(start, end);
  }
}
