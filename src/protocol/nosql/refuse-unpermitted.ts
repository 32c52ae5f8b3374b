import { RingfoldError } from '../../errors/ringfold-error.ts';
import { containerAt } from './container-at.ts';
import { scopeOfBoundToken } from './feed-request.ts';
import type { NosqlContext } from './nosql-context.ts';
import type { NosqlRequest } from './nosql-message.ts';
import type { Principal } from './principal.ts';
import type { ResourcePath, ResourceType } from './resource-path.ts';
import type { Need } from './routes.ts';

/** The service's own: not authorised by role-based access. */
const entraNotAuthorised = 5300;

/** What may be read is what clients must know to reach the data: neither throughput nor scripts are of that. */
const hiddenFromEntra: ReadonlySet<ResourceType | undefined> = new Set<ResourceType>([
  'offers',
  'sprocs',
  'triggers',
  'udfs',
  'users',
  'permissions',
]);

/** Throws where the key or token is genuine and not enough. */
export function refuseUnpermitted(request: NosqlRequest, need: Need, context: NosqlContext): void {
  const { principal, path, method } = request;
  const isWrite = need === 'write-data' || need === 'write-definitions';
  switch (principal.kind) {
    case 'master':
      if (principal.mayWrite) return;
      // Tokens are in permissions, and a token may allow more than a read-only key.
      if (isWrite || path.type === 'permissions') throw new RingfoldError('forbidden');
      return;
    case 'entra':
      if (need === 'write-definitions' || (need === 'read-definitions' && hiddenFromEntra.has(path.type)))
        throw new RingfoldError('forbidden', {
          substatus: entraNotAuthorised,
          reason: `The given request [${method} ${textOfPath(path)}] cannot be authorized by AAD token in data plane. Learn more: https://aka.ms/cosmos-native-rbac.`,
        });
      return;
    case 'resource-token':
      if (isWrite && principal.mode === 'read') throw new RingfoldError('forbidden');
      if (!isWithin(path, principal.resource, context)) throw new RingfoldError('forbidden');
      refuseBeyondKey(principal, request, need, context);
      return;
  }
}

function textOfPath({ segments }: ResourcePath): string {
  return segments.map(({ type, id }) => (id === undefined ? `/${type}` : `/${type}/${id}`)).join('');
}

/** Whether the path is the resource, or stands below it; either may be by names or by rids. */
function isWithin(path: ResourcePath, resource: string, { parts }: NosqlContext): boolean {
  const granted = resource.split('/');
  const { segments } = path;
  const { catalog } = parts;
  let database: string | undefined;
  for (let at = 0; at * 2 < granted.length; at++) {
    const [type, id = ''] = [granted[at * 2], granted[at * 2 + 1]];
    const segment = segments[at];
    if (segment?.id === undefined || segment.type !== type) return false;
    if (at === 0) {
      database = segment.id;
      const asked = catalog.findDatabase(segment.id);
      // By rid, as tokens are made: a name that looks like one opens nothing.
      if (asked?.rid !== id) return false;
    } else if (type === 'colls') {
      const asked = catalog.findContainer(database ?? '', segment.id);
      if (asked?.rid !== id) return false;
    } else if (segment.id !== id) {
      return false;
    }
  }
  return true;
}

/**
 * A token that is bound to one partition key reads what its client must know of the container, and has the items under the key. What
 * it is not known to need is refused: whoever has the key of one tenant must not remove the others'.
 */
function refuseBeyondKey(
  principal: Extract<Principal, { kind: 'resource-token' }>,
  request: NosqlRequest,
  need: Need,
  context: NosqlContext,
): void {
  if (principal.partitionKey === undefined) return;
  const { type, id } = request.path;
  if (need === 'read-definitions' && (type === 'colls' || type === 'pkranges')) return;
  const isOfItems = type === 'docs' || type === 'operations' || (type === 'sprocs' && need === 'write-data');
  if (!isOfItems) throw new RingfoldError('forbidden');
  const key = request.headers.get('x-ms-documentdb-partitionkey');
  const isFeed = type === 'docs' && id === undefined && need === 'read-data';
  if (key === undefined && isFeed) scopeOfBoundToken(request, containerAt(request, context));
  else refuseOtherKey(principal, key);
}

/** The key that a request names, or one of its operations does; undefined where it names none. */
export function refuseOtherKey(principal: Principal, asked: string | undefined): void {
  if (principal.kind !== 'resource-token' || principal.partitionKey === undefined) return;
  if (asked === undefined || normalised(asked) !== normalised(principal.partitionKey))
    throw new RingfoldError('forbidden');
}

function normalised(json: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return undefined;
  }
}
