import { RingfoldError } from '../../errors/ringfold-error.ts';
import { type ParsedStatement, parseCql } from './cql-parser.ts';
import { CqlSyntaxError } from './cql-syntax-error.ts';

/** As `parseCql`, with the failure that all other failures of a request have too. */
export function parseStatement(text: string): ParsedStatement {
  try {
    return parseCql(text);
  } catch (error) {
    if (error instanceof CqlSyntaxError)
      throw new RingfoldError('cql-syntax', { reason: error.message }, error);
    throw error;
  }
}
