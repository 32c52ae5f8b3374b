import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RowBytes } from './row-bytes.ts';

function onWire(value: Buffer | null): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(value === null ? -1 : value.length);
  return Buffer.concat([length, value ?? Buffer.alloc(0)]);
}

test('values lie as on the wire, whatever their lengths, and what was taken stays as it was', () => {
  const value = fc.option(
    fc
      .oneof(fc.nat(80), fc.constantFrom(40_000, 70_000))
      .chain((length) => fc.nat(255).map((byte) => Buffer.alloc(length, byte))),
  );
  const results = fc.array(fc.array(value, { maxLength: 6 }), { maxLength: 8 });
  fc.assert(
    fc.property(results, (given) => {
      const bytes = new RowBytes();
      const taken = given.map((values) => {
        for (const [at, one] of values.entries()) {
          if (one === null || at % 3 === 0) {
            bytes.value(one);
          } else if (at % 3 === 1) {
            bytes.copy(Buffer.concat([Buffer.of(1, 2), one, Buffer.of(3)]), 2, one.length);
          } else {
            const place = bytes.room(one.length);
            bytes.slab.set(one, place);
          }
        }
        return bytes.take();
      });
      assert.equal(bytes.length, 0);
      for (const [at, values] of given.entries())
        assert.ok(taken[at]?.equals(Buffer.concat(values.map(onWire))));
    }),
    { numRuns: 50 },
  );
});
