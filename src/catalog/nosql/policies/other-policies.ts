// Policies that are kept and shown, and of which little has to be understood.

import { invalidRequest } from '../../../errors/invalid-request.ts';
import { isSystemProperty } from '../../../values/json-item.ts';
import { LARGEST_TTL_SECONDS } from '../../../values/stored-item.ts';
import type { ComputedProperty, JsonObject } from '../nosql-definitions.ts';
import { oneOf, optionalInteger, optionalObjects, requiredText, textOr } from './json-fields.ts';

const maxComputedProperties = 20;
const conflictModes = ['LastWriterWins', 'Custom'] as const;

/** Undefined is off, -1 on without a default. */
export function readTtl(given: JsonObject, name: 'defaultTtl' | 'analyticalStorageTtl'): number | undefined {
  const ttl = given[name] ?? undefined;
  if (ttl === undefined) return undefined;
  const isWhole = typeof ttl === 'number' && Number.isInteger(ttl);
  if (!isWhole || ttl < -1 || (ttl === 0 && name === 'defaultTtl') || ttl > LARGEST_TTL_SECONDS)
    throw invalidRequest(
      `The input ${name} '${JSON.stringify(ttl)}' is invalid. Ensure to provide a nonzero positive integer less than or equal to '${LARGEST_TTL_SECONDS}', or '-1' which means never expire.`,
    );
  return ttl;
}

const defaultConflictResolution: JsonObject = {
  mode: 'LastWriterWins',
  conflictResolutionPath: '/_ts',
  conflictResolutionProcedure: '',
};

export function readConflictResolution(given: JsonObject | undefined): JsonObject {
  if (given === undefined) return defaultConflictResolution;
  const text = textOr(given, 'mode', 'LastWriterWins');
  const mode = oneOf(conflictModes, text);
  if (mode === undefined)
    throw invalidRequest(
      `The conflict resolution mode '${text}' is invalid. It is LastWriterWins or Custom.`,
    );
  return {
    mode,
    conflictResolutionPath: textOr(given, 'conflictResolutionPath', mode === 'Custom' ? '' : '/_ts'),
    conflictResolutionProcedure: textOr(given, 'conflictResolutionProcedure', ''),
  };
}

export function readGeospatial(given: JsonObject | undefined): {
  readonly type: 'Geography' | 'Geometry';
} {
  const text = textOr(given ?? {}, 'type', 'Geography');
  const type = oneOf(['Geography', 'Geometry'] as const, text);
  if (type === undefined)
    throw invalidRequest(`The geospatial type '${text}' is invalid. It is Geography or Geometry.`);
  return { type };
}

/** Names and texts; what the queries may not contain is for who can read queries. */
export function readComputedProperties(given: JsonObject): readonly ComputedProperty[] {
  const read = optionalObjects(given, 'computedProperties').map((each) => ({
    name: requiredText(each, 'name'),
    query: requiredText(each, 'query'),
  }));
  if (read.length > maxComputedProperties)
    throw invalidRequest(`A container has at most ${maxComputedProperties} computed properties.`);
  for (const { name } of read) {
    if (name === '' || name === 'id' || isSystemProperty(name))
      throw invalidRequest(`The computed property name '${name}' is invalid.`);
  }
  if (new Set(read.map(({ name }) => name)).size !== read.length)
    throw invalidRequest('A computed property is given more than once.');
  return read;
}

export interface ChangeFeedPolicy {
  readonly retentionMinutes: number;
  readonly shown: JsonObject | undefined;
}

export function readChangeFeed(given: JsonObject | undefined): ChangeFeedPolicy {
  if (given === undefined) return { retentionMinutes: 0, shown: undefined };
  const minutes = optionalInteger(given, 'retentionDuration') ?? 0;
  if (minutes < 0)
    throw invalidRequest(`The change feed retention '${minutes}' is invalid. It is a number of minutes.`);
  return { retentionMinutes: minutes, shown: { retentionDuration: minutes } };
}

/** Whose keys there have to be is for who knows the database. */
export function readClientEncryption(
  given: JsonObject | undefined,
  partitionKeyPaths: readonly string[],
): JsonObject | undefined {
  if (given === undefined) return undefined;
  const includedPaths = optionalObjects(given, 'includedPaths').map((each) => ({
    path: requiredText(each, 'path'),
    clientEncryptionKeyId: requiredText(each, 'clientEncryptionKeyId'),
    encryptionType: requiredText(each, 'encryptionType'),
    encryptionAlgorithm: requiredText(each, 'encryptionAlgorithm'),
  }));
  const policyFormatVersion = optionalInteger(given, 'policyFormatVersion') ?? 1;
  if (policyFormatVersion !== 1 && policyFormatVersion !== 2)
    throw invalidRequest(
      `Supported versions of client encryption policy are 1 and 2, and '${policyFormatVersion}' is given.`,
    );
  for (const { path } of includedPaths) {
    if (!/^\/[^/]+$/.test(path))
      throw invalidRequest(
        `Invalid path '${path}' in the client encryption policy. Only top level paths are supported.`,
      );
    if (policyFormatVersion === 1 && (path === '/id' || partitionKeyPaths.includes(path)))
      throw invalidRequest(
        `Path '${path}' cannot be encrypted with client encryption policy version 1: it is the id or of the partition key.`,
      );
  }
  if (new Set(includedPaths.map(({ path }) => path)).size !== includedPaths.length)
    throw invalidRequest('A path is given more than once in the client encryption policy.');
  return { includedPaths, policyFormatVersion };
}
