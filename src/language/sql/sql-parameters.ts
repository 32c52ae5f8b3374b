import { invalidRequest } from '../../errors/invalid-request.ts';
import { isArray, isObject, memberOf, type SqlValue } from './sql-value.ts';

/** By name, with its `@`. */
export type SqlParameters = ReadonlyMap<string, SqlValue>;

export const noParameters: SqlParameters = new Map();

export interface SqlRequest {
  readonly text: string;
  readonly parameters: SqlParameters;
}

/** `{"query": …, "parameters": [{"name": "@a", "value": …}]}`, or the query's text alone, as clients send it. */
export function sqlRequestOf(body: unknown): SqlRequest {
  if (typeof body === 'string') return { text: body, parameters: noParameters };
  const query = memberOf(body as SqlValue, 'query');
  if (typeof query !== 'string') {
    throw invalidRequest(
      "The input content is invalid because the required properties - 'query; ' - are missing",
    );
  }
  return { text: query, parameters: parametersOf(memberOf(body as SqlValue, 'parameters')) };
}

function parametersOf(list: SqlValue): SqlParameters {
  if (list === undefined || list === null) return noParameters;
  if (!isArray(list)) throw invalidRequest('The parameters of a query are an array.');
  const parameters = new Map<string, SqlValue>();
  for (const entry of list) {
    const name = memberOf(entry, 'name');
    if (!isObject(entry) || typeof name !== 'string' || !name.startsWith('@')) {
      throw invalidRequest('A parameter of a query has a name that begins with @, and a value.');
    }
    if (parameters.has(name))
      throw invalidRequest(`Invalid query. Specified duplicate parameter name '${name}'.`);
    parameters.set(name, memberOf(entry, 'value'));
  }
  return parameters;
}
