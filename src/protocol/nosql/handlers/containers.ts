import type {
  ContainerDefinition,
  DatabaseDefinition,
  JsonObject,
} from '../../../catalog/nosql/nosql-definitions.ts';
import { systemPartitionKey } from '../../../catalog/nosql/policies/partition-key-policy.ts';
import {
  type ContainerDraft,
  createContainer as create,
  deleteContainer as remove,
  replaceContainer as replace,
} from '../../../execution/nosql/definitions/change-containers.ts';
import { containerAt, databaseAt } from '../container-at.ts';
import { checkContainer } from '../definitions/check-container.ts';
import { type ContainerQuota, quotaAsked } from '../definitions/container-quota.ts';
import {
  deletedAnswer,
  expectedEtag,
  ownerHeaders,
  readAnswer,
  writtenAnswer,
} from '../definitions/definition-answers.ts';
import { idIn, objectIn } from '../definitions/definition-body.ts';
import { type DefinitionFeed, listedFeed, queriedFeed } from '../definitions/definition-feed.ts';
import { shownContainer } from '../definitions/shown-definitions.ts';
import { throughputAsked } from '../definitions/throughput-headers.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler, NosqlRequest } from '../nosql-message.ts';
import { headerOf } from '../request-options.ts';

/** From this version on, clients know of partition keys and must say one. */
const firstVersionWithKeys = '2018-12-31';

export const createContainer: NosqlHandler<NosqlContext> = async (request, context) => {
  const database = databaseAt(request, context);
  const container = await create(
    context.parts,
    database.rid,
    draftIn(request),
    throughputAsked(request),
    context.settings.maxDatabasesAndContainers,
  );
  return writtenAnswer(context, 201, container, shownContainer(container), headersOf(container));
};

export const readContainer: NosqlHandler<NosqlContext> = (request, context) => {
  const container = containerAt(request, context);
  const answer = ({ headers, shown }: ContainerQuota) =>
    readAnswer(
      context,
      request,
      container,
      { ...shownContainer(container), ...shown },
      { ...headersOf(container), ...headers },
    );
  return quotaAsked(request, context, container)?.then(answer) ?? answer({ headers: {}, shown: {} });
};

export const listContainers: NosqlHandler<NosqlContext> = (request, context) =>
  listedFeed(context, request, feedIn(databaseAt(request, context)));

export const queryContainers: NosqlHandler<NosqlContext> = (request, context) =>
  queriedFeed(context, request, feedIn(databaseAt(request, context)));

export const replaceContainer: NosqlHandler<NosqlContext> = async (request, context) => {
  const container = containerAt(request, context);
  const given = objectIn(request);
  checkContainer(given);
  const draft = { id: idIn(given), given };
  const replaced = await replace(context.parts, container, draft, expectedEtag(request));
  return writtenAnswer(context, 200, replaced, shownContainer(replaced), headersOf(replaced));
};

export const deleteContainer: NosqlHandler<NosqlContext> = async (request, context) => {
  const container = containerAt(request, context);
  await remove(context.parts, container, expectedEtag(request));
  return deletedAnswer(context, shownContainer(container));
};

function draftIn(request: NosqlRequest): ContainerDraft {
  const given = objectIn(request);
  checkContainer(given);
  return { id: idIn(given), given: withPartitionKey(given, request) };
}

function withPartitionKey(given: JsonObject, request: NosqlRequest): JsonObject {
  const isOld = (headerOf(request, 'x-ms-version') ?? firstVersionWithKeys) < firstVersionWithKeys;
  return isOld && given['partitionKey'] === undefined
    ? { ...given, partitionKey: systemPartitionKey }
    : given;
}

function feedIn({ rid, containers }: DatabaseDefinition): DefinitionFeed {
  const definitions = [...containers.values()].map((container) => ({
    createdAt: container.createdAt,
    shown: shownContainer(container),
  }));
  return { name: 'DocumentCollections', ownerRid: rid, definitions };
}

function headersOf({ databaseId, databaseRid }: ContainerDefinition): Record<string, string> {
  return ownerHeaders({ id: databaseId, rid: databaseRid });
}
