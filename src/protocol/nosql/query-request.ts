// A query as a request brings it: its text and parameters, and where it is to be run.

import { isUtf8 } from 'node:buffer';
import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { invalidRequest } from '../../errors/invalid-request.ts';
import type { QueryContext } from '../../language/sql/sql-function.ts';
import { type SqlRequest, sqlRequestOf } from '../../language/sql/sql-parameters.ts';
import { parseJson } from '../../values/parse-json.ts';
import type { NosqlContext } from './nosql-context.ts';
import type { NosqlRequest } from './nosql-message.ts';

/** The body is the text of a query and nothing else, as the first clients sent it. */
const bareType = 'application/sql';

/** Whether a POST to a feed is a query by what it sends; most clients say so in a header as well. */
export function hasQueryBody({ headers }: Pick<NosqlRequest, 'headers'>): boolean {
  const type = headers.get('content-type');
  return type !== undefined && (type.includes('application/query+json') || type.includes(bareType));
}

export function sqlOf({ body, headers }: Pick<NosqlRequest, 'body' | 'headers'>): SqlRequest {
  if (headers.get('content-type')?.includes(bareType) === true) {
    if (!isUtf8(body)) throw invalidRequest('The request body is not a query: it is no text.');
    return sqlRequestOf(body.toString('utf8'));
  }
  const notJson = (cause?: unknown) =>
    invalidRequest('The request body is not a query: it is no JSON.', cause);
  return sqlRequestOf(parseJson(body, notJson));
}

export function queryContextOf(
  { parts }: Pick<NosqlContext, 'parts'>,
  container?: ContainerDefinition,
): QueryContext {
  const { clock } = parts.throughput;
  const now = (): number => clock.microseconds();
  return {
    now,
    startedAt: now(),
    random: () => parts.random.next(),
    isGeography: container?.isGeography ?? true,
    ...(container === undefined ? {} : { vectorDistances: container.vectorDistances }),
  };
}
