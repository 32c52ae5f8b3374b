// Row E1 of the mission: one server, two APIs, one partition model.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'cassandra-driver';
import { postJson } from '../support/start-ringfold.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer();

interface Listed {
  readonly containers: readonly {
    readonly container: number;
    readonly table?: string;
    readonly partitions: number;
  }[];
}

test('E1 tables and NoSQL containers are served by one server, and split alike while both are used', async () => {
  const { port, cqlPort } = server.ringfold;
  const admin = `http://127.0.0.1:${port}/_ringfold/containers`;
  const items = await server.container();
  const cql = new Client({ contactPoints: [`127.0.0.1:${cqlPort}`], localDataCenter: 'datacenter1' });
  try {
    await cql.execute(
      "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    );
    await cql.execute('CREATE TABLE k.t (p text PRIMARY KEY, n int)');
    const write = async (n: number): Promise<void> => {
      await items.items.create({ id: `${n}`, pk: `p${n}` });
      await cql.execute('INSERT INTO k.t (p, n) VALUES (?, ?)', [`p${n}`, n], { prepare: true });
    };
    for (let n = 0; n < 10; n++) await write(n);
    const names = [`${items.database.id}/${items.id}`, 'k.t'];
    const { containers } = (await (await fetch(admin)).json()) as Listed;
    for (const name of names) {
      const found = containers.find(({ table }) => table === name);
      assert.equal(found?.partitions, 1, name);
      const split = await fetch(`${admin}/${found.container}/split`, postJson({ partition: 0 }));
      assert.equal(split.status, 200, name);
    }
    for (let n = 10; n < 20; n++) await write(n);
    const { resources: ranges } = await items.readPartitionKeyRanges().fetchAll();
    assert.equal(ranges.length, 2);
    const shown = await cql.execute(
      "SELECT partition_id FROM ringfold.partitions WHERE table_name = 't' ALLOW FILTERING",
    );
    assert.equal(shown.rowLength, 2);
    const { resources } = await items.items.query('SELECT VALUE COUNT(1) FROM c').fetchAll();
    assert.deepEqual(resources, [20]);
    assert.equal(Number((await cql.execute('SELECT COUNT(*) FROM k.t')).first()?.['count']), 20);
  } finally {
    await cql.shutdown();
  }
});
