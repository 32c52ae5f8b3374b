import { RingfoldError } from './ringfold-error.ts';

/** A request that is understood and refused. The reason is what the original answers, to the letter where clients read it. */
export function invalidRequest(reason: string, cause?: unknown): RingfoldError {
  return new RingfoldError('bad-request', { reason }, cause);
}
