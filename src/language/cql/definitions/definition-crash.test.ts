// A crash at any moment of a definition leaves what was there before or what is there after, and no container that nobody names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestNode } from '../../../../test/support/breakable-node.ts';
import { DefinedCql } from '../../../../test/support/defined-cql.ts';
import { containersOf } from '../../../catalog/cql/schema-difference.ts';

const before = [
  'CREATE KEYSPACE k WITH cosmosdb_provisioned_throughput = 400',
  'CREATE TABLE k.t (a int PRIMARY KEY, b int)',
  'CREATE TABLE k.other (a int PRIMARY KEY, b int)',
  'TRUNCATE k.other',
];

/** What a client sees of it, but for ids that differ from run to run. */
function seen(cql: DefinedCql): string {
  return JSON.stringify(
    [...cql.schema.keyspaces.values()].map(({ name, tables, types, durableWrites }) => [
      name,
      durableWrites,
      [...tables.values()].map((table) => [table.name, [...table.columns.keys()]]).sort(),
      [...types.keys()],
    ]),
  );
}

/** Between the definition and the dropping of what it leaves without a name there are few moments: these are looked at for certain. */
function imagesAtDrops(cql: DefinedCql): readonly Promise<TestNode[]>[] {
  const images: Promise<TestNode[]>[] = [];
  const { store, records } = cql.throughput;
  const dropContainer = store.dropContainer.bind(store);
  store.dropContainer = (...parameters) => {
    images.push(cql.cluster.copyNodes());
    return dropContainer(...parameters);
  };
  const remove = records.remove.bind(records);
  records.remove = (...parameters) => {
    images.push(cql.cluster.copyNodes());
    return remove(...parameters);
  };
  return images;
}

for (const definition of [
  'CREATE TABLE k.fresh (a int PRIMARY KEY)',
  'ALTER TABLE k.t ADD c int',
  'DROP TABLE k.t',
  'TRUNCATE k.t',
  'DROP KEYSPACE k',
]) {
  test(`a crash in the middle of ${definition} leaves the old or the new`, () =>
    DefinedCql.use(async (cql) => {
      await cql.runAll(...before);
      const old = seen(cql);
      const versions = new Set([cql.schema.version]);
      const testContainer = cql.cluster.container;
      const atDrops = imagesAtDrops(cql);
      const images = [
        ...(await cql.cluster.imagesDuring(cql.run(definition))).filter((_, index) => index % 3 === 1),
        ...(await Promise.all(atDrops)),
      ];
      const now = seen(cql);
      versions.add(cql.schema.version);
      for (const nodes of images) {
        await DefinedCql.use(
          async (again) => {
            assert.ok([old, now].includes(seen(again)), seen(again));
            assert.ok(versions.has(again.schema.version), 'the version is that of one of the two');
            const named = new Set([testContainer, ...containersOf(again.schema.keyspaces)]);
            const { store, records } = again.throughput;
            assert.deepEqual(new Set(store.containers()), named);
            const hasKeyspace = again.schema.keyspaces.has('k');
            assert.deepEqual(records.databases(), hasKeyspace ? ['k'] : []);
          },
          { nodes, seed: 99 },
        );
      }
    }));
}
