// The statements and what the parser of Apache Cassandra 5.0 said to each were written down by scripts/cql-verdicts.mjs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositoryRoot } from '../../../test/support/repository.ts';
import { parseCql } from './cql-parser.ts';
import { CqlSyntaxError } from './cql-syntax-error.ts';

const file = join(repositoryRoot, 'src/language/cql/cassandra-verdicts.json');
const verdicts: readonly (readonly [statement: string, error: string | null])[] = JSON.parse(
  readFileSync(file, 'utf8'),
);

function verdictOn(statement: string): string | null {
  try {
    parseCql(statement);
    return null;
  } catch (error) {
    assert.ok(error instanceof CqlSyntaxError, String(error));
    return error.message;
  }
}

test('what Apache Cassandra accepts is accepted, and what it refuses is refused in the same words', () => {
  assert.ok(verdicts.length > 1000);
  for (const [statement, error] of verdicts) assert.equal(verdictOn(statement), error, statement);
});

test('an error carries the line and column that its message gives', () => {
  let positions = 0;
  for (const [statement, message] of verdicts) {
    const position = /^line (\d+):(-?\d+) /.exec(message ?? '');
    if (position === null) continue;
    positions += 1;
    const line = Number(position[1]);
    const column = Number(position[2]);
    assert.throws(() => parseCql(statement), { name: 'CqlSyntaxError', line, column }, statement);
  }
  assert.ok(positions > 500);
});
