// A query as a request brings it: its text and parameters, and where it is to be run.

import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { invalidRequest } from '../../errors/invalid-request.ts';
import type { QueryContext } from '../../language/sql/sql-function.ts';
import { type SqlRequest, sqlRequestOf } from '../../language/sql/sql-parameters.ts';
import { parseJson } from '../../values/parse-json.ts';
import type { NosqlContext } from './nosql-context.ts';
import type { NosqlRequest } from './nosql-message.ts';

export function sqlOf({ body }: Pick<NosqlRequest, 'body'>): SqlRequest {
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
