// Asks a running Apache Cassandra what it answers to the statements of src/language/cql/writes/write-verdicts.json, and writes the
// answers down there. To add a case, add its statements ("q", and "values" as hex for markers) and run
//
//   node scripts/cql-write-verdicts.mjs 127.0.0.1:9042 [a keyspace to use in place of ks]
//
// Statements on which Cassandra fails with a server error are left out: its bugs are not ours to keep.

import { readFileSync, writeFileSync } from 'node:fs';
import cassandra from 'cassandra-driver';

const file = new URL('../src/language/cql/writes/write-verdicts.json', import.meta.url);
const [contactPoint = '127.0.0.1:9042', keyspace = 'ks'] = process.argv.slice(2);
const cases = JSON.parse(readFileSync(file, 'utf8'));

const client = new cassandra.Client({ contactPoints: [contactPoint], localDataCenter: 'datacenter1' });
await client.connect();

// Rows are wanted as the bytes they came in, and only those of these statements.
let isRaw = false;
for (const host of client.hosts.values()) {
  for (const { encoder } of host.pool.connections) {
    const decode = encoder.decode.bind(encoder);
    encoder.decode = (bytes, type) => (isRaw ? bytes : decode(bytes, type));
  }
}

const levels = { SERIAL: 'serial', QUORUM: 'quorum', ONE: 'one', LOCAL_ONE: 'localOne' };
const level = (name) => name && cassandra.types.consistencies[levels[name]];
const boundValue = (hex) =>
  hex === 'unset' ? cassandra.types.unset : hex === null ? null : Buffer.from(hex, 'hex');

/** Undefined for a server error. */
async function verdictOn({ q, values, consistency, serial }) {
  const options = {
    prepare: values !== undefined,
    ...(consistency && { consistency: level(consistency) }),
    ...(serial && { serialConsistency: level(serial) }),
  };
  try {
    isRaw = true;
    const { columns, rows } = await client.execute(
      q.replaceAll('ks.', `${keyspace}.`),
      (values ?? []).map(boundValue),
      options,
    );
    if (!columns || !/^(SELECT|BEGIN|INSERT|UPDATE|DELETE)/.test(q)) return {};
    const hex = rows.map((row) => row.values().map((value) => value?.toString('hex') ?? null));
    return { columns: columns.map(({ name }) => name), rows: hex };
  } catch (error) {
    return error.code >= 0x2000 ? { error: error.message.replaceAll(`${keyspace}.`, 'ks.') } : undefined;
  } finally {
    isRaw = false;
  }
}

const lines = [];
for (const [name, steps] of Object.entries(cases)) {
  await client.execute(`DROP KEYSPACE IF EXISTS ${keyspace}`);
  await client.execute(
    `CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
  );
  const answered = [];
  for (const { error, columns, rows, ...step } of steps) {
    const verdict = await verdictOn(step);
    if (verdict !== undefined) answered.push(JSON.stringify({ ...step, ...verdict }));
  }
  lines.push(`${JSON.stringify(name)}: [\n${answered.join(',\n')}\n]`);
}
await client.execute(`DROP KEYSPACE IF EXISTS ${keyspace}`);
await client.shutdown();
writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
