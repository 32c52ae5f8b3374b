// What has to be known of vectors and texts before they can be indexed.

import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { DistanceFunction, JsonObject } from '../nosql-definitions.ts';
import { readNames } from '../property-path.ts';
import { oneOf, optionalInteger, optionalObjects, requiredText, textOr } from './json-fields.ts';

const dataTypes = ['float32', 'float16', 'int8', 'uint8'] as const;
const distanceFunctions: readonly DistanceFunction[] = ['cosine', 'dotproduct', 'euclidean'];
const languages = ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'it-IT', 'pt-BR', 'pt-PT'] as const;

/** Microsoft's vector-search page. */
const maxDimensions = 4_096;
/** The same for an index of type flat. */
const maxFlatDimensions = 505;

interface VectorEmbedding {
  readonly path: string;
  readonly dataType: string;
  readonly dimensions: number;
  readonly distanceFunction: DistanceFunction;
}

/** The indexing policy as it is shown must fit: every vector index needs an embedding. */
export function readVectorEmbeddings(
  given: JsonObject | undefined,
  indexing: JsonObject,
): { readonly vectorEmbeddings: readonly VectorEmbedding[] } | undefined {
  const embeddings = given === undefined ? [] : optionalObjects(given, 'vectorEmbeddings').map(embedding);
  const byPath = new Map(embeddings.map((each) => [each.path, each]));
  if (byPath.size !== embeddings.length)
    throw invalidRequest('The Vector Embedding Policy has the same path twice.');
  for (const index of optionalObjects(indexing, 'vectorIndexes')) {
    const path = String(index['path']);
    const found = byPath.get(path);
    if (found === undefined)
      throw invalidRequest(`The Vector Indexing Policy's path::${path} not matching in Embedding's path.`);
    if (index['type'] === 'flat' && found.dimensions > maxFlatDimensions)
      throw invalidRequest(
        `The Vector Indexing Policy's path::${path} has ${found.dimensions} dimensions. An index of type flat has at most ${maxFlatDimensions}.`,
      );
  }
  return given === undefined ? undefined : { vectorEmbeddings: embeddings };
}

function embedding(given: JsonObject): VectorEmbedding {
  const path = requiredText(given, 'path');
  if ('position' in readNames(path))
    throw invalidRequest(`The Vector Embedding Policy has an invalid Path:${path}.`);
  const dataType = oneOf(dataTypes, requiredText(given, 'dataType'));
  if (dataType === undefined)
    throw invalidRequest(`The Vector Embedding Policy has an invalid DataType:${given['dataType']}.`);
  const distanceFunction = oneOf(distanceFunctions, requiredText(given, 'distanceFunction'));
  if (distanceFunction === undefined)
    throw invalidRequest(
      `The Vector Embedding Policy has an invalid DistanceFunction:${given['distanceFunction']}.`,
    );
  const dimensions = optionalInteger(given, 'dimensions') ?? 0;
  if (dimensions < 1 || dimensions > maxDimensions)
    throw invalidRequest(
      `The Vector Embedding Policy has an invalid Dimensions:${dimensions}. It is 1 to ${maxDimensions}.`,
    );
  return { path, dataType, dimensions, distanceFunction };
}

/** Every full text index needs a path of the policy. */
export function readFullText(given: JsonObject | undefined, indexing: JsonObject): JsonObject | undefined {
  const paths = given === undefined ? [] : optionalObjects(given, 'fullTextPaths');
  const shown = paths.map((each) => ({
    path: fullTextPath(each),
    language: languageOf(textOr(each, 'language', textOr(given ?? {}, 'defaultLanguage', 'en-US'))),
  }));
  const known = new Set(shown.map(({ path }) => path));
  if (known.size !== shown.length) throw invalidRequest('The Full Text Policy has the same path twice.');
  for (const { path } of optionalObjects(indexing, 'fullTextIndexes')) {
    if (!known.has(String(path)))
      throw invalidRequest(
        `The path of the Full Text Index ${path} does not match the path specified in the Full Text Policy.`,
      );
  }
  if (given === undefined) return undefined;
  const defaultLanguage = languageOf(textOr(given, 'defaultLanguage', 'en-US'));
  return { defaultLanguage, fullTextPaths: shown };
}

function fullTextPath(given: JsonObject): string {
  const path = requiredText(given, 'path');
  if ('position' in readNames(path))
    throw invalidRequest(`The Full Text Policy contains an invalid Path:${path}.`);
  return path;
}

function languageOf(text: string): string {
  const language = oneOf(languages, text);
  if (language === undefined)
    throw invalidRequest(
      `The Full Text Policy contains an unsupported language ${text}. Supported languages are: ${languages.join(', ')}.`,
    );
  return language;
}
