import { RingfoldError } from '../errors/ringfold-error.ts';

/** A value that its type refuses. The reason is what Cassandra answers, to the letter where clients read it. */
export function invalidValue(reason: string): RingfoldError {
  return new RingfoldError('bad-request', { reason });
}

/** The reason of a refusal, to be put into a longer one; what is no refusal is thrown on. */
export function reasonOf(error: unknown): string {
  if (error instanceof RingfoldError && error.code === 'bad-request') return String(error.details['reason']);
  throw error;
}
