import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../errors/ringfold-error.ts';
import {
  decodeStoredItem,
  encodeStoredItem,
  expirySecondOf,
  isExpired,
  type StoredItem,
  writeSecondOf,
} from './stored-item.ts';

const item: StoredItem = {
  kind: 'json-item',
  timestamp: 1_790_000_000_123_456,
  ttlSeconds: undefined,
  rid: 4_000_000_000,
  payload: Buffer.from('{"id":"1"}'),
};

test('an envelope is read back as it was written', () => {
  const anyItem = fc.record(
    {
      kind: fc.constantFrom(
        'cql-row' as const,
        'json-item' as const,
        'partition-header' as const,
        'tombstone' as const,
        'unique-key' as const,
        'change' as const,
        'rid' as const,
      ),
      timestamp: fc.option(fc.maxSafeNat(), { nil: undefined }),
      ttlSeconds: fc.option(fc.integer({ min: -1 }), { nil: undefined }),
      rid: fc.option(fc.maxSafeNat(), { nil: undefined }),
      lsn: fc.option(fc.maxSafeNat(), { nil: undefined }),
      payload: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(anyItem, (written) => assert.deepEqual(decodeStoredItem(encodeStoredItem(written)), written)),
  );
});

test('a JSON item carries at most 16 bytes besides its text', () => {
  assert.ok(encodeStoredItem(item).length - item.payload.length <= 16);
});

test('the payload shares memory with the stored bytes', () => {
  const bytes = encodeStoredItem(item);
  assert.equal(decodeStoredItem(bytes).payload.buffer, bytes.buffer);
});

test('random bytes, other versions and unknown kinds are corrupt data', () => {
  const isCorrupt = (error: unknown) => error instanceof RingfoldError && error.code === 'corrupt-data';
  for (const hex of ['', '11', '2100', '1000', '1f00', '1108', '1101ffffffffffffffff']) {
    assert.throws(() => decodeStoredItem(Buffer.from(hex, 'hex')), isCorrupt, hex);
  }
  fc.assert(
    fc.property(fc.uint8Array(), fc.constantFrom(0x12, 0x11, 0xff), (random, first) => {
      try {
        decodeStoredItem(Buffer.from([first, ...random]));
      } catch (error) {
        assert.ok(isCorrupt(error));
      }
    }),
  );
});

test('expiry follows the container’s default as it is now, and the item’s own ttl where it has one', () => {
  const second = 1_790_000_000;
  assert.equal(writeSecondOf(item), second);
  for (const [own, byDefault, expiry] of [
    [undefined, undefined, undefined],
    [5, undefined, undefined],
    [undefined, -1, undefined],
    [5, -1, second + 5],
    [undefined, 10, second + 10],
    [5, 10, second + 5],
    [-1, 10, undefined],
  ] as const) {
    assert.equal(expirySecondOf({ ...item, ttlSeconds: own }, byDefault), expiry, `${own} ${byDefault}`);
  }
});

test('an item is there until the second of its expiry begins', () => {
  assert.equal(isExpired(item, 10, 1_790_000_009), false);
  assert.equal(isExpired(item, 10, 1_790_000_010), true);
  assert.equal(isExpired(item, undefined, 2 ** 40), false);
});
