import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCql } from '../cql-parser.ts';

const int = { kind: 'native', name: 'int' };

test('a function has arguments, a type, a language and a body', () => {
  const text =
    'CREATE OR REPLACE FUNCTION ks.F (A int) CALLED ON NULL INPUT RETURNS int LANGUAGE Java AS $$x; y$$';
  assert.deepEqual(parseCql(text).statement, {
    kind: 'createFunction',
    orReplace: true,
    ifNotExists: false,
    name: { keyspace: 'ks', name: 'f' },
    arguments: [{ name: 'a', type: int }],
    calledOnNullInput: true,
    returns: int,
    language: 'java',
    body: 'x; y',
  });
});

test('an aggregate has a state and perhaps an end and a beginning', () => {
  assert.deepEqual(
    parseCql('CREATE AGGREGATE a (int) SFUNC s STYPE int FINALFUNC f INITCOND null').statement,
    {
      kind: 'createAggregate',
      orReplace: false,
      ifNotExists: false,
      name: { keyspace: null, name: 'a' },
      argumentTypes: [int],
      stateFunction: 's',
      stateType: int,
      finalFunction: 'f',
      initialCondition: { kind: 'null' },
    },
  );
});

test('dropping a function with no parentheses leaves open which of its name is meant', () => {
  const dropped = (text: string) => {
    const { statement } = parseCql(text);
    return statement.kind === 'dropFunction' || statement.kind === 'dropAggregate'
      ? statement.argumentTypes
      : 'other';
  };
  assert.equal(dropped('DROP FUNCTION f'), null);
  assert.deepEqual(dropped('DROP FUNCTION f ()'), []);
  assert.deepEqual(dropped('DROP AGGREGATE IF EXISTS f (int)'), [int]);
});
