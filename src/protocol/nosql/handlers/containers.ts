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
import { isOlderThanKeys } from '../request-options.ts';

export const createContainer: NosqlHandler<NosqlContext> = async (request, context) => {
  const database = databaseAt(request, context);
  const container = await create(
    context.parts,
    database.rid,
    draftIn(request),
    throughputAsked(request),
    context.settings.maxDatabasesAndContainers,
  );
  return writtenAnswer(context, 201, container, shownTo(request, container), headersOf(container));
};

export const readContainer: NosqlHandler<NosqlContext> = (request, context) => {
  const container = containerAt(request, context);
  const answer = ({ headers, shown }: ContainerQuota) =>
    readAnswer(
      context,
      request,
      container,
      { ...shownTo(request, container), ...shown },
      { ...headersOf(container), ...headers },
    );
  return quotaAsked(request, context, container)?.then(answer) ?? answer({ headers: {}, shown: {} });
};

export const listContainers: NosqlHandler<NosqlContext> = (request, context) =>
  listedFeed(context, request, feedIn(request, databaseAt(request, context)));

export const queryContainers: NosqlHandler<NosqlContext> = (request, context) =>
  queriedFeed(context, request, feedIn(request, databaseAt(request, context)));

export const replaceContainer: NosqlHandler<NosqlContext> = async (request, context) => {
  const container = containerAt(request, context);
  const given = objectIn(request);
  checkContainer(given);
  const draft = { id: idIn(given), given };
  const replaced = await replace(context.parts, container, draft, expectedEtag(request));
  return writtenAnswer(context, 200, replaced, shownTo(request, replaced), headersOf(replaced));
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
  return isOlderThanKeys(request) && given['partitionKey'] === undefined
    ? { ...given, partitionKey: systemPartitionKey }
    : given;
}

/** Clients that do not know of system keys would take the container for one in which every request has to name a key. */
function shownTo(request: NosqlRequest, container: ContainerDefinition): JsonObject {
  const shown = shownContainer(container);
  if (!container.hasSystemKey || !isOlderThanKeys(request)) return shown;
  const { partitionKey: _, ...others } = shown;
  return others;
}

function feedIn(request: NosqlRequest, { rid, containers }: DatabaseDefinition): DefinitionFeed {
  const definitions = [...containers.values()].map((container) => ({
    createdAt: container.createdAt,
    shown: shownTo(request, container),
  }));
  return { name: 'DocumentCollections', ownerRid: rid, definitions };
}

function headersOf({ databaseId, databaseRid }: ContainerDefinition): Record<string, string> {
  return ownerHeaders({ id: databaseId, rid: databaseRid });
}
