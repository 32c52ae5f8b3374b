import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lz4 } from './compression.ts';
import { writeSetKeyspaceResult } from './messages/simple-responses.ts';
import { ResponseWriter } from './response-writer.ts';
import { SegmentReader } from './segment.ts';

function write(out: ResponseWriter, stream: number, length: number): void {
  writeSetKeyspaceResult(out, stream, 'k'.repeat(length));
}

test('responses of one turn are taken together, and what was taken stays as it is', () => {
  const out = new ResponseWriter(4, 64);
  assert.deepEqual(out.take(), []);
  write(out, 1, 3);
  write(out, 2, 30);
  const first = out.take();
  assert.equal(first.length, 1);
  const copy = Buffer.concat(first);
  assert.equal(copy.length, 9 + 6 + 3 + 9 + 6 + 30);
  for (let stream = 0; stream < 50; stream++) write(out, stream, 40);
  assert.equal(out.pendingBytes, 50 * (9 + 6 + 40));
  assert.deepEqual(Buffer.concat(first), copy);
  const second = Buffer.concat(out.take());
  for (let stream = 0; stream < 50; stream++) {
    const frame = second.subarray(stream * 55, stream * 55 + 55);
    assert.deepEqual([frame.readInt16BE(2), frame.readUInt32BE(5)], [stream, 46]);
  }
});

test('what was taken is written over only once somebody says that it was read, and nothing that waits ever is', () => {
  const out = new ResponseWriter(4, 128);
  write(out, 1, 3);
  const [first] = out.take();
  const copy = Buffer.from(first ?? []);
  write(out, 2, 4);
  out.reuse();
  assert.deepEqual(first, copy, 'another response waits behind it');
  const [second] = out.take();
  assert.equal(second?.readInt16BE(2), 2);
  out.reuse();
  write(out, 3, 3);
  const [third] = out.take();
  assert.equal(third?.readInt16BE(2), 3);
  assert.equal(third?.byteOffset, first?.byteOffset);
  assert.equal(third?.buffer, first?.buffer);
});

test('a response that is given up leaves no trace', () => {
  const out = new ResponseWriter(4, 32);
  write(out, 1, 3);
  out.begin(8, 2);
  out.raw(Buffer.alloc(1000));
  out.abandon();
  write(out, 3, 3);
  const bytes = Buffer.concat(out.take());
  assert.deepEqual([bytes.length, bytes.readInt16BE(2), bytes.readInt16BE(20)], [36, 1, 3]);
});

test('in version 5 the responses of one turn share a segment, and one that is too long has several', () => {
  for (const compressor of [undefined, lz4]) {
    const out = new ResponseWriter(5);
    out.useSegments(compressor);
    write(out, 1, 3);
    write(out, 2, 3);
    for (let more = 0; more < 4; more++) write(out, 3, 60_000);
    const segments = new SegmentReader(compressor);
    segments.push(Buffer.concat(out.take()));
    const payloads: Buffer[] = [];
    for (let segment = segments.next(); segment !== undefined; segment = segments.next()) {
      assert.ok(typeof segment !== 'string' && segment.isWhole);
      payloads.push(segment.payload);
    }
    assert.deepEqual(
      payloads.map((payload) => payload.length),
      [36 + 2 * 60_015, 2 * 60_015],
    );
  }
});
