import {
  createDatabase as create,
  deleteDatabase as remove,
} from '../../../execution/nosql/definitions/change-databases.ts';
import { databaseAt } from '../container-at.ts';
import {
  deletedAnswer,
  expectedEtag,
  ownerHeaders,
  readAnswer,
  writtenAnswer,
} from '../definitions/definition-answers.ts';
import { idIn, objectIn } from '../definitions/definition-body.ts';
import { type DefinitionFeed, listedFeed, queriedFeed } from '../definitions/definition-feed.ts';
import { shownDatabase } from '../definitions/shown-definitions.ts';
import { throughputAsked } from '../definitions/throughput-headers.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';

export const createDatabase: NosqlHandler<NosqlContext> = async (request, context) => {
  const id = idIn(objectIn(request));
  const { parts, settings } = context;
  const database = await create(parts, id, throughputAsked(request), settings.maxDatabasesAndContainers);
  return writtenAnswer(context, 201, database, shownDatabase(database), ownerHeaders(database));
};

export const readDatabase: NosqlHandler<NosqlContext> = (request, context) => {
  const database = databaseAt(request, context);
  return readAnswer(context, request, database, shownDatabase(database), ownerHeaders(database));
};

export const listDatabases: NosqlHandler<NosqlContext> = (request, context) =>
  listedFeed(context, request, feedIn(context));

export const queryDatabases: NosqlHandler<NosqlContext> = (request, context) =>
  queriedFeed(context, request, feedIn(context));

export const deleteDatabase: NosqlHandler<NosqlContext> = async (request, context) => {
  const database = databaseAt(request, context);
  await remove(context.parts, database.rid, expectedEtag(request));
  return deletedAnswer(context, shownDatabase(database));
};

function feedIn({ parts }: NosqlContext): DefinitionFeed {
  const definitions = parts.catalog
    .databases()
    .map((database) => ({ createdAt: database.createdAt, shown: shownDatabase(database) }));
  return { name: 'Databases', ownerRid: '', definitions };
}
