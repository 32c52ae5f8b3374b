import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { type ByteString, byteStringOf } from '../../../foundation/byte-string.ts';
import type { RingPosition } from '../../../partitioning/ring-position.ts';
import { ringRange } from '../../../partitioning/ring-range.ts';
import { decodeQueryToken, encodeQueryToken, fingerprintOf, type QueryPosition } from './query-token.ts';

const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 }).map(byteStringOf);
const stretch = fc
  .tuple(bytes, bytes)
  .map(([a, b]) => ringRange('' as RingPosition, `${a}${b}\x01` as RingPosition));
const count = fc.nat({ max: 2 ** 32 });

const position: fc.Arbitrary<QueryPosition> = fc.record(
  {
    items: fc.oneof(
      fc.constant(undefined),
      bytes.map((key) => ({ order: 'key' as const, key: key as ByteString })),
      fc.tuple(stretch, count).map(([range, rid]) => ({ order: 'rid' as const, stretch: range, rid })),
    ),
    sorted: fc.oneof(
      fc.constant(undefined),
      fc.record(
        {
          keys: fc.array(
            fc.oneof(
              fc.constant(undefined),
              fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
            ),
            { minLength: 1, maxLength: 3 },
          ),
          rid: count,
          ordinal: count,
        },
        { noNullPrototype: true },
      ),
    ),
    skipped: count,
    within: count,
    left: fc.oneof(count, fc.constant(Number.POSITIVE_INFINITY)),
  },
  { requiredKeys: ['items', 'sorted', 'skipped', 'left'], noNullPrototype: true },
);

const fingerprint = fingerprintOf(7, 'SELECT * FROM c');

function isBad(error: unknown): boolean {
  return error instanceof RingfoldError && error.code === 'bad-page-token';
}

test('a token is read as it was written', () => {
  fc.assert(
    fc.property(position, (written) => {
      const token = encodeQueryToken(written, fingerprint);
      if (token === undefined) return;
      assert.match(token, /^[A-Za-z0-9_-]+$/);
      assert.deepEqual(decodeQueryToken(token, fingerprint), written);
    }),
  );
});

test('a token of another query or container, or with any character changed, is refused', () => {
  fc.assert(
    fc.property(position, fc.nat(), fc.constantFrom('A', 'z', '0', '!'), (written, at, letter) => {
      const token = encodeQueryToken(written, fingerprint);
      if (token === undefined) return;
      assert.throws(() => decodeQueryToken(token, fingerprintOf(8, 'SELECT * FROM c')), isBad);
      assert.throws(() => decodeQueryToken(token, fingerprintOf(7, 'SELECT c FROM c')), isBad);
      // The last character may have bits that stand for nothing.
      const place = at % (token.length - 1);
      const changed = token.slice(0, place) + letter + token.slice(place + 1);
      if (changed !== token) assert.throws(() => decodeQueryToken(changed, fingerprint), isBad);
    }),
  );
});

test('a position too long for a header has no token', () => {
  const sorted = { keys: ['x'.repeat(10_000)], rid: 1, ordinal: 0 };
  assert.equal(encodeQueryToken({ items: undefined, sorted, skipped: 0, left: 1 }, fingerprint), undefined);
});
