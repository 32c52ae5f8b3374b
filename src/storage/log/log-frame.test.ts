import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeFrame, encodeFrameHeader, hasFrameBehind } from './log-frame.ts';

const parts = fc
  .array(fc.uint8Array({ maxLength: 30 }), { maxLength: 4 })
  .map((bytes) => bytes.map((part) => Buffer.from(part)));
const number = fc.nat({ max: 2 ** 48 - 1 });
const chain = fc.nat({ max: 2 ** 32 - 1 });

const seed = 0x5eed;

function frameOf(at: number, previousChain: number, body: readonly Buffer[], own = seed): Buffer {
  return Buffer.concat([encodeFrameHeader(at, previousChain, body, own).header, ...body]);
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return copy;
}

test('a frame is read back as it was written, wherever it stands', () => {
  fc.assert(
    fc.property(number, chain, parts, fc.nat({ max: 50 }), (at, previousChain, body, offset) => {
      const encoded = encodeFrameHeader(at, previousChain, body, seed);
      const file = Buffer.concat([Buffer.alloc(offset, 1), encoded.header, ...body, Buffer.alloc(9, 2)]);
      const frame = decodeFrame(file, offset, seed);
      assert.deepEqual(frame, {
        number: at,
        previousChain,
        chain: encoded.chain,
        body: Buffer.concat(body),
        end: file.length - 9,
      });
    }),
  );
});

test('how a body is divided into parts leaves no trace', () => {
  fc.assert(
    fc.property(number, chain, parts, (at, previousChain, body) => {
      assert.deepEqual(frameOf(at, previousChain, body), frameOf(at, previousChain, [Buffer.concat(body)]));
    }),
  );
});

test('any flipped bit of a frame is noticed', () => {
  const frame = frameOf(12, 345, [Buffer.from('first entry'), Buffer.from('second')]);
  for (let bit = 0; bit < frame.length * 8; bit++) {
    assert.equal(decodeFrame(flipped(frame, bit), 0, seed), undefined, `bit ${bit}`);
  }
});

test('a frame that is cut off is no frame, whatever stood there before', () => {
  const frame = frameOf(12, 345, [Buffer.from('an entry')]);
  for (let length = 0; length < frame.length; length++) {
    assert.equal(decodeFrame(frame.subarray(0, length), 0, seed), undefined);
    const torn = Buffer.alloc(frame.length);
    frame.copy(torn, 0, 0, length);
    assert.equal(decodeFrame(torn, 0, seed), undefined);
  }
});

test('equal bodies behind different frames have different chains', () => {
  const body = [Buffer.from('an entry')];
  const { chain: one } = encodeFrameHeader(2, 111, body, seed);
  const { chain: other } = encodeFrameHeader(2, 112, body, seed);
  assert.notEqual(one, other);
});

test('a frame of a log with another seed is no frame', () => {
  assert.equal(decodeFrame(frameOf(1, 0, [Buffer.from('an entry')], seed + 1), 0, seed), undefined);
});

test('behind a frame there is another exactly when a whole, sound and later one stands somewhere', () => {
  const frames = [1, 2, 3].map((at) => frameOf(at, at * 100, [Buffer.from(`entry ${at}`)]));
  const file = Buffer.concat(frames);
  const [first = 0, second = 0] = frames.map((frame) => frame.length);
  assert.equal(hasFrameBehind(file, 0, 1, seed), true);
  assert.equal(hasFrameBehind(file, first, 2, seed), true);
  assert.equal(hasFrameBehind(file, first + second, 3, seed), false);
  const torn = file.subarray(0, -1);
  assert.equal(hasFrameBehind(torn, first, 2, seed), false);
  assert.equal(hasFrameBehind(Buffer.concat([torn, Buffer.from('RFL1RFL1RFL1')]), first, 2, seed), false);
  assert.equal(hasFrameBehind(Buffer.concat([torn, file]), first, 2, seed), true, 'a later one');
  assert.equal(hasFrameBehind(Buffer.concat([torn, file]), first, 3, seed), false, 'none that is later');
  assert.equal(hasFrameBehind(Buffer.alloc(0), 0, 1, seed), false);
});
