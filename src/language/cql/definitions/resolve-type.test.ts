import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CqlSchema, Keyspace } from '../../../catalog/cql/cql-schema.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { printCqlType, type UserType } from '../../../values/cql-type.ts';
import { resolveType } from './resolve-type.ts';

const marshal = 'org.apache.cassandra.db.marshal';
const user: UserType = {
  kind: 'udt',
  keyspace: 'k',
  name: 'u',
  fields: [{ name: 'a', type: { kind: 'int' } }],
  frozen: false,
};
const keyspace: Pick<Keyspace, 'types'> = { types: new Map([['u', user]]) };
const schema = { keyspaces: new Map([['k', keyspace]]) } as unknown as CqlSchema;
const resolved = (className: string) =>
  printCqlType(resolveType({ kind: 'custom', className: `${marshal}.${className}` }, schema, 'k'));

test('a class stands for a type that its name in CQL says all of', () => {
  assert.equal(resolved('Int32Type'), 'int');
  assert.equal(resolved('EmptyType'), 'empty');
  assert.equal(resolved(`UserType(k,75,61:${marshal}.Int32Type)`), 'u');
  assert.equal(resolved(`VectorType(${marshal}.FloatType, 2147483647)`), `vector<float, ${2 ** 31 - 1}>`);
  assert.equal(
    resolved(`ListType(${marshal}.FrozenType(${marshal}.SetType(${marshal}.Int32Type)))`),
    'list<frozen<set<int>>>',
  );
});

test('a class that no name in CQL stands for is refused: nobody could read the table after the next start', () => {
  for (const className of [
    `ListType(${marshal}.SetType(${marshal}.Int32Type))`,
    `SetType(${marshal}.UserType(k,75,61:${marshal}.Int32Type))`,
    `UserType(k,75,61:${marshal}.LongType)`,
    `UserType(k,76,61:${marshal}.Int32Type)`,
    `UserType(l,75,61:${marshal}.Int32Type)`,
    `VectorType(${marshal}.FloatType, 2147483648)`,
  ]) {
    assert.throws(
      () => resolved(className),
      (error) => error instanceof RingfoldError && error.code === 'cql-syntax',
      className,
    );
  }
});
