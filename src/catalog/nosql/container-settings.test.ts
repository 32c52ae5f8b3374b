import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { readContainerSettings } from './container-settings.ts';
import type { JsonObject } from './nosql-definitions.ts';

const names = fc.constantFrom('/a', '/b/c', '/"odd name"', '/a-b', 'a');
const indexed = fc.constantFrom('/a/?', '/b/*', '/tags/[]/?', '/"odd name"/?', '/_etag/?', '/a');
const named = fc.array(fc.record({ path: names }), { maxLength: 3 });
const texts = fc.array(names, { minLength: 1, maxLength: 3 });
const root = { path: '/*' };

/** Mostly of the right form, so that many of them are accepted. */
const policies: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ partitionKey: fc.record({ paths: texts }) }),
  fc.record({
    indexingPolicy: fc.record(
      {
        indexingMode: fc.constantFrom('consistent', 'None', 'LAZY', 'x'),
        automatic: fc.boolean(),
        includedPaths: fc.array(fc.record({ path: indexed })).map((paths) => [root, ...paths]),
        excludedPaths: fc.array(fc.record({ path: indexed }), { maxLength: 1 }),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    indexingPolicy: fc.record(
      { compositeIndexes: fc.array(named), spatialIndexes: fc.array(fc.record({ path: indexed })) },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ uniqueKeyPolicy: fc.record({ uniqueKeys: fc.array(fc.record({ paths: texts })) }) }),
  fc.record({ defaultTtl: fc.constantFrom(-1, 1, 0, null, 'x', 1.5) }),
  fc.record({ conflictResolutionPolicy: fc.record({ mode: fc.constantFrom('lastWriterWins', 'Custom') }) }),
  fc.record({ geospatialConfig: fc.constantFrom({ type: 'geometry' }, {}, null) }),
  fc.record({ fullTextPolicy: fc.record({ fullTextPaths: named }) }),
  fc.record({ changeFeedPolicy: fc.constantFrom({ retentionDuration: 5 }, {}) }),
  fc.record({ anything: fc.jsonValue() }),
);

function read(given: JsonObject): JsonObject | undefined {
  try {
    return readContainerSettings('c', given).shown;
  } catch (error) {
    if (error instanceof RingfoldError && error.code === 'bad-request') return undefined;
    throw error;
  }
}

test('what is shown of a container is read as the same container', () => {
  let accepted = 0;
  fc.assert(
    fc.property(policies, (given) => {
      const shown = read({ partitionKey: { paths: ['/pk'] }, ...given });
      if (shown === undefined) return;
      accepted++;
      assert.deepEqual(read(JSON.parse(JSON.stringify(shown))), shown);
    }),
    { numRuns: 1_000 },
  );
  assert.ok(accepted > 300, `only ${accepted} were accepted`);
});

test('whatever is sent as a policy is accepted or refused as a bad request', () => {
  const policyNames = [
    'partitionKey',
    'indexingPolicy',
    'uniqueKeyPolicy',
    'conflictResolutionPolicy',
    'geospatialConfig',
    'computedProperties',
    'vectorEmbeddingPolicy',
    'fullTextPolicy',
    'changeFeedPolicy',
    'clientEncryptionPolicy',
    'defaultTtl',
    'analyticalStorageTtl',
  ] as const;
  fc.assert(
    fc.property(fc.constantFrom(...policyNames), fc.jsonValue(), (name, value) => {
      read({ partitionKey: { paths: ['/pk'] }, [name]: value });
    }),
    { numRuns: 1_000 },
  );
});
