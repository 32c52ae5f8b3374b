import type { NosqlCatalog } from '../../../catalog/nosql/nosql-catalog.ts';
import type { JsonObject, PlainDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { oneOf, requiredText } from '../../../catalog/nosql/policies/json-fields.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { CheckAmong, ChildDraft } from '../../../execution/nosql/definitions/change-children.ts';
import { ownerNotFound, resourceExists } from '../../../execution/nosql/definitions/definition-checks.ts';
import { databaseAt } from '../container-at.ts';
import { type ChildHandlers, type ChildOwner, childHandlers } from '../definitions/child-handlers.ts';
import { databaseSelf } from '../definitions/shown-definitions.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlRequest } from '../nosql-message.ts';
import { headerOf } from '../request-options.ts';
import { parseResourcePath } from '../resource-path.ts';

/** The token of a permission whose container is gone opens nothing, also when there is another of that name. */
const linkToNothing = 'dbs//colls/';

/** Of a token, in seconds: an hour (REST page), at most a day (concepts-limits). */
const life = { usual: 3_600, least: 10, most: 86_400 } as const;

/** A permission is shown with a token that was made for whoever looks at it. */
export const permissions: ChildHandlers = childHandlers({
  type: 'permission',
  word: 'permissions',
  feedName: 'Permissions',
  ownerOf: userAt,
  read: readPermission,
  checkAmong: onlyOneForEach,
  addedTo: (permission, request, context) => ({ _token: tokenFor(permission, request, context) }),
});

function userAt(request: NosqlRequest, context: NosqlContext): ChildOwner {
  const { rid: databaseRid, users } = databaseAt(request, context);
  const name = request.path.segments[1]?.id ?? '';
  const user = users.get(name) ?? [...users.values()].find(({ rid }) => rid === name);
  if (user === undefined) throw ownerNotFound('resource');
  return { rid: user.rid, self: `${databaseSelf(databaseRid)}users/${user.rid}/` };
}

function readPermission(given: JsonObject, { parts }: NosqlContext, request: NosqlRequest): JsonObject {
  // Refused before anything is written, though the token is made afterwards.
  lifeAsked(request);
  const permissionMode = requiredText(given, 'permissionMode');
  if (oneOf(['read', 'all'], permissionMode) === undefined)
    throw invalidRequest(`The permission mode '${permissionMode}' is invalid. It is Read or All.`);
  const resource = requiredText(given, 'resource');
  // It may be of something that is not there yet; only its form is looked at.
  linkByRid(parts.catalog, resource);
  const partitionKey = given['resourcePartitionKey'] ?? undefined;
  if (partitionKey !== undefined && !isPartitionKey(partitionKey))
    throw invalidRequest('The resourcePartitionKey of a permission is an array with the values of the key.');
  return {
    permissionMode,
    resource,
    ...(partitionKey === undefined ? {} : { resourcePartitionKey: partitionKey }),
  };
}

function isPartitionKey(value: unknown): boolean {
  const isComponent = (each: unknown) =>
    each === null || typeof each !== 'object' || (!Array.isArray(each) && Object.keys(each).length === 0);
  return Array.isArray(value) && value.every(isComponent);
}

/** A user has one permission on a resource. On items of one partition key it is another resource. */
function onlyOneForEach({ shown }: ChildDraft, { parts }: NosqlContext): CheckAmong {
  const scope = scopeOf(parts.catalog, shown);
  return (others) => {
    if (others.some((other) => scopeOf(parts.catalog, other.shown) === scope)) throw resourceExists();
  };
}

function scopeOf(catalog: NosqlCatalog, { resource, resourcePartitionKey = null }: JsonObject): string {
  const link = linkByRid(catalog, String(resource)) ?? resource;
  return JSON.stringify([link, resourcePartitionKey]);
}

/** With the rids of database and container, and the rest as it is; undefined where these are not there. */
function linkByRid(catalog: NosqlCatalog, link: string): string | undefined {
  if (!/^\/?dbs\/[^/]+\/colls\/[^/]+(\/|$)/.test(link))
    throw invalidRequest(`The resource '${link}' of a permission is not a container, nor in one.`);
  // Most clients write names as they are, .NET encodes them.
  return (
    linkOf(catalog, link.replaceAll('%', '%25')) ?? (link.includes('%') ? linkOf(catalog, link) : undefined)
  );
}

function linkOf(catalog: NosqlCatalog, encoded: string): string | undefined {
  const [database, container, ...rest] = parseResourcePath(encoded).segments;
  const found = catalog.findContainer(database?.id ?? '', container?.id ?? '');
  if (found === undefined) return undefined;
  const within = rest.map(({ type, id }) => (id === undefined ? `/${type}` : `/${type}/${id}`));
  return `dbs/${found.databaseRid}/colls/${found.rid}${within.join('')}`;
}

function tokenFor(
  { shown }: PlainDefinition,
  request: NosqlRequest,
  { parts, tokens }: NosqlContext,
): string {
  const { permissionMode, resource, resourcePartitionKey } = shown;
  const grant = {
    mode: String(permissionMode).toLowerCase() === 'all' ? ('all' as const) : ('read' as const),
    resource: linkByRid(parts.catalog, String(resource)) ?? linkToNothing,
    partitionKey: resourcePartitionKey === undefined ? undefined : JSON.stringify(resourcePartitionKey),
  };
  return tokens.mint(grant, parts.throughput.clock.now(), lifeAsked(request));
}

function lifeAsked(request: NosqlRequest): number {
  const text = headerOf(request, 'x-ms-documentdb-expiry-seconds');
  if (text === undefined) return life.usual;
  const seconds = Number(text);
  if (!Number.isSafeInteger(seconds) || seconds < life.least || seconds > life.most)
    throw invalidRequest(
      `The value '${text}' specified for the header 'x-ms-documentdb-expiry-seconds' is invalid. It is ${life.least} to ${life.most} seconds.`,
    );
  return seconds;
}
