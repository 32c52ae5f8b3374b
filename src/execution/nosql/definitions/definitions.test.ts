import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestNode } from '../../../../test/support/breakable-node.ts';
import { type DefinedNosql, useNosql } from '../../../../test/support/defined-nosql.ts';
import { NosqlCatalog } from '../../../catalog/nosql/nosql-catalog.ts';
import type { ContainerDefinition, DatabaseDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { createChild, deleteChild } from './change-children.ts';
import { createContainer, deleteContainer, replaceContainer } from './change-containers.ts';
import { createDatabase, deleteDatabase } from './change-databases.ts';

const given = { partitionKey: { paths: ['/a', '/b'] }, defaultTtl: 60 };

interface Filled {
  readonly database: DatabaseDefinition;
  readonly container: ContainerDefinition;
}

/** A database that shares throughput, with something of every kind in it. */
async function fill(parts: NosqlParts): Promise<Filled> {
  const { rid } = await createDatabase(parts, 'shop', { ruPerSecond: 400 });
  const container = await createContainer(parts, rid, { id: 'c', given }, {});
  await createContainer(parts, rid, { id: 'own', given }, { ruPerSecond: 500 });
  const inDatabase = { database: rid, owner: rid };
  const user = await createChild(parts, { type: 'user', ...inDatabase }, { id: 'ann', shown: { id: 'ann' } });
  await createChild(
    parts,
    { type: 'permission', database: rid, owner: user.rid },
    { id: 'p', shown: { id: 'p', permissionMode: 'Read', resource: 'dbs/shop/colls/c' } },
  );
  await createChild(parts, { type: 'client-encryption-key', ...inDatabase }, { id: 'k', shown: { id: 'k' } });
  for (const type of ['stored-procedure', 'trigger', 'user-defined-function'] as const)
    await createChild(parts, { type, database: rid, owner: container.rid }, { id: 's', shown: { id: 's' } });
  return { database: parts.catalog.findDatabase('shop') as DatabaseDefinition, container };
}

test('what was defined is there after a restart, in the same order and with the same rids and etags', () =>
  useNosql(async ({ parts, cluster }) => {
    await fill(parts);
    await createDatabase(parts, 'a second one', {});
    const again = await NosqlCatalog.load(cluster.store.records);
    assert.deepEqual(again.databases(), parts.catalog.databases());
    assert.deepEqual(
      again.databases().map(({ id }) => id),
      ['shop', 'a second one'],
    );
    assert.deepEqual(again.leftovers, { containers: [], children: [] });
  }));

test('containers are found by names, by rids and by their number, and only in their database', () =>
  useNosql(async ({ parts }) => {
    const { database, container } = await fill(parts);
    const { catalog } = parts;
    const other = await createDatabase(parts, 'other', {});
    const found = catalog.findContainer('shop', 'c');
    assert.equal(found?.rid, container.rid);
    for (const [inDatabase, name] of [
      ['shop', container.rid],
      [database.rid, 'c'],
      [database.rid, container.rid],
    ] as const)
      assert.equal(catalog.findContainer(inDatabase, name), found);
    assert.equal(catalog.containerOf(container.container), found);
    assert.equal(catalog.findContainer('other', container.rid), undefined);
    assert.equal(catalog.findContainer(other.rid, 'c'), undefined);
    assert.equal(catalog.findContainer('nowhere', 'c'), undefined);
  }));

test('a name that looks like the rid of another wins over it', () =>
  useNosql(async ({ parts }) => {
    const { database, container } = await fill(parts);
    const confusing = await createDatabase(parts, database.rid, {});
    assert.equal(parts.catalog.findDatabase(database.rid)?.rid, confusing.rid);
    const other = await createDatabase(parts, 'other', {});
    await createContainer(parts, other.rid, { id: container.rid, given }, {});
    assert.equal(parts.catalog.findContainer('other', container.rid)?.databaseRid, other.rid);
    await deleteDatabase(parts, database.rid, undefined);
    assert.equal(parts.catalog.findDatabase('shop'), undefined, 'what is changed is meant by its rid');
    assert.equal(parts.catalog.findDatabase(database.rid)?.rid, confusing.rid);
  }));

test('numbers of items rise for each container by itself, and none comes twice after a crash', () =>
  useNosql(async ({ parts, cluster }) => {
    const { container } = await fill(parts);
    const { catalog } = parts;
    const other = catalog.findContainer('shop', 'own') as ContainerDefinition;
    const numbers: number[] = [];
    for (let count = 0; count < 20_000; count++) numbers.push(await catalog.nextRid(container));
    assert.deepEqual(numbers[0], 1);
    assert.ok(numbers.every((number, index) => index === 0 || number > (numbers[index - 1] as number)));
    assert.equal(await catalog.nextRid(other), 1);
    const again = await NosqlCatalog.load(cluster.store.records);
    assert.ok((await again.nextRid(container)) > (numbers.at(-1) as number));
    const both = [await again.nextRid(container), await again.nextRid(container)];
    assert.equal(both[1], (both[0] as number) + 1);
  }));

test('many who ask for numbers at once each get their own', () =>
  useNosql(async ({ parts, cluster }) => {
    const { container } = await fill(parts);
    const again = await NosqlCatalog.load(cluster.store.records);
    const numbers = await Promise.all(Array.from({ length: 12_000 }, () => again.nextRid(container)));
    assert.equal(new Set(numbers).size, numbers.length);
  }));

test('a container that is gone has no numbers, and leaves no record behind', () =>
  useNosql(async ({ parts, cluster }) => {
    const { container, database } = await fill(parts);
    await deleteContainer(parts, container, undefined);
    assert.throws(() => parts.catalog.nextRid(container), { code: 'container-not-found' });
    assert.deepEqual(parts.catalog.databases()[0]?.containers.has('c'), false);
    await deleteDatabase(parts, database.rid, undefined);
    const { records } = cluster.store;
    for (const kind of ['nosql-database', 'nosql-container', 'nosql-child', 'nosql-item-rids', 'throughput'])
      assert.deepEqual([...(await records.readAll(kind)).keys()], [], kind);
  }));

/** What a client sees of it. */
function seen({ parts }: DefinedNosql): string {
  return JSON.stringify(
    parts.catalog
      .databases()
      .map(({ id, containers, users, clientEncryptionKeys }) => [
        id,
        [...containers.values()].map((each) => [each.id, each.etag, [...each.storedProcedures.keys()]]),
        [...users.values()].map((user) => [user.id, [...user.permissions.keys()]]),
        [...clientEncryptionKeys.keys()],
      ]),
  );
}

/** The moments between the definition and the dropping of what it leaves without a name are looked at for certain. */
function imagesAtDrops({ parts, cluster }: DefinedNosql): readonly Promise<TestNode[]>[] {
  const images: Promise<TestNode[]>[] = [];
  const { store } = parts.throughput;
  const dropContainer = store.dropContainer.bind(store);
  store.dropContainer = (...parameters) => {
    images.push(cluster.copyNodes());
    return dropContainer(...parameters);
  };
  return images;
}

const changes: Readonly<Record<string, (parts: NosqlParts, filled: Filled) => Promise<unknown>>> = {
  'creating a database': (parts) => createDatabase(parts, 'fresh', { maxRuPerSecond: 4_000 }),
  'creating a container': (parts, { database }) =>
    createContainer(parts, database.rid, { id: 'fresh', given }, {}),
  'replacing a container': (parts, { container }) =>
    replaceContainer(parts, container, { id: 'c', given: { ...given, defaultTtl: 5 } }, undefined),
  'deleting a container': (parts, { container }) => deleteContainer(parts, container, undefined),
  'deleting a user': (parts, { database }) =>
    deleteChild(
      parts,
      { type: 'user', database: database.rid, owner: database.rid },
      database.users.get('ann')?.rid ?? '',
      undefined,
    ),
  'deleting a database': (parts, { database }) => deleteDatabase(parts, database.rid, undefined),
};

for (const [what, change] of Object.entries(changes)) {
  test(`a crash in the middle of ${what} leaves the old or the new, and nothing that nobody names`, () =>
    useNosql(async (nosql) => {
      const { parts, cluster } = nosql;
      const filled = await fill(parts);
      const old = seen(nosql);
      const atDrops = imagesAtDrops(nosql);
      const images = [
        ...(await cluster.imagesDuring(change(parts, filled))).filter((_, index) => index % 3 === 1),
        ...(await Promise.all(atDrops)),
      ];
      const now = seen(nosql);
      assert.notEqual(now, old);
      for (const nodes of images) {
        await useNosql(async (again) => {
          assert.ok([old, now].includes(seen(again)), seen(again));
          const { catalog, throughput } = again.parts;
          const named = catalog
            .databases()
            .flatMap(({ containers }) => [...containers.values()].map((each) => each.container));
          assert.deepEqual(new Set(throughput.store.containers()), new Set([cluster.container, ...named]));
          const sharing = catalog.databases().filter((each) => each.hasSharedThroughput);
          assert.equal(throughput.records.databases().length, sharing.length);
          const { records } = throughput.store;
          const reloaded = await NosqlCatalog.load(records);
          assert.deepEqual(reloaded.leftovers, { containers: [], children: [] });
          assert.deepEqual(new Set(reloaded.itemRids.containers()), new Set(named));
        }, nodes);
      }
    }));
}

test('an account has so many databases and containers at most; one that is deleted makes room', () =>
  useNosql(async ({ parts }) => {
    const { rid } = await createDatabase(parts, 'shop', {});
    const { rid: inShop } = await createContainer(parts, rid, { id: 'c', given }, {}, 2);
    const isRefused = ({ code, details }: RingfoldError): boolean =>
      code === 'forbidden' && details['substatus'] === 1005;
    await assert.rejects(createDatabase(parts, 'one more', {}, 2), isRefused);
    await assert.rejects(createContainer(parts, rid, { id: 'd', given }, {}, 2), isRefused);
    // Who asks for one that is there is told that, as ever.
    await assert.rejects(createDatabase(parts, 'shop', {}, 2), { code: 'resource-exists' });
    await deleteContainer(parts, { rid: inShop, databaseRid: rid }, undefined);
    await createDatabase(parts, 'one more', {}, 2);
  }));
