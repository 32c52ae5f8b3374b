import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { effectivePartitionKey } from './effective-partition-key.ts';
import type { JsonKeyComponent } from './json-key-component.ts';
import type { RingPosition } from './ring-position.ts';
import { canonicalBoundary } from './ring-range.ts';
import { encodeV1Component, encodeV1Number, hashOfV1Position, lengthOfV1Position } from './v1-encoding.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const component: fc.Arbitrary<JsonKeyComponent> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 130 }),
  finite,
  fc.boolean(),
  fc.constantFrom(null, undefined),
);

test('encoded numbers sort as the numbers do', () => {
  fc.assert(
    fc.property(finite, finite, (a, b) => {
      assert.equal(encodeV1Number(a) < encodeV1Number(b), a < b);
    }),
  );
});

test('encoded strings of up to 100 bytes sort as their UTF-8 does', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const order = Buffer.compare(Buffer.from(a), Buffer.from(b));
      assert.equal(encodeV1Component(a) < encodeV1Component(b), order < 0);
    }),
  );
});

test('no encoding is the beginning of another', () => {
  fc.assert(
    fc.property(component, component, (a, b) => {
      const [first, second] = [encodeV1Component(a), encodeV1Component(b)];
      assert.ok(first === second || !second.startsWith(first));
    }),
  );
});

test('the hash is read back from a position, also when zeros at its end are cut off', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), component, (hash, component) => {
      const position = (encodeV1Number(hash) + encodeV1Component(component)) as RingPosition;
      assert.equal(hashOfV1Position(position), hash);
      assert.equal(hashOfV1Position(canonicalBoundary(encodeV1Number(hash))), hash);
    }),
  );
});

test('what does not begin with a hash has none', () => {
  const others = [
    encodeV1Number(-1),
    encodeV1Number(0.5),
    encodeV1Number(2 ** 32),
    '\x05\xc1\xff\xff',
    '\x08ab',
  ];
  for (const other of others) assert.equal(hashOfV1Position(other as RingPosition), undefined);
});

test('the length of a position is found, whatever stands behind it', () => {
  fc.assert(
    fc.property(fc.array(component, { minLength: 1, maxLength: 3 }), fc.string(), (components, behind) => {
      const position = effectivePartitionKey('v1', components);
      assert.equal(
        lengthOfV1Position(`${position}${behind}` as RingPosition, components.length),
        position.length,
      );
      assert.equal(lengthOfV1Position(position.slice(0, -1) as RingPosition, components.length), undefined);
    }),
  );
});
