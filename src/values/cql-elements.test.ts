import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import {
  readCollection,
  readFields,
  readVector,
  writeCollection,
  writeFields,
  writeVector,
} from './cql-elements.ts';

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const isCorrupt = (error: unknown) => error instanceof RingfoldError && error.code === 'corrupt-data';

test('parts are read back as they were written', () => {
  fc.assert(
    fc.property(fc.array(bytes), fc.array(fc.option(bytes)), (elements, fields) => {
      assert.deepEqual(readCollection(writeCollection(elements, 1), 1), elements);
      assert.deepEqual(readFields(writeFields(fields), fields.length), fields);
      assert.deepEqual(
        readVector({ kind: 'text' }, elements.length, writeVector({ kind: 'text' }, elements)),
        elements,
      );
    }),
  );
});

test('a map counts its entries and a list its elements', () => {
  const two = [Buffer.from('k'), Buffer.from('v')];
  assert.equal(writeCollection(two, 2).toString('hex'), '00000001000000016b0000000176');
  assert.equal(writeCollection(two, 1).readUInt32BE(), 2);
});

test('fields missing at the end are null', () => {
  assert.deepEqual(readFields(writeFields([Buffer.from('a')]), 3), [Buffer.from('a'), null, null]);
});

test('a vector writes lengths as Cassandra’s unsigned vints', () => {
  const element = { kind: 'text' } as const;
  assert.equal(
    writeVector(element, [Buffer.alloc(127)])
      .subarray(0, 1)
      .toString('hex'),
    '7f',
  );
  assert.equal(
    writeVector(element, [Buffer.alloc(128)])
      .subarray(0, 2)
      .toString('hex'),
    '8080',
  );
  assert.equal(
    writeVector(element, [Buffer.alloc(300)])
      .subarray(0, 2)
      .toString('hex'),
    '812c',
  );
  assert.equal(
    writeVector(element, [Buffer.alloc(16_384)])
      .subarray(0, 3)
      .toString('hex'),
    'c04000',
  );
  for (const length of [16_383, 16_384, 70_000]) {
    const vector = writeVector(element, [Buffer.alloc(length)]);
    assert.equal(readVector(element, 1, vector)[0]?.length, length);
  }
});

test('random bytes are parts or corrupt data', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      for (const read of [
        () => readCollection(random, 1),
        () => readCollection(random, 2),
        () => readFields(random, 3),
        () => readVector({ kind: 'text' }, 3, random),
        () => readVector({ kind: 'float' }, 3, random),
      ]) {
        try {
          read();
        } catch (error) {
          assert.ok(isCorrupt(error));
        }
      }
    }),
  );
});
