import { type ErrorCode, errorKinds } from './error-codes.ts';

/** The one error class. Its text is constant for a code, so that logs can be counted; what varies is in `details`. */
export class RingfoldError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(errorKinds[code].text, cause === undefined ? undefined : { cause });
    this.name = 'RingfoldError';
    this.code = code;
    this.details = details;
  }
}
