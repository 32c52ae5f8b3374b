import { type ContainerSettings, readContainerSettings } from '../../../catalog/nosql/container-settings.ts';
import { containerRecord } from '../../../catalog/nosql/definition-records.ts';
import { ItemRids } from '../../../catalog/nosql/item-rids.ts';
import type {
  ContainerDefinition,
  DatabaseDefinition,
  JsonObject,
} from '../../../catalog/nosql/nosql-definitions.ts';
import { isObject, optionalObject, optionalObjects } from '../../../catalog/nosql/policies/json-fields.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { assert } from '../../../foundation/assert.ts';
import type { ThroughputRequest } from '../../../throughput/throughput-request.ts';
import { containerRid } from '../../../values/resource-id.ts';
import { createContainer as createStored } from '../../define-container.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import {
  checkEtag,
  type ExpectedEtag,
  MAX_DATABASES_AND_CONTAINERS,
  ownerNotFound,
  refuseOneMore,
  resourceExists,
  resourceNotFound,
} from './definition-checks.ts';
import { dropNamed, scriptRidsOf } from './drop-leftovers.ts';
import { freshIdentity, renewedIdentity } from './fresh-identity.ts';
import { freshOfferRid, throughputName } from './offer-owner.ts';

/** What a client wants of a container: JSON of which nothing is known but that it has an id that may be. */
export interface ContainerDraft {
  readonly id: string;
  readonly given: JsonObject;
}

export function createContainer(
  parts: NosqlParts,
  databaseRid: string,
  { id, given }: ContainerDraft,
  request: ThroughputRequest,
  most: number = MAX_DATABASES_AND_CONTAINERS,
): Promise<ContainerDefinition> {
  const { catalog, throughput } = parts;
  return catalog.inTurn(async () => {
    const database = catalog.databaseOfRid(databaseRid);
    if (database === undefined) throw ownerNotFound('database');
    const settings = readContainerSettings(id, given);
    checkEncryptionKeys(settings, database);
    if (database.containers.has(id)) throw resourceExists();
    refuseOneMore(catalog, most);
    const offerRid = freshOfferRid(parts);
    let made: ContainerDefinition | undefined;
    await createStored(
      throughput,
      {
        definition: settings.partitionKey,
        throughput: request,
        database: database.hasSharedThroughput ? throughputName(database) : undefined,
        partitionCount: undefined,
      },
      (container) => {
        made = {
          ...freshIdentity(parts, id, containerRid(database.rid, container)),
          container,
          databaseId: database.id,
          databaseRid: database.rid,
          offerRid,
          ...settings,
          storedProcedures: new Map(),
          triggers: new Map(),
          userDefinedFunctions: new Map(),
        };
        return [containerRecord(made), ItemRids.recordOf(container)];
      },
    );
    assert(made !== undefined, 'a container is made with its records');
    catalog.itemRids.adopt(made.container);
    catalog.adopt(withContainer(database, made));
    return made;
  });
}

/** What is fixed for a container's life stays as it is where the draft is silent, and must be the same where it is not. */
export function replaceContainer(
  parts: NosqlParts,
  { rid, databaseRid }: Pick<ContainerDefinition, 'rid' | 'databaseRid'>,
  { id, given }: ContainerDraft,
  expected: ExpectedEtag,
): Promise<ContainerDefinition> {
  const { catalog, throughput } = parts;
  return catalog.inTurn(async () => {
    const { database, container } = containerIn(parts, databaseRid, rid);
    checkEtag(container, expected);
    const settings = readContainerSettings(id, filledIn(container, given));
    checkUnchanged(container, settings, id);
    checkEncryptionKeys(settings, database);
    const replaced: ContainerDefinition = {
      ...container,
      ...settings,
      ...renewedIdentity(parts, container, id),
    };
    await throughput.store.records.put([containerRecord(replaced)]);
    catalog.adopt(withContainer(database, replaced));
    return replaced;
  });
}

export function deleteContainer(
  parts: NosqlParts,
  { rid, databaseRid }: Pick<ContainerDefinition, 'rid' | 'databaseRid'>,
  expected: ExpectedEtag,
): Promise<void> {
  const { catalog, throughput } = parts;
  return catalog.inTurn(async () => {
    const { database, container } = containerIn(parts, databaseRid, rid);
    checkEtag(container, expected);
    await dropNamed(throughput, catalog, rid, container.container, scriptRidsOf(container));
    const containers = new Map(database.containers);
    containers.delete(container.id);
    catalog.adopt({ ...database, containers });
  });
}

/** As it is when a change's turn has come. */
function containerIn(
  { catalog }: NosqlParts,
  databaseRid: string,
  rid: string,
): { readonly database: DatabaseDefinition; readonly container: ContainerDefinition } {
  const database = catalog.databaseOfRid(databaseRid);
  const container = catalog.containerOfRid(rid);
  if (database === undefined || container === undefined) throw resourceNotFound();
  return { database, container };
}

export function withContainer(
  database: DatabaseDefinition,
  container: ContainerDefinition,
): DatabaseDefinition {
  return { ...database, containers: new Map(database.containers).set(container.id, container) };
}

/** Those that may be left out when the container is replaced, since they cannot become others. */
const fixedNames = [
  'partitionKey',
  'conflictResolutionPolicy',
  'vectorEmbeddingPolicy',
  'clientEncryptionPolicy',
  'geospatialConfig',
  'changeFeedPolicy',
  'analyticalStorageTtl',
] as const;

function filledIn({ shown }: ContainerDefinition, given: JsonObject): JsonObject {
  const fixed = Object.fromEntries(fixedNames.map((name) => [name, shown[name]]));
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const { partitionKey } = said;
  // Clients that name the paths alone mean the key that is there, whatever its version.
  return isObject(partitionKey)
    ? { ...fixed, ...said, partitionKey: { ...(shown['partitionKey'] as JsonObject), ...partitionKey } }
    : { ...fixed, ...said };
}

function checkUnchanged(before: ContainerDefinition, after: ContainerSettings, id: string): void {
  if (id !== before.id)
    throw invalidRequest(
      'Replacing the collection id is not supported: it is not the one of the request url.',
    );
  const isSame = (name: string): boolean =>
    JSON.stringify(before.shown[name]) === JSON.stringify(after.shown[name]);
  if (
    before.partitionKey.hashKind !== after.partitionKey.hashKind ||
    JSON.stringify(before.partitionKeyPaths) !== JSON.stringify(after.partitionKeyPaths)
  )
    throw invalidRequest('Document collection partition key cannot be changed.');
  if (!isSame('uniqueKeyPolicy'))
    throw new RingfoldError('forbidden', {
      reason:
        'The unique index cannot be modified. To change the unique index, remove the collection and re-create a new one.',
    });
  if (!isSame('conflictResolutionPolicy'))
    throw invalidRequest('Conflict resolution policy of a document collection cannot be changed.');
  if (!isSame('vectorEmbeddingPolicy') && before.shown['vectorEmbeddingPolicy'] !== undefined)
    throw invalidRequest('The Vector Embedding Policy of a document collection cannot be changed.');
  checkVectorIndexes(before.shown, after.shown);
  if (!isSame('clientEncryptionPolicy'))
    throw invalidRequest('Client encryption policy of a document collection cannot be changed.');
}

/** They come and go; one that is to be another has to go first. */
function checkVectorIndexes(before: JsonObject, after: JsonObject): void {
  const indexesOf = (shown: JsonObject) =>
    optionalObjects(optionalObject(shown, 'indexingPolicy') ?? {}, 'vectorIndexes');
  const known = new Map(indexesOf(before).map((index) => [index['path'], JSON.stringify(index)]));
  for (const index of indexesOf(after)) {
    const path = index['path'];
    if ((known.get(path) ?? JSON.stringify(index)) !== JSON.stringify(index))
      throw invalidRequest(
        `The vector index of '${String(path)}' cannot be changed: remove it first, then add the other.`,
      );
  }
}

function checkEncryptionKeys(
  { shown }: ContainerSettings,
  { clientEncryptionKeys }: DatabaseDefinition,
): void {
  const policy = shown['clientEncryptionPolicy'] as
    | { readonly includedPaths: readonly { readonly clientEncryptionKeyId: string }[] }
    | undefined;
  for (const { clientEncryptionKeyId } of policy?.includedPaths ?? []) {
    if (!clientEncryptionKeys.has(clientEncryptionKeyId))
      throw invalidRequest(`ClientEncryptionKey with id '${clientEncryptionKeyId}' does not exist.`);
  }
}
