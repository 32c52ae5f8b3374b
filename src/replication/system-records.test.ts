import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster } from '../../test/support/memory-cluster.ts';

test('records are put together, read by kind, replaced and removed', () =>
  TestCluster.use({}, async ({ store }) => {
    const { records } = store;
    await records.put([
      { kind: 'colour', id: 'sky', value: { red: 0 } },
      { kind: 'colour', id: 'grün/ü', value: [1] },
      { kind: 'colours', id: 'other', value: 'kind' },
    ]);
    await records.put([{ kind: 'colour', id: 'sky', value: { red: 9 } }]);
    assert.deepEqual(
      await records.readAll('colour'),
      new Map<string, unknown>([
        ['grün/ü', [1]],
        ['sky', { red: 9 }],
      ]),
    );
    await records.put([{ kind: 'colour', id: 'sky', value: null }]);
    assert.deepEqual([...(await records.readAll('colour')).keys()], ['grün/ü']);
    assert.deepEqual(await records.readAll('none'), new Map());
  }));

test('records that belong to a container are written and removed with its map', () =>
  TestCluster.use({}, async (cluster) => {
    const { store, container } = cluster;
    const record = (value: unknown) => ({ kind: 'about', id: String(container), value });
    const changes: number[] = [];
    store.whenMapChanges((changed) => changes.push(changed));
    await store.changeShares(container, (map) => ({
      map: map.withEqualThroughput(),
      records: [record('shares')],
    }));
    assert.equal(store.mapOf(container)?.version, 2);
    assert.deepEqual(await store.records.readAll('about'), new Map([[String(container), 'shares']]));
    await assert.rejects(
      store.changeShares(container, () => {
        throw new Error('no');
      }),
    );
    assert.equal(store.mapOf(container)?.version, 2);
    await store.dropContainer(container, [record(null)]);
    assert.deepEqual(await store.records.readAll('about'), new Map());
    assert.deepEqual(changes, [container, container]);
  }));
