// `resumeFilter` in the body of a sorted query: where .NET clients go on in ranges that they have no continuation for. It is
// `{"value": [one for each key of the order], "rid": …, "exclude": …}`.

import { invalidRequest } from '../../errors/invalid-request.ts';
import type { SortPosition } from '../../execution/nosql/queries/runnable-query.ts';
import { parseJson } from '../../values/parse-json.ts';
import { numberOfItemRid } from '../../values/resource-id.ts';
import type { NosqlRequest } from './nosql-message.ts';

interface ResumeFilter {
  readonly value: readonly unknown[];
  readonly rid?: string | null;
  readonly exclude?: boolean;
}

/** Undefined where the body has none. */
export function resumedAfter(
  { body }: Pick<NosqlRequest, 'body'>,
  containerRid: string,
  hasHighRidsFirst: boolean,
): SortPosition | undefined {
  // Next to no body has one, and most are read once already.
  if (!body.includes('"resumeFilter"')) return undefined;
  const parsed = parseJson(body, () => notAFilter()) as { readonly resumeFilter?: unknown };
  const filter = parsed.resumeFilter;
  if (filter === undefined || filter === null) return undefined;
  if (!isResumeFilter(filter)) throw notAFilter();
  const { value, rid, exclude = false } = filter;
  const keys = value.map(keyFrom);
  const beyondAll = Number.MAX_SAFE_INTEGER;
  // Results stand after a position: one before the first that is wanted.
  if (rid === undefined || rid === null)
    return { keys, rid: exclude === hasHighRidsFirst ? -1 : beyondAll, ordinal: beyondAll };
  const number = numberOfItemRid(containerRid, rid);
  if (number === undefined) throw notAFilter();
  return { keys, rid: number, ordinal: exclude ? beyondAll : -1 };
}

function isResumeFilter(filter: unknown): filter is ResumeFilter {
  if (typeof filter !== 'object' || filter === null) return false;
  const { value, rid, exclude } = filter as Partial<Record<keyof ResumeFilter, unknown>>;
  return (
    Array.isArray(value) &&
    (rid === undefined || rid === null || typeof rid === 'string') &&
    (exclude === undefined || typeof exclude === 'boolean')
  );
}

/** Undefined is written as an empty array; of arrays and objects clients keep a hash, which has no place in our order. */
function keyFrom(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) && value.length === 0) return undefined;
  throw invalidRequest('A query that is sorted by arrays or objects cannot be resumed by a filter.');
}

function notAFilter(): Error {
  return invalidRequest('The resumeFilter of the query is invalid.');
}
