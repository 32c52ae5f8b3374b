import type { JsonObject } from '../../../catalog/nosql/nosql-definitions.ts';
import { queryList } from '../../../language/sql/query-list.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlRequest } from '../nosql-message.ts';
import { queryContextOf, sqlOf } from '../query-request.ts';

/** What a query makes of definitions as they are shown. What is undefined has no place in a page. */
export function queryDefinitions(
  context: NosqlContext,
  request: NosqlRequest,
  definitions: readonly JsonObject[],
): readonly unknown[] {
  return queryList(sqlOf(request), definitions, queryContextOf(context)).filter(
    (value) => value !== undefined,
  );
}
