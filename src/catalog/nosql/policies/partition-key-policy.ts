import { invalidRequest } from '../../../errors/invalid-request.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import {
  type HashKind,
  type PartitionKeyDefinition,
  partitionKeyDefinition,
} from '../../../partitioning/partition-key.ts';
import { MAX_HIERARCHY_LEVELS } from '../../../partitioning/partition-limits.ts';
import type { JsonObject } from '../nosql-definitions.ts';
import { readNames } from '../property-path.ts';
import { malformed, oneOf, optionalInteger, textOr } from './json-fields.ts';

export interface PartitionKeyPolicy {
  readonly definition: PartitionKeyDefinition;
  readonly paths: readonly (readonly string[])[];
  readonly hasSystemKey: boolean;
  readonly shown: JsonObject;
}

/** What a container gets whose client did not know of partition keys: those that speak a version before 2018-12-31. */
export const systemPartitionKey: JsonObject = {
  paths: ['/_partitionKey'],
  kind: 'Hash',
  systemKey: true,
};

const kinds = ['Hash', 'MultiHash', 'Range'] as const;

/** A version that is not given is 1, and is not shown: as the SDKs read what they find. */
export function readPartitionKey(given: JsonObject): PartitionKeyPolicy {
  const texts = pathsOf(given);
  const kind = kindOf(given, texts.length);
  const version = versionOf(given);
  const hashKind = hashKindOf(kind, version, texts.length);
  const paths = texts.map(namesOf);
  const hasSystemKey = given['systemKey'] === true;
  return {
    definition: definitionOf(hashKind, texts),
    paths,
    hasSystemKey,
    shown: {
      paths: texts,
      kind,
      ...(version === undefined && kind === 'Hash' ? {} : { version: version ?? 2 }),
      ...(hasSystemKey ? { systemKey: true } : {}),
    },
  };
}

/** Java writes it as a text: `2` or `V2`. */
function versionOf(given: JsonObject): number | undefined {
  const { version } = given;
  if (typeof version === 'string' && /^V?[12]$/.test(version)) return Number(version.at(-1));
  return optionalInteger(given, 'version');
}

function pathsOf({ paths }: JsonObject): readonly string[] {
  if (!Array.isArray(paths) || paths.length === 0)
    throw invalidRequest('A Partition key definition is not specified in the request.');
  if (!paths.every((path) => typeof path === 'string'))
    throw malformed("the property 'paths' is not an array of strings.");
  return paths;
}

function kindOf(given: JsonObject, count: number): 'Hash' | 'MultiHash' {
  const text = textOr(given, 'kind', count > 1 ? 'MultiHash' : 'Hash');
  const kind = oneOf(kinds, text);
  if (kind === undefined || kind === 'Range')
    throw invalidRequest(`The partition key kind '${text}' is not supported. It is Hash or MultiHash.`);
  return kind;
}

function hashKindOf(kind: 'Hash' | 'MultiHash', version: number | undefined, count: number): HashKind {
  if (version !== undefined && version !== 1 && version !== 2)
    throw invalidRequest(`The partition key definition version '${version}' is invalid. It is 1 or 2.`);
  if (kind === 'MultiHash') {
    if (version === 1)
      throw invalidRequest("The partition key kind 'MultiHash' needs partition key definition version 2.");
    return 'multi';
  }
  if (count > 1)
    throw invalidRequest(
      `Too many partition key paths. A partition key of kind 'Hash' has one path, and ${count} are given.`,
    );
  return version === 2 ? 'v2' : 'v1';
}

function namesOf(path: string): readonly string[] {
  const names = readNames(path);
  if ('position' in names)
    throw invalidRequest(
      `The partition key component definition path '${path}' could not be accepted, failed near position '${names.position}'. Partition key paths must contain only valid characters and not contain a trailing slash or wildcard character.`,
    );
  return names;
}

/** The definition knows the rules for itself; here they get the words that clients know. */
function definitionOf(hashKind: HashKind, paths: readonly string[]): PartitionKeyDefinition {
  try {
    return partitionKeyDefinition(hashKind, paths);
  } catch (error) {
    if (!(error instanceof RingfoldError) || error.code !== 'bad-partition-key') throw error;
    const reason =
      error.details['maxLevels'] === undefined
        ? `The partition key definition is not valid: ${String(error.details['reason'])}.`
        : `Too many partition key paths. A hierarchical partition key has at most ${MAX_HIERARCHY_LEVELS} levels, and ${paths.length} are given.`;
    throw invalidRequest(reason);
  }
}
