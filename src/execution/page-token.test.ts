import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { byteStringFromHex, byteStringOf } from '../foundation/byte-string.ts';
import {
  decodePageToken,
  decodeTextPageToken,
  encodePageToken,
  encodeTextPageToken,
  longestTextToken,
  type PagePosition,
  type PageToken,
} from './page-token.ts';

const plain = { noNullPrototype: true };
const bytes = fc.uint8Array({ maxLength: 40 }).map(byteStringOf);
const count = fc.option(fc.maxSafeNat(), { nil: undefined });
const position: fc.Arbitrary<PagePosition> = fc.oneof(
  fc.record({ kind: fc.constant('item' as const), rid: fc.maxSafeNat(), until: bytes }, plain),
  fc.record({ kind: fc.constant('row' as const), partitionKey: bytes, clusteringKey: bytes }, plain),
  fc.record({ kind: fc.constant('partition' as const), partitionKey: bytes }, plain),
);
const token: fc.Arbitrary<PageToken> = fc.record(
  {
    planFingerprint: fc.uint8Array({ minLength: 8, maxLength: 8 }).map(byteStringOf),
    ringPosition: bytes,
    after: position,
    rowsLeft: count,
    rowsLeftInPartition: count,
  },
  plain,
);
const plan = byteStringFromHex('0102030405060708');
const isBadToken = (error: unknown) => error instanceof RingfoldError && error.code === 'bad-page-token';
const example: PageToken = {
  planFingerprint: plan,
  ringPosition: byteStringFromHex('00'.repeat(16)),
  after: { kind: 'item', rid: 7, until: byteStringFromHex('ff') },
  rowsLeft: 100,
  rowsLeftInPartition: undefined,
};

test('a token is read back as it was written, as bytes and as text', () => {
  fc.assert(
    fc.property(token, (written) => {
      assert.deepEqual(decodePageToken(encodePageToken(written), written.planFingerprint), written);
      assert.deepEqual(decodeTextPageToken(encodeTextPageToken(written), written.planFingerprint), written);
    }),
  );
});

test('a token of another plan is refused', () => {
  const other = byteStringFromHex('FF02030405060708');
  assert.throws(() => decodePageToken(encodePageToken(example), other), isBadToken);
});

test('a token with one bit changed, cut short or made longer is refused', () => {
  const whole = encodePageToken(example);
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const damaged = Buffer.from(whole);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.throws(() => decodePageToken(damaged, plan), isBadToken);
  }
  for (let length = 0; length < whole.length; length++) {
    assert.throws(() => decodePageToken(whole.subarray(0, length), plan), isBadToken);
  }
  assert.throws(() => decodePageToken(Buffer.concat([whole, Buffer.of(0)]), plan), isBadToken);
});

test('made-up bytes with a right checksum are a token or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.boolean(), (random, wellBegun) => {
      const body = Buffer.concat([
        wellBegun ? Buffer.from('010102030405060708', 'hex') : Buffer.alloc(0),
        random,
      ]);
      const made = Buffer.alloc(body.length + 4);
      body.copy(made);
      made.writeUInt32BE(crc32(body), body.length);
      try {
        decodePageToken(made, plan);
      } catch (error) {
        assert.ok(isBadToken(error), String(error));
      }
    }),
    { numRuns: 500 },
  );
});

test('text that is not base64url is refused', () => {
  const text = encodeTextPageToken(example);
  for (const wrong of ['', ' ', `${text} `, `${text}=`, `${text.slice(0, 4)}\n${text.slice(4)}`, 'é', '+']) {
    assert.throws(() => decodeTextPageToken(wrong, plan), isBadToken);
  }
});

test('a text token stays within its length, or the position is refused as too long', () => {
  const withKey = (length: number): PageToken => ({
    ...example,
    after: {
      kind: 'row',
      partitionKey: byteStringFromHex('AA'),
      clusteringKey: byteStringFromHex('BB'.repeat(length)),
    },
  });
  assert.ok(encodeTextPageToken(withKey(700)).length <= longestTextToken);
  assert.throws(
    () => encodeTextPageToken(withKey(800)),
    (error: unknown) => error instanceof RingfoldError && error.code === 'bad-request',
  );
  assert.ok(encodePageToken(withKey(65_535)).length > 65_535);
});

test('a token by rid takes fewer than 120 characters', () => {
  const largest: PageToken = {
    ...example,
    after: {
      kind: 'item',
      rid: Number.MAX_SAFE_INTEGER,
      until: byteStringFromHex('ff'.repeat(16)),
    },
    rowsLeft: 2_147_483_647,
  };
  assert.ok(encodeTextPageToken(largest).length < 120);
});
