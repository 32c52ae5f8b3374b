// Statements, one after another, and what Apache Cassandra 5.0.9 answered to each: written down by scripts/cql-write-verdicts.mjs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { rowsOfAnswer } from '../../../../test/support/answer-rows.ts';
import { repositoryRoot } from '../../../../test/support/repository.ts';
import { hexOf, WrittenCql } from '../../../../test/support/written-cql.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { StatementRequest } from '../../../execution/cql/statement-request.ts';
import { CqlSyntaxError } from '../cql-syntax-error.ts';

interface Step {
  readonly q: string;
  readonly values?: readonly (string | null)[];
  readonly consistency?: StatementRequest['consistency'];
  readonly serial?: StatementRequest['consistency'];
  readonly error?: string;
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly (string | null)[])[];
}

type Verdict = Pick<Step, 'error' | 'columns' | 'rows'>;

const file = join(repositoryRoot, 'src/language/cql/writes/write-verdicts.json');
const cases: Readonly<Record<string, readonly Step[]>> = JSON.parse(readFileSync(file, 'utf8'));

// The seconds that are left of a TTL must not depend on when the test runs.
const nowInSeconds = 1_800_000_000;

async function verdictOn(cql: WrittenCql, { q, values = [], consistency, serial }: Step): Promise<Verdict> {
  try {
    const answer = await cql.run(q, {
      values: values.map((value) =>
        value === 'unset' ? undefined : value === null ? null : Buffer.from(value, 'hex'),
      ),
      nowInSeconds,
      ...(consistency && { consistency }),
      ...(serial && { serialConsistency: serial }),
    });
    if (answer.kind !== 'rows' && answer.kind !== 'encoded-rows') return {};
    return { columns: answer.columns.map(({ name }) => name), rows: hexOf(rowsOfAnswer(answer)) };
  } catch (error) {
    if (error instanceof CqlSyntaxError) return { error: error.message };
    assert.ok(error instanceof RingfoldError, String(error));
    return { error: String(error.details['reason']) };
  }
}

// Each has a server of its own, and waits for it most of the time.
describe('statements are answered as Apache Cassandra answers them', { concurrency: true }, () => {
  for (const [name, steps] of Object.entries(cases)) {
    test(name, async () => {
      await WrittenCql.use(async (cql) => {
        for (const step of steps) {
          const { error, columns, rows } = step;
          const expected = { ...(error && { error }), ...(columns && { columns }), ...(rows && { rows }) };
          assert.deepEqual(await verdictOn(cql, step), expected, step.q);
        }
      });
    });
  }
});
