// The statements, one after another, and what an Apache Cassandra 5.0.9 answered to each.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DefinedCql } from '../../../../test/support/defined-cql.ts';
import { repositoryRoot } from '../../../../test/support/repository.ts';
import { buildTable } from '../../../catalog/cql/build-table.ts';
import type { Keyspace } from '../../../catalog/cql/cql-schema.ts';
import type { ErrorCode } from '../../../errors/error-codes.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { CqlSyntaxError } from '../cql-syntax-error.ts';

const file = join(repositoryRoot, 'src/language/cql/definitions/definition-verdicts.json');
const verdicts: readonly (readonly [statement: string, error: string | null])[] = JSON.parse(
  readFileSync(file, 'utf8'),
);

const wireCodes: Partial<Record<ErrorCode, string>> = {
  'bad-request': '2200',
  'cql-syntax': '2000',
  'cql-configuration': '2300',
  'cql-already-exists': '2400',
  unauthorized: '2100',
};

function verdictOf(error: unknown): string {
  if (error instanceof CqlSyntaxError) return `2000 ${error.message}`;
  assert.ok(error instanceof RingfoldError, String(error));
  return `${wireCodes[error.code]} ${error.details['reason']}`;
}

function ownKeyspace(name: string, ...tables: readonly string[]): Keyspace {
  const made = tables.map((table) =>
    buildTable({ keyspace: name, name: table, partitionKey: [['k', { kind: 'int' }]] }),
  );
  return {
    name,
    replication: new Map([['class', 'org.apache.cassandra.locator.LocalStrategy']]),
    durableWrites: true,
    isVirtual: true,
    tables: new Map(made.map((table) => [table.name, table])),
    types: new Map(),
  };
}

const virtualKeyspaces = [
  ownKeyspace('system'),
  ownKeyspace('system_auth', 'roles'),
  ownKeyspace('system_views', 'clients'),
  ownKeyspace('ringfold', 'nodes'),
];

test('what Apache Cassandra defines is defined, and what it refuses is refused in the same words', () =>
  DefinedCql.use(
    async (cql) => {
      assert.ok(verdicts.length > 300);
      for (const [statement, expected] of verdicts) {
        const verdict = await cql.run(statement).then(() => null, verdictOf);
        assert.equal(verdict, expected, statement);
      }
    },
    { virtualKeyspaces },
  ));

test('keyspaces that only this server has are as little changed as any of its own', () =>
  DefinedCql.use(
    async (cql) => {
      const refused = {
        code: 'bad-request',
        details: { reason: "Virtual keyspace 'ringfold' is not user-modifiable" },
      };
      await assert.rejects(cql.run('DROP KEYSPACE ringfold'), refused);
      await assert.rejects(cql.run('CREATE TABLE ringfold.t (a int PRIMARY KEY)'), refused);
      await assert.rejects(cql.run('DROP TABLE ringfold.nodes'), refused);
    },
    { virtualKeyspaces },
  ));

test('what is left for later is refused as by a Cassandra in which it is switched off', () =>
  DefinedCql.use(async (cql) => {
    await cql.run("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy'}");
    await cql.run('CREATE TABLE k.t (a int PRIMARY KEY)');
    const refusals = [
      [
        'CREATE MATERIALIZED VIEW k.v AS SELECT * FROM k.t WHERE a IS NOT NULL PRIMARY KEY (a)',
        'Materialized views are disabled. Enable in cassandra.yaml to use.',
      ],
      [
        "CREATE FUNCTION k.f (a int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'return a;'",
        'User-defined functions are disabled in cassandra.yaml - set user_defined_functions_enabled=true to enable',
      ],
      ['DROP FUNCTION k.f', "Function 'k.f' doesn't exist"],
      ['DROP MATERIALIZED VIEW k.v', "Materialized view 'k.v' doesn't exist"],
    ] as const;
    for (const [statement, reason] of refusals)
      await assert.rejects(cql.run(statement), { code: 'bad-request', details: { reason } }, statement);
    for (const kind of ['FUNCTION', 'AGGREGATE', 'MATERIALIZED VIEW'])
      assert.equal((await cql.run(`DROP ${kind} IF EXISTS k.x`)).kind, 'void');
  }));
