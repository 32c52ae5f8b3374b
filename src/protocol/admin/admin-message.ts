import { RingfoldError } from '../../errors/ringfold-error.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { AdminRights } from './admin-access.ts';

/** A request as handlers see it: matched, read to its end, not yet believed. */
export interface AdminRequest {
  /** What stood in the places of the route that are named with a colon. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly contentType: string;
  /** By name in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly rights: AdminRights;
}

export interface AdminResponse {
  readonly status: number;
  /** Sent as it is when it is bytes, otherwise as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function ok(body: unknown): AdminResponse {
  return { status: 200, body };
}

/** The body as a JSON object whose fields are all among those allowed; an empty body is an empty object. */
export function jsonBody(
  request: AdminRequest,
  allowed: readonly string[],
): Readonly<Record<string, unknown>> {
  if (request.body.length === 0) return {};
  // A web page can send a form or text to this port without asking; JSON needs a permission that is never given.
  if (!request.contentType.startsWith('application/json')) {
    throw new HttpRefusal(415, 'The body must be application/json.');
  }
  let body: unknown;
  try {
    body = JSON.parse(request.body.toString('utf8'));
  } catch (cause) {
    throw new RingfoldError('bad-request', { reason: 'the body is not JSON' }, cause);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('the body is not a JSON object');
  const unknownField = Object.keys(body).find((field) => !allowed.includes(field));
  if (unknownField !== undefined) {
    throw badRequest(`there is no field "${unknownField}"; there are: ${allowed.join(', ') || 'none'}`);
  }
  return body as Record<string, unknown>;
}

/** A whole number, given as JSON number or as part of a path. */
export function numberIn(
  value: unknown,
  name: string,
  low = 0,
  high: number = Number.MAX_SAFE_INTEGER,
): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < low || number > high) {
    throw badRequest(`"${name}" is a whole number from ${low} to ${high}`);
  }
  return number;
}

export function badRequest(reason: string): RingfoldError {
  return new RingfoldError('bad-request', { reason });
}
