import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { type ByteString, byteStringOf } from '../../foundation/byte-string.ts';
import {
  type ClearedRange,
  decodeManifest,
  emptyManifest,
  encodeManifest,
  type Manifest,
  stillCleared,
  visibleRanges,
} from './run-manifest.ts';

const anyKey = fc.uint8Array({ maxLength: 3 }).map((bytes) => byteStringOf(bytes.map((byte) => byte & 0x83)));
const anyNumber = fc.integer({ min: 1, max: 2 ** 48 });
const anyRun = fc.record(
  {
    number: anyNumber,
    sequence: anyNumber,
    sizeBytes: fc.integer({ min: 24, max: 2 ** 48 }),
    crc: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  },
  { noNullPrototype: true },
);
const clearedBefore = (before: fc.Arbitrary<number>): fc.Arbitrary<ClearedRange[]> =>
  fc.array(
    fc
      .record({ from: anyKey, to: anyKey, before }, { noNullPrototype: true })
      .filter(({ from, to }) => from < to),
    { maxLength: 6 },
  );
const anyManifest: fc.Arbitrary<Manifest> = fc.record(
  {
    nextNumber: anyNumber,
    runs: fc.array(anyRun, { maxLength: 5 }),
    cleared: clearedBefore(anyNumber),
  },
  { noNullPrototype: true },
);
const isCorrupt = (error: unknown): boolean =>
  error instanceof RingfoldError && error.code === 'corrupt-data';

test('a manifest is read as it was written', () => {
  fc.assert(
    fc.property(anyManifest, (manifest) => {
      assert.deepEqual(decodeManifest(encodeManifest(manifest)), manifest);
    }),
  );
  assert.deepEqual(decodeManifest(encodeManifest(emptyManifest)), emptyManifest);
});

test('a damaged manifest is refused, or means the same', () => {
  const manifest: Manifest = {
    nextNumber: 12,
    runs: [{ number: 11, sequence: 9, sizeBytes: 4711, crc: 7 }],
    cleared: [{ from: 'a\xff' as ByteString, to: 'b' as ByteString, before: 10 }],
  };
  const bytes = encodeManifest(manifest);
  const check = (damaged: Buffer): void => {
    try {
      assert.deepEqual(decodeManifest(damaged), manifest);
    } catch (error) {
      assert.ok(isCorrupt(error), String(error));
    }
  };
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = Buffer.from(bytes);
    damaged[bit >>> 3] = (damaged[bit >>> 3] as number) ^ (1 << (bit & 7));
    check(damaged);
  }
  for (let length = 0; length < bytes.length; length++) check(bytes.subarray(0, length));
  assert.throws(() => decodeManifest(Buffer.alloc(0)), isCorrupt);
  assert.throws(() => decodeManifest(Buffer.alloc(200)), isCorrupt);
});

const anyCleared = clearedBefore(fc.integer({ min: 1, max: 9 }));

test('a key is in a visible range when it is in the range and nothing newer than the run has cleared it', () => {
  const property = fc.property(
    anyCleared,
    fc.integer({ min: 1, max: 9 }),
    anyKey,
    anyKey,
    fc.array(anyKey),
    (cleared, sequence, from, to, others) => {
      const ranges = visibleRanges({ from, to }, sequence, cleared);
      // Every key at which something could change, and the one right behind it.
      const edges = [from, to, ...others, ...cleared.flatMap((range) => [range.from, range.to])];
      for (const key of edges.flatMap((edge) => [edge, `${edge}\0` as ByteString])) {
        const isHidden = cleared.some(
          (range) => range.before > sequence && key >= range.from && key < range.to,
        );
        const isVisible = ranges.some((range) => key >= range.from && key < range.to);
        assert.equal(isVisible, key >= from && key < to && !isHidden);
      }
      const filled = ranges.filter((range) => range.from < range.to);
      for (let index = 1; index < filled.length; index++)
        assert.ok(
          (filled[index - 1]?.to ?? '') <= (filled[index]?.from ?? ''),
          'in key order, without overlap',
        );
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('what is forgotten as cleared hides nothing in any run that is left', () => {
  const property = fc.property(
    anyCleared,
    fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
    anyKey,
    anyKey,
    (cleared, sequences, from, to) => {
      const runs = sequences.map((sequence) => ({ number: sequence, sequence, sizeBytes: 100, crc: 0 }));
      const kept: readonly ClearedRange[] = stillCleared(cleared, runs);
      for (const sequence of sequences) {
        assert.deepEqual(
          visibleRanges({ from, to }, sequence, kept),
          visibleRanges({ from, to }, sequence, cleared),
        );
      }
      if (runs.length === 0) assert.deepEqual(kept, []);
    },
  );
  fc.assert(property);
});
