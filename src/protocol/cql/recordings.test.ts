import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import type { BlockCompressor } from './block-compressor.ts';
import { lz4, snappy } from './compression.ts';
import { decodeResponse, type ResponseFrame } from './decode-response.samples.ts';
import { encodeRequest } from './encode-request.samples.ts';
import { type Frame, FrameDecoder, type FrameFault, flagBits, headerLength } from './frame.ts';
import { opcodes } from './opcode.ts';
import type { ProtocolVersion } from './protocol-version.ts';
import { type Recording, recordings } from './recordings.vectors.ts';
import { readCustomPayload, readRequest } from './requests/request.ts';
import { ResponseWriter } from './response-writer.ts';
import { SegmentDecoder, SegmentReader, segmentsOf } from './segment.ts';

const maxLength = 2 ** 24;

function unpack(deflated: string): Buffer {
  return inflateRawSync(Buffer.from(deflated, 'base64'));
}

function compressorOf({ compression }: Recording): BlockCompressor | undefined {
  if (compression === 'none') return undefined;
  return compression === 'lz4' ? lz4 : snappy;
}

/** In chunks of some bytes, as a socket might have brought them. */
function* inChunks(bytes: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield Buffer.from(bytes.subarray(at, at + length));
}

interface Decoder {
  push(chunk: Buffer): void;
  next(): Frame | FrameFault | undefined;
}

/** Follows the handshake as a connection would: STARTUP brings compression and, in version 5, segments. */
function requestsOf(recording: Recording, chunkLength: number): (Frame | FrameFault)[] {
  const compressor = compressorOf(recording);
  const found: (Frame | FrameFault)[] = [];
  const frames = new FrameDecoder(maxLength);
  let decoder: Decoder = frames;
  for (const chunk of inChunks(unpack(recording.client), chunkLength)) {
    decoder.push(chunk);
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
      found.push(frame);
      if ('fault' in frame || frame.opcode !== opcodes.startup) continue;
      if (frame.version < 5) {
        if (compressor !== undefined) frames.useCompression(compressor);
      } else {
        decoder = new SegmentDecoder(maxLength, compressor === undefined ? undefined : lz4);
        decoder.push(frames.drain());
      }
    }
  }
  return found;
}

/** The server's side, each frame decompressed and without the flag that says so. */
function responsesOf(recording: Recording): Buffer[] {
  let rest = unpack(recording.server);
  const compressor = compressorOf(recording);
  const found: Buffer[] = [];
  let isReady = false;
  while (rest.length > 0 && !(isReady && rest[0] !== 0x83 && rest[0] !== 0x84)) {
    const length = headerLength + rest.readUInt32BE(5);
    const frame = withoutCompression(rest.subarray(0, length), compressor);
    isReady = frame[4] === opcodes.ready;
    found.push(frame);
    rest = rest.subarray(length);
  }
  const segments = new SegmentReader(compressor === undefined ? undefined : lz4);
  segments.push(rest);
  const payloads: Buffer[] = [];
  for (let segment = segments.next(); segment !== undefined; segment = segments.next()) {
    assert.ok(typeof segment !== 'string', String(segment));
    payloads.push(segment.payload);
  }
  for (let bytes = Buffer.concat(payloads); bytes.length > 0; ) {
    const length = headerLength + bytes.readUInt32BE(5);
    found.push(bytes.subarray(0, length));
    bytes = bytes.subarray(length);
  }
  return found;
}

function withoutCompression(frame: Buffer, compressor: BlockCompressor | undefined): Buffer {
  if (((frame[1] ?? 0) & flagBits.compressed) === 0 || compressor === undefined) return frame;
  const body = compressor.decompressBody(Buffer.from(frame.subarray(headerLength)), maxLength);
  assert.ok(Buffer.isBuffer(body));
  const header = Buffer.from(frame.subarray(0, headerLength));
  header.writeUInt8(header.readUInt8(1) & ~flagBits.compressed, 1);
  header.writeUInt32BE(body.length, 5);
  return Buffer.concat([header, body]);
}

function frameIn(bytes: Buffer): ResponseFrame {
  return {
    version: (bytes.readUInt8() & 0x7f) as ProtocolVersion,
    flags: bytes.readUInt8(1),
    stream: bytes.readInt16BE(2),
    opcode: bytes.readUInt8(4),
    body: bytes.subarray(headerLength),
  };
}

for (const recording of recordings) {
  test(`every recorded request comes out byte by byte from its decoded form, whatever the chunks (${recording.name})`, () => {
    const frames = requestsOf(recording, 65_536);
    assert.ok(frames.length > 0);
    for (const chunkLength of [1013, 7]) assert.deepEqual(requestsOf(recording, chunkLength), frames);
    for (const frame of frames) {
      if ('fault' in frame) {
        assert.match(frame.fault.message, /^Invalid or unsupported protocol version \(66\)/);
        continue;
      }
      const request = readRequest(frame);
      const again = encodeRequest(frame.version, frame.stream, request, readCustomPayload(frame));
      assert.equal(again.subarray(headerLength).toString('hex'), frame.body.toString('hex'));
    }
  });

  test(`every recorded response comes out byte by byte from its decoded form (${recording.name})`, () => {
    for (const bytes of responsesOf(recording)) {
      const frame = frameIn(bytes);
      const decoded = decodeResponse(frame);
      const out = new ResponseWriter(frame.version);
      decoded.rewrite(out);
      assert.equal(Buffer.concat(out.take()).toString('hex'), bytes.toString('hex'), decoded.what);
    }
  });
}

test('the recordings hold every kind of request and response that the drivers brought about', () => {
  const requests = new Set<string>();
  const responses = new Set<string>();
  for (const recording of recordings) {
    for (const frame of requestsOf(recording, 65_536))
      if (!('fault' in frame)) requests.add(readRequest(frame).kind);
    for (const bytes of responsesOf(recording)) responses.add(decodeResponse(frameIn(bytes)).what);
  }
  assert.deepEqual([...requests].sort(), [
    'batch',
    'execute',
    'options',
    'prepare',
    'query',
    'register',
    'startup',
  ]);
  for (const what of [
    'rows',
    'rows more',
    'rows changed',
    'prepared',
    'schema change',
    'event schema',
    'void',
  ])
    assert.ok(responses.has(what), what);
});

test('segments of a real Cassandra come out byte by byte from their payloads', () => {
  const [recording] = recordings.filter(({ name }) => name.endsWith('version 5'));
  assert.ok(recording !== undefined);
  const server = unpack(recording.server);
  const second = headerLength + server.readUInt32BE(5);
  const start = second + headerLength + server.readUInt32BE(second + 5);
  const segments = new SegmentReader(undefined);
  segments.push(server.subarray(start));
  let at = start;
  let whole = 0;
  for (let segment = segments.next(); segment !== undefined; segment = segments.next()) {
    assert.ok(typeof segment !== 'string', String(segment));
    const [again] = segmentsOf(segment.payload, [segment.payload.length], undefined);
    assert.ok(again !== undefined);
    const recorded = server.subarray(at, at + again.length);
    if (segment.isWhole) assert.deepEqual(again, recorded);
    whole += Number(segment.isWhole);
    at += again.length;
  }
  assert.ok(at === server.length && whole > 10);
});
