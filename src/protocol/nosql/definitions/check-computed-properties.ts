import type { JsonObject } from '../../../catalog/nosql/nosql-definitions.ts';
import { optionalObjects, requiredText } from '../../../catalog/nosql/policies/json-fields.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { aggregatesOf, partsOf } from '../../../language/sql/find-aggregates.ts';
import { prepareText } from '../../../language/sql/prepare-query.ts';
import { type Expression, isQuery, type SqlQuery } from '../../../language/sql/sql-query.ts';

/** They say something else each time. */
const unsteady = /^(RAND|GETCURRENT(DATETIME|TICKS|TIMESTAMP)(STATIC)?|NOW|AGO)$/i;

/** Throws for a computed property whose query says anything but one value of one item. */
export function checkComputedProperties(given: JsonObject): void {
  for (const property of optionalObjects(given, 'computedProperties')) {
    const name = requiredText(property, 'name');
    const text = requiredText(property, 'query');
    const { query } = prepareText(text);
    const wrong = whatIsWrongIn(query);
    if (wrong !== undefined)
      throw invalidRequest(
        `The query '${text}' of the computed property '${name}' is invalid. Computed properties do not support ${wrong}.`,
      );
  }
}

function whatIsWrongIn(query: SqlQuery): string | undefined {
  const { select, from, where, groupBy, orderBy, offset, limit } = query;
  if (select.list.kind !== 'value') return 'anything but SELECT VALUE';
  const [source] = from;
  const isItem =
    source !== undefined && !source.isIterated && !isQuery(source.origin) && source.origin.kind === 'name';
  if (from.length !== 1 || !isItem) return 'anything but one item in FROM, such as JOIN';
  if (where !== undefined) return 'WHERE';
  if (groupBy.length > 0) return 'GROUP BY';
  if (orderBy.length > 0) return 'ORDER BY';
  if (offset !== undefined || limit !== undefined) return 'OFFSET LIMIT';
  if (select.top !== undefined) return 'TOP';
  if (select.isDistinct) return 'DISTINCT';
  if (aggregatesOf(query).length > 0) return 'aggregates';
  return whatIsWrongWithin(select.list.value);
}

function whatIsWrongWithin(node: Expression): string | undefined {
  if (node.kind === 'subquery') return 'subqueries';
  if (node.kind === 'call') {
    if (node.isUserDefined) return 'user-defined functions';
    if (unsteady.test(node.name) || /^ST_/i.test(node.name)) return `the function ${node.name}`;
  }
  for (const part of partsOf(node)) {
    const wrong = whatIsWrongWithin(part);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
