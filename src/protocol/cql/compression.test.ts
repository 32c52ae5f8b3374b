import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lz4, snappy } from './compression.ts';
import { encodeRequest, plainParameters } from './encode-request.samples.ts';
import { FrameDecoder } from './frame.ts';
import { writeSetKeyspaceResult } from './messages/simple-responses.ts';
import { ResponseWriter } from './response-writer.ts';

const anyBody = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }),
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 3000 }))
    .map(([part, times]) => new Uint8Array(part.length * times).map((_, at) => part[at % part.length] ?? 0)),
);

test('what was compressed is decompressed to the same bytes', () => {
  fc.assert(
    fc.property(anyBody, (random) => {
      const body = Buffer.from(random);
      for (const compressor of [lz4, snappy])
        assert.deepEqual(compressor.decompressBody(compressor.compressBody(body), 2 ** 20), body);
      const block = Buffer.concat([Buffer.alloc(4), lz4.compressBlock(body)]).subarray(4);
      assert.deepEqual(lz4.decompressBlock(block, body.length), body);
    }),
  );
});

test('LZ4 has the length before the block, big-endian; Snappy is bare', () => {
  const body = Buffer.alloc(1000, 'x');
  assert.equal(lz4.compressBody(body).readUInt32BE(), 1000);
  assert.equal(snappy.compressBody(body).subarray(0, 2).toString('hex'), 'e807');
});

test('what would be longer than the limit is refused before it is decompressed', () => {
  const body = Buffer.alloc(1000, 'x');
  for (const compressor of [lz4, snappy]) {
    const refused = compressor.decompressBody(compressor.compressBody(body), 999);
    assert.ok(refused instanceof Error && refused.name === 'RequestTooBig');
  }
});

test('a damaged body is refused or read as something, never more than the limit and never an exception', () => {
  fc.assert(
    fc.property(anyBody, fc.nat(5000), fc.nat(255), fc.nat(5000), (random, at, to, length) => {
      for (const compressor of [lz4, snappy]) {
        const compressed = Buffer.from(compressor.compressBody(Buffer.from(random)));
        compressed[at % compressed.length] = to;
        const read = compressor.decompressBody(compressed.subarray(0, length), 2 ** 16);
        assert.ok(read instanceof Error || read.length <= 2 ** 16);
      }
    }),
    { numRuns: 500 },
  );
  for (const compressor of [lz4, snappy]) {
    for (const hex of ['', 'ffffffff', '0000ffff', 'ffffffff0f', '7fffffff00', '80808080808000'])
      assert.ok(compressor.decompressBody(Buffer.from(hex, 'hex'), 2 ** 31) instanceof Error, hex);
  }
});

test('a frame with the flag is decompressed once compression is agreed on, and before that the flag means nothing', () => {
  const text = 'SELECT v FROM t WHERE k = 1 AND '.repeat(10);
  const plain = encodeRequest(4, 1, { kind: 'query', text, parameters: plainParameters });
  for (const compressor of [lz4, snappy]) {
    const body = compressor.compressBody(plain.subarray(9));
    const frame = Buffer.concat([plain.subarray(0, 9), body]);
    frame.writeUInt8(0x01, 1);
    frame.writeUInt32BE(body.length, 5);
    for (const agreed of [true, false]) {
      const decoder = new FrameDecoder(1000);
      if (agreed) decoder.useCompression(compressor);
      decoder.push(Buffer.from(frame));
      const decoded = decoder.next();
      assert.ok(decoded !== undefined && !('fault' in decoded));
      assert.ok(decoded.body.equals(agreed ? plain.subarray(9) : body));
    }
  }
});

test('a response is compressed where that makes it shorter', () => {
  for (const [keyspace, isShorter] of [
    ['k', false],
    ['keyspace'.repeat(20), true],
  ] as const) {
    const out = new ResponseWriter(4);
    out.useCompression(lz4);
    writeSetKeyspaceResult(out, 1, keyspace);
    const [frame] = out.take();
    assert.ok(frame !== undefined);
    assert.equal(frame[1], isShorter ? 0x01 : 0);
    assert.equal(frame.readUInt32BE(5), frame.length - 9);
    const body = isShorter ? lz4.decompressBody(frame.subarray(9), 1000) : frame.subarray(9);
    assert.ok(Buffer.isBuffer(body) && body.subarray(6).toString() === keyspace);
  }
});
