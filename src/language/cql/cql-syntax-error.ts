/**
 * Text that is not CQL. The message is Cassandra's own, position included; line counts from 1, column from 0, and the
 * end of the text is line 0, column -1, because that is how Cassandra's lexer numbers it.
 */
export class CqlSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.name = 'CqlSyntaxError';
    this.line = line;
    this.column = column;
  }
}
