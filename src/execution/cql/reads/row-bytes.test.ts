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
      .oneof(fc.nat(80), fc.constantFrom(599, 600, 601, 40_000, 70_000))
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
            const source = Buffer.concat([Buffer.of(1, 2), one, Buffer.of(3)]);
            const view = new DataView(source.buffer, source.byteOffset, source.length);
            bytes.copy(source, 2, one.length, at > 3 ? view : undefined);
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

test('memory is used again only when what was taken has been copied', () => {
  const bytes = new RowBytes();
  bytes.value(Buffer.from('first'));
  const first = bytes.take();
  bytes.value(Buffer.from('other'));
  assert.deepEqual(first, onWire(Buffer.from('first')));
  assert.deepEqual(bytes.take(), onWire(Buffer.from('other')));
  bytes.reuse();
  bytes.value(Buffer.from('again'));
  const again = bytes.take();
  assert.deepEqual(again, onWire(Buffer.from('again')));
  assert.deepEqual([again.buffer, again.byteOffset], [first.buffer, first.byteOffset]);
  bytes.value(Buffer.alloc(2 ** 20));
  assert.equal(bytes.take().length, 2 ** 20 + 4);
  bytes.reuse();
  bytes.value(Buffer.from('small'));
  assert.ok(bytes.take().buffer.byteLength < 2 ** 20, 'what was large once is not kept');
});
