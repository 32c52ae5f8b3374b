// What only a client that makes or replaces a container is told: what is stored already is read without these checks.

import type { JsonObject } from '../../../catalog/nosql/nosql-definitions.ts';
import {
  optionalInteger,
  optionalObject,
  optionalObjects,
} from '../../../catalog/nosql/policies/json-fields.ts';
import { readGeospatial } from '../../../catalog/nosql/policies/other-policies.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { checkComputedProperties } from './check-computed-properties.ts';

/** Both names of what a container would be filled by. */
const sourceDefinitions = ['globalSecondaryIndexDefinition', 'materializedViewDefinition'] as const;

/** Microsoft's index-policy page. */
const vectorIndexSizes = [
  ['quantizationByteSize', 1, 512],
  ['indexingSearchListSize', 10, 500],
] as const;

export function checkContainer(given: JsonObject): void {
  checkComputedProperties(given);
  checkBoundingBoxes(given);
  checkVectorIndexes(given);
  refuseUnserved(given);
}

/** A plane has no ends of its own. */
function checkBoundingBoxes(given: JsonObject): void {
  if (readGeospatial(optionalObject(given, 'geospatialConfig')).type === 'Geography') return;
  const indexing = optionalObject(given, 'indexingPolicy') ?? {};
  for (const index of optionalObjects(indexing, 'spatialIndexes')) {
    if (optionalObject(index, 'boundingBox') === undefined)
      throw invalidRequest(
        `The spatial index of '${String(index['path'])}' has no boundingBox. With geospatial type Geometry one is required.`,
      );
  }
}

function checkVectorIndexes(given: JsonObject): void {
  const indexing = optionalObject(given, 'indexingPolicy') ?? {};
  for (const index of optionalObjects(indexing, 'vectorIndexes')) {
    for (const [name, least, most] of vectorIndexSizes) {
      const size = optionalInteger(index, name);
      if (size !== undefined && (size < least || size > most))
        throw invalidRequest(
          `The ${name} ${size} of the vector index of '${String(index['path'])}' is invalid. It is ${least} to ${most}.`,
        );
    }
  }
}

/** A container that was made without would look as if it were filled, and never be. */
function refuseUnserved(given: JsonObject): void {
  for (const name of sourceDefinitions) {
    if (optionalObject(given, name) !== undefined)
      throw new RingfoldError('not-implemented', {
        reason: `Global secondary indexes are not served: '${name}' cannot be set.`,
      });
  }
  const vectors = optionalObject(given, 'vectorEmbeddingPolicy') ?? {};
  for (const embedding of optionalObjects(vectors, 'vectorEmbeddings')) {
    if (optionalObject(embedding, 'embeddingSource') !== undefined)
      throw new RingfoldError('not-implemented', {
        reason: "Vectors are not made by this server: 'embeddingSource' cannot be set.",
      });
  }
}
