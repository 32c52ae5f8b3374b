// From what a client says of a container to what it is: checked, with what the service fills in. The same is done with what was stored.

import { invalidRequest } from '../../errors/invalid-request.ts';
import type { ContainerDefinition, JsonObject } from './nosql-definitions.ts';
import { readIndexingPolicy } from './policies/indexing-policy.ts';
import { optionalObject } from './policies/json-fields.ts';
import {
  readChangeFeed,
  readClientEncryption,
  readComputedProperties,
  readConflictResolution,
  readGeospatial,
  readTtl,
} from './policies/other-policies.ts';
import { readPartitionKey } from './policies/partition-key-policy.ts';
import { readFullText, readVectorEmbeddings } from './policies/search-policies.ts';
import { readUniqueKeys } from './policies/unique-key-policy.ts';

/** All of a container that is said by its JSON. */
export type ContainerSettings = Pick<
  ContainerDefinition,
  | 'partitionKey'
  | 'partitionKeyPaths'
  | 'hasSystemKey'
  | 'defaultTtlSeconds'
  | 'uniqueKeys'
  | 'indexingPolicy'
  | 'changeFeedRetentionMinutes'
  | 'isGeography'
  | 'computedProperties'
  | 'vectorDistances'
  | 'shown'
>;

export function readContainerSettings(id: string, given: JsonObject): ContainerSettings {
  const partitionKeyGiven = optionalObject(given, 'partitionKey');
  if (partitionKeyGiven === undefined)
    throw invalidRequest('A Partition key definition is not specified in the request.');
  const partitionKey = readPartitionKey(partitionKeyGiven);
  const indexing = readIndexingPolicy(optionalObject(given, 'indexingPolicy') ?? {});
  const uniqueKeys = readUniqueKeys(optionalObject(given, 'uniqueKeyPolicy') ?? {});
  const changeFeed = readChangeFeed(optionalObject(given, 'changeFeedPolicy'));
  const defaultTtlSeconds = readTtl(given, 'defaultTtl');
  const computedProperties = readComputedProperties(given);
  const paths = partitionKey.definition.paths;
  const geospatialConfig = readGeospatial(optionalObject(given, 'geospatialConfig'));
  const vectors = readVectorEmbeddings(optionalObject(given, 'vectorEmbeddingPolicy'), indexing.shown);
  return {
    partitionKey: partitionKey.definition,
    partitionKeyPaths: partitionKey.paths,
    hasSystemKey: partitionKey.hasSystemKey,
    defaultTtlSeconds,
    uniqueKeys: uniqueKeys.uniqueKeys,
    indexingPolicy: indexing.policy,
    changeFeedRetentionMinutes: changeFeed.retentionMinutes,
    isGeography: geospatialConfig.type === 'Geography',
    computedProperties,
    vectorDistances: new Map(
      vectors?.vectorEmbeddings.map(({ path, distanceFunction }) => [path, distanceFunction]),
    ),
    shown: withoutAbsent({
      id,
      indexingPolicy: indexing.shown,
      partitionKey: partitionKey.shown,
      defaultTtl: defaultTtlSeconds,
      uniqueKeyPolicy: uniqueKeys.uniqueKeys.length === 0 ? undefined : uniqueKeys.shown,
      conflictResolutionPolicy: readConflictResolution(optionalObject(given, 'conflictResolutionPolicy')),
      geospatialConfig,
      computedProperties: computedProperties.length === 0 ? undefined : computedProperties,
      vectorEmbeddingPolicy: vectors,
      fullTextPolicy: readFullText(optionalObject(given, 'fullTextPolicy'), indexing.shown),
      changeFeedPolicy: changeFeed.shown,
      clientEncryptionPolicy: readClientEncryption(optionalObject(given, 'clientEncryptionPolicy'), paths),
      analyticalStorageTtl: readTtl(given, 'analyticalStorageTtl'),
    }),
  };
}

function withoutAbsent(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
