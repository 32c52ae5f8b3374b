// Sessions in recorded/*.cql, one statement a line, whose answers an Apache Cassandra 5.0 gave: recorded/*.json. To record
// them anew: RINGFOLD_RECORD=yes npm run test:cassandra -- recorded

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { types } from 'cassandra-driver';
import { repositoryRoot } from '../support/repository.ts';
import { isForeignServer, useCql } from './support/cql-server.ts';
import { plainValue } from './support/plain-value.ts';

const cql = useCql();

const folder = join(repositoryRoot, 'test/cql/recorded');
const isRecording = isForeignServer && process.env['RINGFOLD_RECORD'] === 'yes';

for (const name of readdirSync(folder).filter((file) => file.endsWith('.cql'))) {
  const [rule = '', ...lines] = readFileSync(join(folder, name), 'utf8').split('\n');
  const statements = lines.filter((line) => line !== '' && !line.startsWith('--'));
  test(rule.replace('-- ', ''), async () => {
    const keyspace = `${cql.keyspace}_${name.replace('.cql', '').replaceAll('-', '_')}`;
    const client = cql.newClient();
    await client.execute(
      `CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
    );
    await client.execute(`USE ${keyspace}`);
    const answers: [string, unknown][] = [];
    for (const statement of statements) {
      const answer = await client.execute(statement).then(describeResult, describeError);
      answers.push([statement, JSON.parse(answer.replaceAll(keyspace, 'ks'))]);
    }
    await client.execute(`DROP KEYSPACE ${keyspace}`);
    await client.shutdown();
    const file = join(folder, name.replace('.cql', '.json'));
    if (isRecording) {
      writeFileSync(file, `[\n${answers.map((pair) => `  ${JSON.stringify(pair)}`).join(',\n')}\n]\n`);
      return;
    }
    const recorded = JSON.parse(readFileSync(file, 'utf8')) as [string, unknown][];
    if (isForeignServer) for (const pair of [...answers, ...recorded]) pair[1] = withOneName(pair[1]);
    assert.deepEqual(
      recorded.map(([statement]) => statement),
      statements,
    );
    const isOther = (_: unknown, place: number) => !isDeepStrictEqual(answers[place], recorded[place]);
    assert.deepEqual(answers.filter(isOther), recorded.filter(isOther));
  });
}

/** A Cassandra calls both names of a function by the one that was used first with a type, by whomever. */
function withOneName(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll('system.to_json(', 'system.tojson('));
}

function describeResult({ columns, rows, info }: types.ResultSet): string {
  return asJson({
    ...(info.warnings === undefined ? {} : { warnings: info.warnings }),
    // Of two columns with one name the driver keeps one, so a row is read by name here too.
    ...(columns === null || rows === undefined
      ? { done: true }
      : {
          columns: columns.map(({ name }) => name),
          rows: rows.map((row) => columns.map(({ name }) => plainValue(row.get(name)))),
        }),
  });
}

function describeError(error: { readonly code?: number; readonly message: string }): string {
  // Cassandra lists signatures in the order of a hash table.
  const message = error.message.replace(/ \(known type signatures: .*/, '');
  return asJson({ code: error.code?.toString(16), message });
}

function asJson(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) => {
    if (typeof held === 'bigint') return `${held}n`;
    if (typeof held === 'number' && !Number.isFinite(held)) return `${held}`;
    if (held instanceof Set) return { set: [...held] };
    if (held instanceof Map) return { map: [...held] };
    return held;
  });
}
