import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ByteString } from '../../foundation/byte-string.ts';
import { encodeRequest, plainParameters } from './encode-request.samples.ts';
import { FrameDecoder } from './frame.ts';
import { ResultMetadata } from './messages/result-metadata.ts';
import { beginRowsResult, endRowsResult } from './messages/rows-result.ts';
import { readRequest } from './requests/request.ts';
import { ResponseWriter } from './response-writer.ts';

// The best of many rounds, each of less than the machine gives a process at once: it may be busy, the code is not slower for that.
const rounds = 240;
const perRound = 1_000;
const limitMicroseconds = 2;

function measure(context: TestContext, what: string, once: () => void): void {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let at = 0; at < perRound; at++) once();
    best = Math.min(best, ((performance.now() - start) * 1000) / perRound);
  }
  context.diagnostic(`${what}: ${best.toFixed(2)} µs`);
  assert.ok(best < limitMicroseconds, `${what} took ${best.toFixed(2)} µs`);
}

test('an EXECUTE with three values is decoded within two microseconds', (context) => {
  const values = [Buffer.alloc(4, 1), Buffer.from('a text of some length'), Buffer.alloc(8, 3)];
  const request = encodeRequest(4, 5, {
    kind: 'execute',
    id: 'an id of sixteen' as ByteString,
    resultMetadataId: undefined,
    parameters: { ...plainParameters, values, skipMetadata: true, timestamp: 1_700_000_000_000_000n },
  });
  const chunk = Buffer.concat(Array.from({ length: 100 }, () => request));
  const decoder = new FrameDecoder(2 ** 24);
  let seen = 0;
  measure(context, 'decode of an EXECUTE with three values', () => {
    let frame = decoder.next();
    if (frame === undefined) {
      decoder.push(chunk);
      frame = decoder.next();
    }
    assert.ok(frame !== undefined && !('fault' in frame));
    const read = readRequest(frame);
    if (read.kind === 'execute') seen += read.parameters.values.length;
  });
  assert.equal(seen, rounds * perRound * 3);
});

test('a RESULT with one row is encoded within two microseconds', (context) => {
  const column = (name: string, kind: 'int' | 'text') => ({
    keyspace: 'k',
    table: 't',
    name,
    type: { kind },
  });
  const metadata = new ResultMetadata([column('k', 'int'), column('c', 'text'), column('v', 'text')]);
  const options = { skip: true, pagingState: undefined, changedTo: undefined };
  const row = [Buffer.alloc(4, 1), Buffer.from('a text of some length'), Buffer.alloc(200, 'x')];
  const prefix = { customPayload: new Map([['RequestCharge', Buffer.alloc(8)]]) };
  const out = new ResponseWriter(4);
  let written = 0;
  for (const [what, given] of [
    ['encode of a RESULT with one row', undefined],
    ['the same with its charge as payload', prefix],
  ] as const) {
    measure(context, what, () => {
      const countPlace = beginRowsResult(out, 5, metadata, options, given);
      for (const value of row) out.value(value);
      endRowsResult(out, countPlace, 1);
      if (out.pendingBytes > 32_768) for (const part of out.take()) written += part.length;
    });
  }
  assert.ok(written > rounds * perRound * 200);
});
