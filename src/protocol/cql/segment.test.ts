import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lz4 } from './compression.ts';
import { crc24 } from './crc24.ts';
import { encodeRequest, frameOf } from './encode-request.samples.ts';
import type { Frame, FrameFault } from './frame.ts';
import { opcodes } from './opcode.ts';
import { anyRequest } from './requests/request.test.samples.ts';
import { maxPayloadLength, SegmentDecoder, SegmentReader, segmentsOf } from './segment.ts';

const compressors = [undefined, lz4];

function decodeAll(decoder: SegmentDecoder, chunks: readonly Buffer[]): (Frame | FrameFault)[] {
  const found: (Frame | FrameFault)[] = [];
  for (const chunk of chunks) {
    decoder.push(Buffer.from(chunk));
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) found.push(frame);
  }
  return found;
}

function segmentsFor(frames: readonly Buffer[], compressor: typeof lz4 | undefined): Buffer {
  let end = 0;
  const ends = frames.map((frame) => (end += frame.length));
  return Buffer.concat(segmentsOf(Buffer.concat(frames), ends, compressor));
}

test('the table gives the checksum that the specification computes bit by bit', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 8 }), (random) => {
      const bytes = Buffer.from(random);
      assert.equal(crc24(bytes, 0, bytes.length), crc24Slowly(bytes));
    }),
  );
});

/** By the letter of the specification, bit by bit. */
function crc24Slowly(bytes: Buffer): number {
  let crc = 0x875060;
  for (const byte of bytes) {
    crc ^= byte << 16;
    for (let bit = 0; bit < 8; bit++) {
      crc <<= 1;
      if ((crc & 0x1000000) !== 0) crc ^= 0x1974f0b;
    }
  }
  return crc;
}

test('frames come out of segments as they went in, wherever the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(anyRequest(5), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 300 }),
      fc.constantFrom(...compressors),
      (requests, chunkLength, compressor) => {
        const sent = requests.map((request, stream) => encodeRequest(5, stream, request));
        const bytes = segmentsFor(sent, compressor);
        const chunks: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += chunkLength)
          chunks.push(bytes.subarray(at, at + chunkLength));
        const found = decodeAll(new SegmentDecoder(2 ** 20, compressor), chunks);
        assert.equal(found.length, sent.length);
        for (const [at, frame] of found.entries()) {
          assert.ok(!('fault' in frame));
          assert.ok(frame.body.equals(sent[at]?.subarray(9) ?? Buffer.alloc(0)));
        }
      },
    ),
  );
});

test('a frame that does not fit is cut over several segments, and its neighbours keep out of them', () => {
  const small = frameOf(5, 0, 1, opcodes.query, Buffer.from('a'));
  for (const length of [maxPayloadLength - 9, maxPayloadLength - 8, 3 * maxPayloadLength]) {
    const body = Buffer.alloc(length, 'some text of a request');
    const big = frameOf(5, 0, 2, opcodes.query, body);
    for (const compressor of compressors) {
      const bytes = segmentsFor([small, big, small], compressor);
      const found = decodeAll(new SegmentDecoder(2 ** 20, compressor), [bytes]);
      assert.deepEqual(
        found.map((frame) => ('fault' in frame ? frame.fault.message : frame.body.length)),
        [1, length, 1],
      );
    }
  }
});

test('frames that do not fit together have a segment each, whole', () => {
  const first = frameOf(5, 0, 1, opcodes.query, Buffer.alloc(91));
  for (const [length, expected] of [
    [maxPayloadLength - 100, 1],
    [maxPayloadLength - 99, 2],
    [maxPayloadLength, 2],
  ] as const) {
    const second = frameOf(5, 0, 2, opcodes.query, Buffer.alloc(length - 9));
    const reader = new SegmentReader(undefined);
    reader.push(segmentsFor([first, second], undefined));
    let segments = 0;
    for (let segment = reader.next(); segment !== undefined; segment = reader.next()) {
      assert.ok(typeof segment !== 'string' && segment.isWhole);
      segments++;
    }
    assert.equal(segments, expected, String(length));
  }
});

test('a bit that changes in a segment is noticed, and nothing more is read', () => {
  const frames = [frameOf(5, 0, 1, opcodes.query, Buffer.from('some text, some text, some text'))];
  for (const compressor of compressors) {
    const bytes = segmentsFor(frames, compressor);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const [fault, ...more] = decodeAll(new SegmentDecoder(2 ** 20, compressor), [damaged, bytes]);
      assert.ok(fault !== undefined && 'fault' in fault && fault.closes && more.length === 0);
      assert.match(
        fault.fault.message,
        /^unrecoverable CRC mismatch detected in frame (header|body)\. Read -?\d+, Computed -?\d+$/,
      );
    }
  }
});

test('a self-contained segment that ends inside a message ends the connection', () => {
  const half = frameOf(5, 0, 1, opcodes.query, Buffer.from('abc')).subarray(0, 10);
  const [fault] = decodeAll(new SegmentDecoder(1000, undefined), [segmentsFor([half], undefined)]);
  assert.ok(fault !== undefined && 'fault' in fault && fault.closes);
});

test('a frame of another version is refused inside a segment', () => {
  const foreign = frameOf(4, 0, 2, opcodes.query, Buffer.from('abc'));
  const own = frameOf(5, 0, 3, opcodes.query, Buffer.from('abc'));
  const found = decodeAll(new SegmentDecoder(1000, undefined), [segmentsFor([foreign, own], undefined)]);
  assert.deepEqual(
    found.map((each) => ('fault' in each ? each.fault.message : each.stream)),
    ['Invalid message version. Got 4/v4 but previous messages on this connection had version 5/v5', 3],
  );
});

test('a request that is too big is refused though it comes in many segments, and the next one is read', () => {
  const big = frameOf(5, 0, 2, opcodes.query, Buffer.alloc(200_000));
  const small = frameOf(5, 0, 3, opcodes.query, Buffer.from('a'));
  const found = decodeAll(new SegmentDecoder(1000, undefined), [segmentsFor([big, small], undefined)]);
  assert.deepEqual(
    found.map((each) => ('fault' in each ? each.fault.message : each.stream)),
    ['Request is too big: length 200009 exceeds maximum allowed length 1000.', 3],
  );
});

test('random bytes give faults, never an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 64 }), fc.boolean(), (random, compressed) => {
      const bytes = Buffer.from(random);
      const headerLength = compressed ? 5 : 3;
      bytes.writeUIntLE(crc24(bytes, 0, headerLength), headerLength, 3);
      decodeAll(new SegmentDecoder(1000, compressed ? lz4 : undefined), [bytes]);
    }),
  );
});
