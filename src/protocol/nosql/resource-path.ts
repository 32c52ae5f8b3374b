import { invalidRequest } from '../../errors/invalid-request.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';

export const resourceTypes = [
  'dbs',
  'colls',
  'docs',
  'sprocs',
  'triggers',
  'udfs',
  'users',
  'permissions',
  'offers',
  'pkranges',
  'conflicts',
  'clientencryptionkeys',
  'operations',
  'attachments',
  'media',
  'addresses',
  'topology',
  'schemas',
] as const;

export type ResourceType = (typeof resourceTypes)[number];

/**
 * A path taken apart: `/dbs/a/colls/b/docs` is the ids of its owners, `a` and `b`, and the feed `docs`. Ids are decoded; each is a
 * name or a rid, which only the catalog can tell.
 */
export interface ResourcePath {
  /** In the order of the path: dbs, colls, docs… */
  readonly segments: readonly { readonly type: ResourceType; readonly id: string | undefined }[];
  /** The last segment's; undefined for the account itself. */
  readonly type: ResourceType | undefined;
  /** Undefined for a feed. */
  readonly id: string | undefined;
}

const known: ReadonlySet<string> = new Set(resourceTypes);

export function parseResourcePath(url: string): ResourcePath {
  const query = url.indexOf('?');
  const end = query < 0 ? url.length : query;
  const segments: { type: ResourceType; id: string | undefined }[] = [];
  let type: ResourceType | undefined;
  let at = 0;
  // Slashes may stand at both ends and be doubled.
  while (at < end) {
    if (url[at] === '/') {
      at += 1;
      continue;
    }
    const slash = url.indexOf('/', at);
    const stop = slash < 0 || slash > end ? end : slash;
    const part = url.slice(at, stop);
    at = stop + 1;
    if (type === undefined) type = typeIn(part);
    else {
      segments.push({ type, id: decoded(part) });
      type = undefined;
    }
  }
  if (type !== undefined) segments.push({ type, id: undefined });
  const last = segments.at(-1);
  return { segments, type: last?.type, id: last?.id };
}

function typeIn(part: string): ResourceType {
  const type = known.has(part) ? part : part.toLowerCase();
  if (!known.has(type))
    throw new RingfoldError('resource-not-found', { reason: 'Nothing is served at this path.' });
  return type as ResourceType;
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw invalidRequest('Request url is invalid.', cause);
  }
}
