import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ByteString } from '../../foundation/byte-string.ts';
import type { RowWrite } from '../partition-store.ts';
import {
  decodeEntries,
  decodeRows,
  type EntryHeader,
  encodeNote,
  encodeRowsEntry,
  entryKinds,
  isOrdered,
  noteBody,
  rowsEntryBytes,
} from './log-entry.ts';

const u32 = fc.nat({ max: 2 ** 32 - 1 });
const u48 = fc.nat({ max: 2 ** 48 - 1 });
const key = fc
  .uint8Array({ maxLength: 20 })
  .map((bytes) => Buffer.from(bytes).toString('latin1') as ByteString);
const value = fc.option(fc.uint8Array({ maxLength: 40 }), { nil: null });
const writes: fc.Arbitrary<RowWrite[]> = fc.array(fc.record({ key, value }, { noNullPrototype: true }), {
  maxLength: 5,
});

function headerOf<K extends EntryHeader['kind']>(kind: K): fc.Arbitrary<EntryHeader> {
  return fc.record(
    {
      kind: fc.constant(kind),
      container: u32,
      physicalPartition: u32,
      generation: u32,
      epoch: u32,
      lsn: u48,
      timeMs: u48,
    },
    { noNullPrototype: true },
  );
}

/** The rows entry with other bytes before and behind it, as it stands in an arena. */
function encodeAmongOthers(header: EntryHeader, rows: readonly RowWrite[]) {
  const length = rowsEntryBytes(rows);
  const arena = Buffer.alloc(length + 14, 0xee);
  const stored = encodeRowsEntry(arena, 7, length, header, rows);
  return { arena, stored, entry: arena.subarray(7, 7 + length) };
}

test('an entry of rows is read back as it was written, and touches nothing around it', () => {
  fc.assert(
    fc.property(headerOf(entryKinds.rows), writes, (header, rows) => {
      const { arena, stored, entry } = encodeAmongOthers(header, rows);
      assert(arena.subarray(0, 7).equals(Buffer.alloc(7, 0xee)));
      assert(arena.subarray(-7).equals(Buffer.alloc(7, 0xee)));
      const [decoded, ...more] = decodeEntries(entry);
      assert(decoded !== undefined && more.length === 0);
      const { bytes, body, ...found } = decoded;
      assert.deepEqual(found, header);
      assert(bytes.equals(entry) && body.length < bytes.length);
      for (const found of [stored, decodeRows(decoded)]) {
        assert.deepEqual(
          found.map((row) => ({
            key: row.key,
            value: row.value === null ? null : new Uint8Array(row.value),
          })),
          rows,
        );
      }
    }),
  );
});

test('a stored row is a view of the entry, so that it costs no copy', () => {
  const header = { kind: entryKinds.rows, container: 2, physicalPartition: 0, generation: 1, epoch: 1 };
  const { arena, stored } = encodeAmongOthers({ ...header, lsn: 1, timeMs: 0 }, [
    { key: 'k' as ByteString, value: Buffer.from('value') },
  ]);
  assert.equal(stored[0]?.stored?.buffer, arena.buffer);
  assert.equal(stored[0]?.keyBytes.buffer, arena.buffer);
});

test('entries that stand one behind the other are read in their order, each to its own end', () => {
  const rowsEntry = fc.tuple(headerOf(entryKinds.rows), writes).map(([header, rows]) => ({
    header,
    bytes: encodeAmongOthers(header, rows).entry,
  }));
  const note = fc.tuple(headerOf(entryKinds.epoch), fc.jsonValue()).map(([header, body]) => ({
    header,
    bytes: encodeNote(header, body),
  }));
  fc.assert(
    fc.property(fc.array(fc.oneof(rowsEntry, note), { maxLength: 5 }), (entries) => {
      const decoded = decodeEntries(Buffer.concat(entries.map(({ bytes }) => bytes)));
      assert.equal(decoded.length, entries.length);
      for (const [index, { header, bytes }] of entries.entries()) {
        assert.equal(decoded[index]?.lsn, header.lsn);
        assert(decoded[index]?.bytes.equals(bytes));
      }
    }),
  );
});

test('a note is read back as it was written', () => {
  fc.assert(
    fc.property(headerOf(entryKinds.membership), fc.jsonValue(), (header, body) => {
      const [entry] = decodeEntries(encodeNote(header, body));
      assert(entry !== undefined);
      assert.deepEqual(noteBody(entry), JSON.parse(JSON.stringify(body)));
    }),
  );
});

test('a body that ends inside an entry is refused', () => {
  const header = { kind: entryKinds.promise, container: 0, physicalPartition: 0, generation: 0 };
  const entry = encodeNote({ ...header, epoch: 3, lsn: 0, timeMs: 1 }, { some: 'note' });
  const two = Buffer.concat([entry, entry]);
  for (let length = 1; length < two.length; length++) {
    if (length === entry.length) continue;
    assert.throws(() => decodeEntries(two.subarray(0, length)), { code: 'corrupt-data' });
  }
});

test('an entry whose length is less than its header is refused, not read for ever', () => {
  const body = Buffer.alloc(64);
  assert.throws(() => decodeEntries(body), { code: 'corrupt-data' });
});

test('an entry of a kind that this version does not know is refused', () => {
  const header = { container: 0, physicalPartition: 0, generation: 0, epoch: 0, lsn: 0, timeMs: 0 };
  const entry = encodeNote({ ...header, kind: entryKinds.forget }, null);
  for (const kind of [0, 11, 255]) {
    entry[4] = kind;
    assert.throws(() => decodeEntries(entry), {
      code: 'unknown-format',
      details: { what: 'log entry', kind },
    });
  }
});

test('what replicas agree on takes an LSN: rows, split, merge and membership, and nothing else', () => {
  const ordered = Object.entries(entryKinds).filter(([, kind]) => isOrdered(kind));
  assert.deepEqual(
    ordered.map(([name]) => name),
    ['rows', 'split', 'merge', 'membership'],
  );
});
