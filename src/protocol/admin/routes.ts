import { version } from '../../version.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { AdminContext } from './admin-context.ts';
import { type AdminRequest, type AdminResponse, badRequest, ok } from './admin-message.ts';
import { createContainer, dropContainer, listContainers, listPartitions } from './handlers/containers.ts';
import { createDatabase, dropDatabase } from './handlers/databases.ts';
import { health } from './handlers/health.ts';
import { mergePartitions, moveReplica, splitPartition } from './handlers/map-changes.ts';
import { deleteRow, listRows, putRow, readRow } from './handlers/rows.ts';
import { scrub } from './handlers/scrub.ts';
import { status } from './handlers/status.ts';
import {
  changeContainerThroughput,
  changeDatabaseThroughput,
  listThroughput,
  readContainerThroughput,
  readDatabaseThroughput,
} from './handlers/throughput.ts';
import { usage } from './handlers/usage.ts';

type Handler = (request: AdminRequest, context: AdminContext) => Promise<AdminResponse>;

// The list of what this server speaks.
const routes: readonly (readonly [method: string, pattern: string, handler: Handler])[] = [
  ['GET', '/', welcome],
  ['GET', '/_ringfold/health', health],
  ['GET', '/_ringfold/status', status],
  ['POST', '/_ringfold/scrub', scrub],
  ['GET', '/_ringfold/throughput', listThroughput],
  ['GET', '/_ringfold/usage', usage],
  ['POST', '/_ringfold/databases', createDatabase],
  ['DELETE', '/_ringfold/databases/:database', dropDatabase],
  ['GET', '/_ringfold/databases/:database/throughput', readDatabaseThroughput],
  ['PUT', '/_ringfold/databases/:database/throughput', changeDatabaseThroughput],
  ['GET', '/_ringfold/containers', listContainers],
  ['POST', '/_ringfold/containers', createContainer],
  ['DELETE', '/_ringfold/containers/:container', dropContainer],
  ['GET', '/_ringfold/containers/:container/partitions', listPartitions],
  ['POST', '/_ringfold/containers/:container/split', splitPartition],
  ['POST', '/_ringfold/containers/:container/merge', mergePartitions],
  ['POST', '/_ringfold/containers/:container/move', moveReplica],
  ['GET', '/_ringfold/containers/:container/throughput', readContainerThroughput],
  ['PUT', '/_ringfold/containers/:container/throughput', changeContainerThroughput],
  ['GET', '/_ringfold/containers/:container/rows/:partitionKey', listRows],
  ['GET', '/_ringfold/containers/:container/rows/:partitionKey/:rowKey', readRow],
  ['PUT', '/_ringfold/containers/:container/rows/:partitionKey/:rowKey', putRow],
  ['DELETE', '/_ringfold/containers/:container/rows/:partitionKey/:rowKey', deleteRow],
];

/** What a load balancer asks, and what somebody sees who has just found the port. */
const openToAll: ReadonlySet<string> = new Set(['/', '/_ringfold/health']);

interface FoundRoute {
  readonly handler: Handler;
  readonly parameters: Readonly<Record<string, string>>;
}

export function isOpenToAll(url: string): boolean {
  return openToAll.has(pathOf(url));
}

/** Throws HttpRefusal 404 for a path that nobody serves, 405 for one that is served to other methods. */
export function findRoute(method: string, url: string): FoundRoute {
  const path = pathOf(url);
  const asked = method === 'HEAD' ? 'GET' : method;
  const allowed: string[] = [];
  for (const [routeMethod, pattern, handler] of routes) {
    const parameters = match(pattern, path);
    if (parameters === undefined) continue;
    if (routeMethod === asked) return { handler, parameters };
    allowed.push(routeMethod);
  }
  if (allowed.length === 0)
    throw new HttpRefusal(404, 'Nothing is served at this path; GET / lists what is.');
  throw new HttpRefusal(405, `This path takes ${allowed.join(', ')}.`, { allow: allowed.join(', ') });
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

async function welcome(_request: AdminRequest, { cqlPort }: AdminContext): Promise<AdminResponse> {
  return ok({
    name: 'Ringfold',
    version,
    about:
      "A database with Azure Cosmos DB's partitioning. Its NoSQL API is served here to signed requests; CQL clients have their own port.",
    cql: { port: cqlPort, isOpen: true },
    routes: routes.map(([method, pattern]) => `${method} ${pattern}`),
  });
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const expected = pattern.split('/');
  const given = path.split('/');
  if (expected.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [at, part] of expected.entries()) {
    const text = given[at] ?? '';
    if (part.startsWith(':')) parameters[part.slice(1)] = decodePart(text);
    else if (part !== text) return undefined;
  }
  return parameters;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest('the path is not valid percent-encoding');
  }
}
