import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { int, opcodes, responseFrame, rowsHead, voidBody } from './cql-frames.ts';
import { ResponseReader } from './cql-response-reader.ts';

type Seen = [stream: number, problem: string | undefined];

function read(chunks: readonly Buffer[], expectedRows: number | undefined): Seen[] {
  const seen: Seen[] = [];
  const reader = new ResponseReader({
    onResponse: (stream, problem) => seen.push([stream, problem]),
    onBody: () => assert.fail('no bodies are wanted'),
  });
  reader.expect(expectedRows);
  const reused = Buffer.alloc(64 * 1024);
  for (const chunk of chunks) {
    chunk.copy(reused);
    reader.push(reused.subarray(0, chunk.length));
    // As a socket does that reads into the same buffer again.
    reused.fill(0xee);
  }
  return seen;
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}

function rows(stream: number, count: number, cellBytes: number): Buffer {
  return responseFrame(
    stream,
    opcodes.result,
    Buffer.concat([rowsHead(2, count), Buffer.alloc(cellBytes, 7)]),
  );
}

function withFlags(frame: Buffer, flags: number, prefix: Buffer): Buffer {
  const bytes = Buffer.concat([frame.subarray(0, 9), prefix, frame.subarray(9)]);
  bytes.writeUInt8(flags, 1);
  bytes.writeUInt32BE(bytes.length - 9, 5);
  return bytes;
}

const charge = Buffer.concat([
  Buffer.from([0, 1, 0, 13]),
  Buffer.from('RequestCharge'),
  int(8),
  Buffer.alloc(8, 1),
]);
const warnings = Buffer.concat([
  Buffer.from([0, 2, 0, 1]),
  Buffer.from('a'),
  Buffer.from([0, 2]),
  Buffer.from('bc'),
]);

describe('reading responses', () => {
  it('sees the same responses however the stream is cut', () => {
    const stream = Buffer.concat([
      rows(1, 50, 900),
      withFlags(rows(2, 50, 3), 0x04, charge),
      rows(3, 49, 0),
      withFlags(rows(4, 50, 300), 0x0e, Buffer.concat([Buffer.alloc(16), warnings, charge])),
    ]);
    const expected: Seen[] = [
      [1, undefined],
      [2, undefined],
      [3, '49 rows instead of 50'],
      [4, undefined],
    ];
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (places) => {
        assert.deepEqual(read(cut(stream, places), 50), expected);
      }),
    );
  });

  it('tells an error by its code and text', () => {
    const body = Buffer.concat([int(0x2200), Buffer.from([0, 3]), Buffer.from('no!')]);
    const error = withFlags(responseFrame(5, opcodes.error, body), 0x04, charge);
    assert.deepEqual(read([error], 1), [[5, '0x2200 no!']]);
  });

  it('takes rows for a mistake where there should be none, and nothing where there should be rows', () => {
    const nothing = responseFrame(1, opcodes.result, voidBody());
    assert.deepEqual(read([nothing, rows(2, 1, 4)], undefined), [
      [1, undefined],
      [2, 'a RESULT of kind 2 instead of 1'],
    ]);
    assert.deepEqual(read([nothing], 1), [[1, 'a RESULT of kind 1 instead of 2']]);
  });
});
