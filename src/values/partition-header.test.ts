import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { byteStringOf } from '../foundation/byte-string.ts';
import { type CqlRow, emptyRow } from './cql-row.ts';
import {
  decodeHeader,
  deletionOf,
  emptyHeader,
  encodeHeader,
  isEmptyHeader,
  mergeHeaders,
  type PartitionHeader,
  purgeHeader,
} from './partition-header.ts';

const plain = { noNullPrototype: true };
const key = (byte: number) => byteStringOf(Uint8Array.of(byte));
const timestamp = fc.bigInt({ min: 1n, max: 5n });
const deletion = fc.record({ timestamp, second: fc.integer({ min: 1, max: 9 }) }, plain);
const range = fc
  .tuple(fc.nat(5), fc.integer({ min: 1, max: 3 }), fc.boolean(), deletion)
  .map(([from, length, isOpen, deletion]) => ({
    from: key(from),
    to: isOpen ? undefined : key(from + length),
    deletion,
  }));
const staticRowAt = (at: bigint): CqlRow => ({
  ...emptyRow,
  columns: [
    {
      kind: 'simple',
      columnId: 1,
      cell: { kind: 'live', timestamp: at, expiry: undefined, value: Buffer.from('s') },
    },
  ],
});
const header: fc.Arbitrary<PartitionHeader> = fc
  .record(
    {
      deletion: fc.option(deletion, { nil: undefined }),
      rangeTombstones: fc.array(range, { maxLength: 4 }),
      staticRow: fc.option(timestamp.map(staticRowAt), { nil: undefined }),
      byteCount: fc.nat(),
    },
    plain,
  )
  .map((parts) => mergeHeaders(parts, emptyHeader));

test('merging is commutative, associative and idempotent', () => {
  fc.assert(
    fc.property(header, header, header, (a, b, c) => {
      assert.deepEqual(mergeHeaders(a, a), a);
      assert.deepEqual(mergeHeaders(a, b), mergeHeaders(b, a));
      assert.deepEqual(mergeHeaders(mergeHeaders(a, b), c), mergeHeaders(a, mergeHeaders(b, c)));
    }),
    { numRuns: 500 },
  );
});

test('a header is stored and read back unchanged', () => {
  fc.assert(
    fc.property(header, (stored) => assert.deepEqual(decodeHeader(encodeHeader(stored)), stored)),
    { numRuns: 500 },
  );
});

test('a row is under its range’s deletion where that is stronger, else under the partition’s', () => {
  const stored = mergeHeaders(
    { ...emptyHeader, deletion: { timestamp: 5n, second: 1 } },
    {
      ...emptyHeader,
      rangeTombstones: [
        { from: key(1), to: key(3), deletion: { timestamp: 9n, second: 2 } },
        { from: key(4), to: undefined, deletion: { timestamp: 4n, second: 2 } },
      ],
    },
  );
  assert.equal(deletionOf(stored, key(0))?.timestamp, 5n);
  assert.equal(deletionOf(stored, key(1))?.timestamp, 9n);
  assert.equal(deletionOf(stored, key(3))?.timestamp, 5n);
  assert.equal(deletionOf(stored, key(9))?.timestamp, 5n);
  assert.equal(deletionOf(emptyHeader, key(1)), undefined);
});

test('a partition deletion takes the static columns that are not newer with it', () => {
  const older = staticRowAt(5n);
  const kept = mergeHeaders(
    { ...emptyHeader, staticRow: older },
    { ...emptyHeader, deletion: { timestamp: 4n, second: 1 } },
  );
  const gone = mergeHeaders(
    { ...emptyHeader, staticRow: older },
    { ...emptyHeader, deletion: { timestamp: 5n, second: 1 } },
  );
  assert.deepEqual(kept.staticRow, older);
  assert.equal(gone.staticRow, undefined);
});

test('purging forgets what is older than its second and nothing else', () => {
  const stored: PartitionHeader = {
    ...emptyHeader,
    deletion: { timestamp: 1n, second: 10 },
    rangeTombstones: [{ from: key(1), to: undefined, deletion: { timestamp: 2n, second: 20 } }],
  };
  assert.deepEqual(purgeHeader(stored, 100, 10), stored);
  assert.deepEqual(purgeHeader(stored, 100, 11), { ...stored, deletion: undefined });
  assert.ok(isEmptyHeader(purgeHeader(stored, 100, 21)));
});

test('random and damaged bytes are a header or corrupt data', () => {
  const check = (damaged: Buffer) => {
    try {
      decodeHeader(damaged);
    } catch (error) {
      assert.ok(error instanceof RingfoldError && error.code === 'corrupt-data', String(error));
    }
  };
  fc.assert(fc.property(fc.uint8Array(), (random) => check(Buffer.from(random))));
  fc.assert(
    fc.property(header, fc.nat(), fc.integer({ min: 1, max: 255 }), (stored, at, change) => {
      const damaged = encodeHeader(stored);
      damaged[at % damaged.length] = (damaged[at % damaged.length] ?? 0) ^ change;
      check(damaged);
    }),
    { numRuns: 500 },
  );
});
