// Web pages of other origins are let in only where the operator said so. Pages that this server serves ask for nothing.

import { headerLine } from '../http/http-answer.ts';
import type { RequestHead } from '../http/request-head.ts';

/** How long a browser may remember the answer to a preflight. */
const maxAgeSeconds = 3_600;

export function corsHeaders(origin: string, allowedOrigins: readonly string[]): string {
  if (!isAllowed(origin, allowedOrigins)) return '';
  return (
    headerLine('access-control-allow-origin', origin) +
    headerLine('vary', 'origin') +
    headerLine('access-control-expose-headers', '*, authorization')
  );
}

/** For `OPTIONS`, by which a browser asks before it sends. An answer without these means no. */
export function preflightHeaders(
  { fields }: RequestHead,
  allowedOrigins: readonly string[],
): Record<string, string> {
  const origin = fields.get('origin') ?? '';
  if (!isAllowed(origin, allowedOrigins)) return {};
  return {
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, HEAD',
    'access-control-allow-headers': fields.get('access-control-request-headers') ?? '*',
    'access-control-max-age': String(maxAgeSeconds),
  };
}

function isAllowed(origin: string, allowedOrigins: readonly string[]): boolean {
  return allowedOrigins.includes(origin) || allowedOrigins.includes('*');
}
