import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { useThroughput } from '../../../../test/support/test-throughput.ts';
import type { CqlSchema, Keyspace } from '../../../catalog/cql/cql-schema.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { CqlParts } from '../../../execution/cql/cql-parts.ts';
import type { RowsAnswer, StatementRequest } from '../../../execution/cql/statement-request.ts';
import { TraceSessions } from '../../../execution/cql/trace-sessions.ts';
import { makeVirtualTables } from '../../../execution/cql/virtual-tables/make-virtual-tables.ts';
import { systemClock } from '../../../foundation/clock.ts';
import { decodeCqlValue } from '../../../values/cql-codec.ts';
import { printCqlJson } from '../../../values/cql-json.ts';
import { TimeUuids } from '../../../values/time-uuids.ts';
import { parseCql } from '../cql-parser.ts';
import type { StatementContext } from '../prepared-statement.ts';
import { defineAll } from './define-all.samples.ts';
import { describedDefinitions, describedSchema, describeVectors } from './describe.vectors.ts';
import { prepareDescribe } from './prepare-describe.ts';
import { keyspaceElements } from './schema-element.ts';

const request: StatementRequest = {
  values: [],
  consistency: 'ONE',
  serialConsistency: 'SERIAL',
  pageSize: undefined,
  pagingState: null,
  timestamp: undefined,
  nowInSeconds: undefined,
  session: {
    keyspace: undefined,
    role: undefined,
    localAddress: '127.0.0.1',
    localPort: 9_042,
    remoteAddress: '127.0.0.1',
  },
  trace: undefined,
};
const version = 'd8a6d1f2-5f7c-4a6f-9a5e-3c1f1b6d9e01';
const withoutKeyspaces: CqlSchema = { version, keyspaces: new Map() };

let schema = withoutKeyspaces;
let parts: CqlParts;

before(() =>
  useThroughput(async (throughput) => {
    const virtual = makeVirtualTables({
      schema: () => schema,
      throughput,
      roles: { all: () => [] },
      traces: new TraceSessions(systemClock, new TimeUuids(Buffer.alloc(8))),
      clients: () => [],
      settings: () => new Map(),
      clusterName: 'ringfold',
      broadcastAddress: undefined,
    });
    const system = new Map<string, Keyspace>(virtual.keyspaces.map((each) => [each.name, each]));
    schema = defineAll({ version, keyspaces: system }, describedDefinitions);
    parts = { catalog: { schema }, virtualTables: virtual.tables } as unknown as CqlParts;
  }),
);

async function run(
  text: string,
  keyspace?: string,
  given: Partial<StatementRequest> = {},
): Promise<RowsAnswer> {
  const { statement, markers } = parseCql(text);
  assert(statement.kind === 'describe');
  const context: StatementContext = { schema, keyspace, parts };
  const answer = await prepareDescribe(statement, markers, context).run({ ...request, ...given });
  assert(answer.kind === 'rows');
  return answer;
}

async function textsOf(text: string, keyspace?: string): Promise<string[][]> {
  const { rows } = await run(text, keyspace);
  return rows.map((row) => row.map((value) => String(value)));
}

async function reasonOf(text: string, keyspace?: string): Promise<unknown> {
  try {
    await run(text, keyspace);
  } catch (error) {
    assert(error instanceof RingfoldError);
    assert.equal(error.code, 'bad-request');
    return error.details['reason'];
  }
  return undefined;
}

const isList = /KEYSPACES|TABLES|TYPES|SCHEMA/;

for (const { question, columns, rows, failure } of describeVectors) {
  test(`${question} is answered as Cassandra answers it`, async () => {
    if (failure !== undefined) {
      assert.equal(await reasonOf(question), failure);
      return;
    }
    const answer = await run(question);
    assert.deepEqual(
      answer.columns.map(({ name }) => name),
      columns,
    );
    const texts = await textsOf(question);
    const shown = isList.test(question) ? texts.filter(([keyspace]) => keyspace === 'f_described') : texts;
    assert.deepEqual(shown, rows);
  });
}

test('system_schema shows definitions as Cassandra shows them', async () => {
  const key = [Buffer.from('f_described')];
  for (const [name, expected] of Object.entries(describedSchema)) {
    const table = parts.virtualTables.get(`system_schema.${name}`);
    assert(table !== undefined);
    const columns = [...table.schema.columns.values()];
    const rows = (await table.rows(request.session, key)).map((row) =>
      Object.fromEntries(
        columns.flatMap((column, at) => {
          const value = row[at] ?? null;
          const json = value === null ? null : JSON.parse(printCqlJson(column.type, value));
          return column.name === 'id' ? [] : [[column.name, json]];
        }),
      ),
    );
    const clustering = table.schema.clustering.map((column) => column.name);
    const textOf = (row: Readonly<Record<string, unknown>>) => clustering.map((one) => row[one]).join('\0');
    const sorted = rows.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
    assert.deepEqual(sorted, expected, name);
  }
});

test('a keyspace that is made again from its description is described alike', async () => {
  const texts = (await textsOf('DESCRIBE KEYSPACE f_described')).map(([, , , statement = '']) => statement);
  const again = defineAll(withoutKeyspaces, texts).keyspaces.get('f_described');
  assert(again !== undefined);
  assert.deepEqual(
    keyspaceElements(again).map((element) => element.print(false)),
    texts,
  );
});

test('names without a keyspace are looked up in the one in use', async () => {
  assert.deepEqual((await textsOf('DESC simple', 'f_described')).length, 1);
  assert.deepEqual((await textsOf('DESC TABLES', 'f_described')).length, 7);
  assert.deepEqual((await textsOf('DESC KEYSPACE', 'f_described')).length, 19);
  assert.equal(
    await reasonOf('DESC nothing', 'f_described'),
    "'nothing' not found in keyspace 'f_described'",
  );
  assert.equal(await reasonOf('DESC TABLES', 'nowhere'), "'nowhere' not found in keyspaces");
});

test('with a keyspace of users in use, the cluster shows who owns which range', async () => {
  const { columns, rows } = await run('DESCRIBE CLUSTER', 'f_described');
  const [, , , ownership] = columns;
  assert.equal(ownership?.name, 'range_ownership');
  const owned = decodeCqlValue(ownership.type, rows[0]?.[3] ?? null) as [string, string[]][];
  assert.equal(owned.length, 16);
  assert.deepEqual(owned[0]?.[1], ['/127.0.0.1:7000']);
  assert.equal((await run('DESCRIBE CLUSTER', 'system')).columns.length, 3);
});

test('a listing comes in pages of the size that was asked for, and none is missing or twice', async () => {
  const whole = await textsOf('DESCRIBE TABLES');
  const paged: string[][] = [];
  let pagingState: Buffer | null = null;
  do {
    const page: RowsAnswer = await run('DESCRIBE TABLES', undefined, { pageSize: 7, pagingState });
    assert(page.rows.length <= 7);
    paged.push(...page.rows.map((row) => row.map((value) => String(value))));
    pagingState = page.pagingState ?? null;
  } while (pagingState !== null);
  assert.deepEqual(paged, whole);
});

test('a page of another schema is refused', async () => {
  const { pagingState = null } = await run('DESCRIBE TABLES', undefined, { pageSize: 1 });
  const other = { ...schema, version: 'd8a6d1f2-5f7c-4a6f-9a5e-3c1f1b6d9e02' };
  const known = parts;
  parts = { ...parts, catalog: { schema: other } } as unknown as CqlParts;
  try {
    await assert.rejects(run('DESCRIBE TABLES', undefined, { pageSize: 1, pagingState }), (error) =>
      String((error as RingfoldError).details['reason']).startsWith('The schema has changed since'),
    );
  } finally {
    parts = known;
  }
  await assert.rejects(run('DESCRIBE TABLES', undefined, { pagingState: Buffer.from('x') }), {
    code: 'bad-request',
  });
});
