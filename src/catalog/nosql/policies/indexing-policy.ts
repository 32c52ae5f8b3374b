import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { IndexingPolicy, JsonObject } from '../nosql-definitions.ts';
import { eachElement, type PropertyPath, readPropertyPath } from '../property-path.ts';
import {
  malformed,
  oneOf,
  optionalInteger,
  optionalObject,
  optionalObjects,
  requiredText,
  textOr,
} from './json-fields.ts';

export interface ReadIndexingPolicy {
  readonly policy: IndexingPolicy;
  readonly shown: JsonObject;
}

const etagPath = '/"_etag"/?';
const rootPath = '/*';
const modes = ['consistent', 'none'] as const;
const orders = ['ascending', 'descending'] as const;
const spatialTypes = ['Point', 'LineString', 'Polygon', 'MultiPolygon'] as const;
/** Java says it in the plural, JS and .NET do not. */
const shardKeyNames = ['vectorIndexShardKey', 'vectorIndexShardKeys'] as const;
const vectorTypes = ['flat', 'quantizedFlat', 'diskANN'] as const;

/** Microsoft's concepts-limits page. */
const limits = { paths: 1_500, compositeIndexes: 100, compositePaths: 8 } as const;

export function readIndexingPolicy(given: JsonObject): ReadIndexingPolicy {
  const mode = modeOf(given);
  const automatic = given['automatic'] ?? mode !== 'none';
  if (typeof automatic !== 'boolean') throw malformed("the property 'automatic' is not a boolean.");
  const { included, excluded } = pathsOf(given, mode);
  const composites = compositesOf(given);
  const spatial = optionalObjects(given, 'spatialIndexes').map(spatialIndex);
  const vector = optionalObjects(given, 'vectorIndexes').map(vectorIndex);
  const fullText = optionalObjects(given, 'fullTextIndexes').map((each) => ({ path: plainPath(each) }));
  return {
    policy: {
      mode,
      automatic,
      includedPaths: included,
      excludedPaths: excluded,
      compositeIndexes: composites,
    },
    shown: {
      indexingMode: mode,
      automatic,
      includedPaths: included.map((path) => ({ path })),
      excludedPaths: excluded.map((path) => ({ path })),
      ...(composites.length === 0 ? {} : { compositeIndexes: composites }),
      ...(spatial.length === 0 ? {} : { spatialIndexes: spatial }),
      ...(vector.length === 0 ? {} : { vectorIndexes: vector }),
      ...(fullText.length === 0 ? {} : { fullTextIndexes: fullText }),
    },
  };
}

function modeOf(given: JsonObject): (typeof modes)[number] {
  const text = textOr(given, 'indexingMode', 'consistent');
  // The service has given up indexing later, and makes such containers consistent.
  const mode = text.toLowerCase() === 'lazy' ? 'consistent' : oneOf(modes, text);
  if (mode === undefined)
    throw invalidRequest(`The indexing mode '${text}' is invalid. It is consistent or none.`);
  return mode;
}

function pathsOf(
  given: JsonObject,
  mode: (typeof modes)[number],
): { readonly included: readonly string[]; readonly excluded: readonly string[] } {
  const included = optionalObjects(given, 'includedPaths').map(indexPath);
  const excluded = optionalObjects(given, 'excludedPaths').map(indexPath);
  if (included.length > limits.paths || excluded.length > limits.paths)
    throw invalidRequest(`The indexing policy has more than ${limits.paths} paths.`);
  const twice = duplicateIn([...included, ...excluded]);
  if (twice !== undefined)
    throw invalidRequest(
      `The indexing path '${twice}' is given more than once. Please make sure that it is in one of the sets only.`,
    );
  if (mode === 'none') return { included, excluded };
  if (included.length === 0 && excluded.length === 0) return { included: [rootPath], excluded: [etagPath] };
  const all = [...included, ...excluded];
  if (!all.includes(rootPath))
    throw invalidRequest(
      'The special mandatory indexing path "/" is not provided in any of the path type sets. Please provide this path in one of the sets.',
    );
  const namesEtag = all.some((path) => path.startsWith('/"_etag"/') || path.startsWith('/_etag/'));
  return { included, excluded: namesEtag ? excluded : [...excluded, etagPath] };
}

/** Old clients say here which indexes they want: there is one kind now, and that is not shown. Their name of the root is the short one. */
function indexPath(given: JsonObject): string {
  const text = requiredText(given, 'path');
  if (text === '/') return rootPath;
  const { ending } = pathIn(text);
  if (ending === 'none') throw badPath(text, text.length);
  return text;
}

/** Of composite, vector and full text indexes: a property, without a mark at its end. */
function plainPath(given: JsonObject): string {
  const text = requiredText(given, 'path');
  const { steps, ending } = pathIn(text);
  if (ending === '*' || steps.includes(eachElement)) throw badPath(text, text.length - 1);
  return text;
}

function pathIn(text: string): PropertyPath {
  const read = readPropertyPath(text);
  if (read.kind === 'wrong') throw badPath(text, read.position);
  return read.path;
}

function badPath(text: string, position: number): Error {
  return invalidRequest(
    `The indexing path '${text}' could not be accepted, failed near position '${position}'. Please ensure that the path is a valid path. Common errors include invalid characters or absence of quotes around labels.`,
  );
}

function compositesOf({ compositeIndexes = [] }: JsonObject): IndexingPolicy['compositeIndexes'] {
  if (compositeIndexes === null) return [];
  if (!Array.isArray(compositeIndexes)) throw malformed("the property 'compositeIndexes' is not an array.");
  if (compositeIndexes.length > limits.compositeIndexes)
    throw invalidRequest(`The indexing policy has more than ${limits.compositeIndexes} composite indexes.`);
  return compositeIndexes.map((paths: unknown) => {
    const read = optionalObjects({ paths }, 'paths').map((each) => ({
      path: plainPath(each),
      order: orderOf(each),
    }));
    if (read.length < 2 || read.length > limits.compositePaths)
      throw invalidRequest(
        `The composite index has ${read.length} paths. A composite index has 2 to ${limits.compositePaths} paths.`,
      );
    const twice = duplicateIn(read.map(({ path }) => path));
    if (twice !== undefined) throw invalidRequest(`The composite index has the path '${twice}' twice.`);
    return read;
  });
}

function orderOf(given: JsonObject): (typeof orders)[number] {
  const text = textOr(given, 'order', 'ascending');
  const order = oneOf(orders, text);
  if (order === undefined)
    throw invalidRequest(`The composite index order '${text}' is invalid. It is ascending or descending.`);
  return order;
}

function spatialIndex(given: JsonObject): JsonObject {
  const path = indexPath(given);
  const texts = given['types'] ?? spatialTypes;
  if (!Array.isArray(texts)) throw malformed("the property 'types' is not an array.");
  const types = texts.map((text: unknown) => {
    const type = oneOf(spatialTypes, String(text));
    if (type === undefined) throw invalidRequest(`The spatial type '${text}' is invalid.`);
    return type;
  });
  const box = optionalObject(given, 'boundingBox');
  return { path, types, ...(box === undefined ? {} : { boundingBox: boundingBox(box) }) };
}

function boundingBox(given: JsonObject): JsonObject {
  const edges = ['xmin', 'ymin', 'xmax', 'ymax'].map((name) => [name, given[name]] as const);
  if (!edges.every(([, edge]) => typeof edge === 'number'))
    throw malformed("the property 'boundingBox' has not the numbers xmin, ymin, xmax and ymax.");
  return Object.fromEntries(edges);
}

function vectorIndex(given: JsonObject): JsonObject {
  const path = plainPath(given);
  const text = requiredText(given, 'type');
  const type = oneOf(vectorTypes, text);
  if (type === undefined)
    throw invalidRequest(
      `The Vector Indexing Policy has an invalid index type '${text}' for path '${path}'. It is ${vectorTypes.join(', ')}.`,
    );
  const sizes = (['quantizationByteSize', 'indexingSearchListSize'] as const).map(
    (name) => [name, optionalInteger(given, name)] as const,
  );
  const quantizerType = given['quantizerType'] == null ? undefined : requiredText(given, 'quantizerType');
  const shardKeys = shardKeyNames.flatMap((name) => {
    const value = given[name] ?? undefined;
    if (value === undefined) return [];
    if (!isTexts(value)) throw malformed(`the property '${name}' is not an array of strings.`);
    return [[name, value] as const];
  });
  return {
    path,
    type,
    ...Object.fromEntries(sizes.filter(([, size]) => size !== undefined)),
    ...(quantizerType === undefined ? {} : { quantizerType }),
    ...Object.fromEntries(shardKeys),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function duplicateIn(texts: readonly string[]): string | undefined {
  return texts.find((text, index) => texts.indexOf(text) !== index);
}
