import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { HmacKey } from './hmac-key.ts';

test('it is HMAC-SHA256, for keys and texts of any length', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'grapheme', minLength: 600, maxLength: 3_000 }),
  );
  const keys = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(keys, fc.array(texts, { minLength: 1, maxLength: 3 }), (bytes, all) => {
      const key = new HmacKey(bytes);
      for (const text of all)
        assert.equal(key.sign(text), createHmac('sha256', bytes).update(text).digest('base64'));
    }),
    { verbose: 1 },
  );
});
