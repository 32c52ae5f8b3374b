import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ByteString } from '../foundation/byte-string.ts';
import { decodeEntries, decodeRows, entryKinds } from '../storage/log/log-entry.ts';
import { type EncodedEntry, LogArena } from './log-arena.ts';

const header = {
  kind: entryKinds.rows,
  container: 2,
  physicalPartition: 0,
  generation: 1,
  epoch: 1,
  timeMs: 0,
};

function encode(arena: LogArena, lsn: number, bytes: number): EncodedEntry {
  return arena.encodeRows({ ...header, lsn }, [
    { key: `key ${lsn}` as ByteString, value: Buffer.alloc(bytes, lsn) },
  ]);
}

test('entries stand one behind the other, and none is written over, whatever their sizes', () => {
  const sizes = fc.array(fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 20 + 1_000 })), { maxLength: 12 });
  fc.assert(
    fc.property(sizes, (bytes) => {
      const arena = new LogArena();
      const entries = bytes.map((size, index) => encode(arena, index + 1, size));
      for (const [index, { chunk, start, end, rows }] of entries.entries()) {
        const [decoded] = decodeEntries(chunk.subarray(start, end));
        assert(decoded !== undefined);
        assert.equal(decoded.lsn, index + 1);
        for (const row of [decodeRows(decoded)[0], rows[0]])
          assert(row?.value?.equals(Buffer.alloc(bytes[index] ?? 0, index + 1)));
        const before = entries[index - 1];
        if (before?.chunk === chunk)
          assert.equal(start, before.end, 'neighbours touch, so that a frame is one part');
        else assert.equal(start, 0);
      }
    }),
    { numRuns: 30 },
  );
});
