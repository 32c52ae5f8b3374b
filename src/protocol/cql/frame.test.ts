import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeRequest, frameOf } from './encode-request.samples.ts';
import { type Frame, FrameDecoder, type FrameFault } from './frame.ts';
import { opcodes } from './opcode.ts';
import { anyRequest } from './requests/request.test.samples.ts';

function decodeAll(decoder: FrameDecoder, chunks: readonly Buffer[]): (Frame | FrameFault)[] {
  const found: (Frame | FrameFault)[] = [];
  for (const chunk of chunks) {
    decoder.push(chunk);
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) found.push(frame);
  }
  return found;
}

function messagesOf(found: readonly (Frame | FrameFault)[]): string[] {
  return found.map((each) => ('fault' in each ? each.fault.message : `frame ${each.stream}`));
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const ends = [...at.map((each) => each % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test('frames are found wherever the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(anyRequest(4), { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(5_000), { maxLength: 12 }),
      (requests, cuts) => {
        const sent = requests.map((request, stream) => encodeRequest(4, stream, request));
        const decoder = new FrameDecoder(2 ** 20);
        const found = decodeAll(decoder, cut(Buffer.concat(sent), cuts));
        assert.equal(found.length, sent.length);
        for (const [at, frame] of found.entries()) {
          assert.ok(!('fault' in frame));
          assert.ok(frame.body.equals(sent[at]?.subarray(9) ?? Buffer.alloc(0)));
        }
        assert.ok(decoder.isBetweenFrames);
      },
    ),
  );
});

test('a frame that lies in one chunk is not copied', () => {
  const chunk = frameOf(4, 0, 1, opcodes.query, Buffer.from('abc'));
  const [frame] = decodeAll(new FrameDecoder(100), [chunk]);
  assert.ok(frame !== undefined && !('fault' in frame));
  chunk.write('X', 9);
  assert.equal(frame.body.toString(), 'Xbc');
});

test('a request that is too big is refused by its header, and its body is passed over', () => {
  const decoder = new FrameDecoder(100);
  const header = frameOf(4, 0, 7, opcodes.query, Buffer.alloc(0));
  header.writeUInt32BE(300, 5);
  const [refused] = decodeAll(decoder, [header]);
  assert.ok(refused !== undefined && 'fault' in refused);
  assert.equal(refused.fault.message, 'Request is too big: length 309 exceeds maximum allowed length 100.');
  assert.deepEqual([refused.stream, refused.closes], [7, false]);
  const next = frameOf(4, 0, 8, opcodes.options, Buffer.alloc(0));
  assert.deepEqual(messagesOf(decodeAll(decoder, [Buffer.alloc(299)])), []);
  assert.deepEqual(messagesOf(decodeAll(decoder, [Buffer.alloc(1), next])), ['frame 8']);
});

test('memory grows with what has come, not with what a header promises', () => {
  const decoder = new FrameDecoder(2 ** 28);
  const header = frameOf(4, 0, 7, opcodes.query, Buffer.alloc(0));
  header.writeUInt32BE(2 ** 28 - 9, 5);
  const before = memoryUsage();
  assert.deepEqual(decodeAll(decoder, [header, Buffer.alloc(1000), Buffer.alloc(1000)]), []);
  assert.ok(memoryUsage() - before < 2 ** 22);
});

function memoryUsage(): number {
  return process.memoryUsage().arrayBuffers;
}

// Asked of Apache Cassandra 5.0.5 on 2026-11-16; ours knows no version 6.
test('headers that Cassandra refuses are refused in its words, and the connection goes on', () => {
  const first = frameOf(4, 0, 1, opcodes.options, Buffer.alloc(0));
  const refusals = [
    [frameOf(4, 0, 7, 0x77, Buffer.from('ab')), 'Unknown opcode 119'],
    [frameOf(4, 0, 7, 0x04, Buffer.from('ab')), 'Unknown opcode 4'],
    [
      frameOf(4, 0, 7, opcodes.result, Buffer.from('ab')),
      'Wrong protocol direction (expected RESPONSE, got REQUEST) for opcode 8 (RESULT)',
    ],
    [
      frameOf(0x84, 0, 7, opcodes.options, Buffer.alloc(0)),
      'Wrong protocol direction (expected REQUEST, got RESPONSE) for opcode 5 (OPTIONS)',
    ],
    [
      frameOf(3, 0, 7, opcodes.options, Buffer.alloc(0)),
      'Invalid message version. Got 3/v3 but previous messages on this connection had version 4/v4',
    ],
  ] as const;
  for (const [refused, message] of refusals) {
    const decoder = new FrameDecoder(1000);
    decoder.fixVersion(4);
    const found = decodeAll(decoder, [Buffer.concat([first, refused, first])]);
    assert.deepEqual(messagesOf(found), ['frame 1', message, 'frame 1']);
    const fault = found[1];
    assert.ok(fault !== undefined && 'fault' in fault && !fault.closes);
    assert.deepEqual([fault.version, fault.stream], [4, 7]);
  }
});

test('a version that is not known is answered in the newest one on stream 0, and nothing more is read', () => {
  const decoder = new FrameDecoder(1000);
  const found = decodeAll(decoder, [Buffer.from([0x42]), frameOf(4, 0, 1, opcodes.options, Buffer.alloc(0))]);
  assert.deepEqual(messagesOf(found), [
    'Invalid or unsupported protocol version (66); supported versions are (3/v3, 4/v4, 5/v5)',
  ]);
  const [fault] = found;
  assert.ok(fault !== undefined && 'fault' in fault && fault.closes);
  assert.deepEqual([fault.version, fault.stream], [5, 0]);
});

test('until a STARTUP is taken a client may try one version after another', () => {
  const tries = [5, 4, 3].map((version) => frameOf(version, 0, version, opcodes.options, Buffer.alloc(0)));
  assert.deepEqual(messagesOf(decodeAll(new FrameDecoder(1000), tries)), ['frame 5', 'frame 4', 'frame 3']);
});

test('a negative length ends the connection: where the next frame begins is not known', () => {
  const bad = frameOf(4, 0, 7, opcodes.query, Buffer.alloc(0));
  bad.writeInt32BE(-5, 5);
  const [fault] = decodeAll(new FrameDecoder(1000), [bad]);
  assert.ok(fault !== undefined && 'fault' in fault && fault.closes);
  assert.equal(fault.fault.message, 'Invalid value for envelope header body length field: -5');
});

test('random bytes give frames and faults, never an exception', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }),
      fc.constantFrom(3, 4, 5),
      (random, version) => {
        const chunks = random.map((bytes) => Buffer.from(bytes));
        decodeAll(new FrameDecoder(200), [Buffer.from([version, 0]), ...chunks]);
      },
    ),
    { numRuns: 1000 },
  );
});
