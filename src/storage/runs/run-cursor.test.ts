import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type ByteString, byteStringOf } from '../../foundation/byte-string.ts';
import { positionEnd } from '../../partitioning/logical-partition.ts';
import { MemoryDisk } from '../memory/memory-disk.ts';
import type { KeyRange } from '../storage-engine.ts';
import { encodedParts, type PlainRow } from './encoded-rows.ts';
import { IndexCache } from './index-cache.ts';
import { MergedCursors } from './merge-cursors.ts';
import { Run } from './run.ts';
import { RunCursor } from './run-cursor.ts';
import { RunWriter } from './run-file.ts';
import { soughtKey } from './sought-key.ts';

async function runOf(rows: readonly PlainRow[], blockBytes: number, cacheBytes = 2 ** 20): Promise<Run> {
  const file = await new MemoryDisk().createAppendFile('a.run');
  const writer = new RunWriter(file);
  const blocks = [...encodedParts(rows, blockBytes)].flat();
  // In two parts, as slices come.
  await writer.append(blocks.slice(0, 3));
  await writer.append(blocks.slice(3));
  const { sizeBytes, crc, rows: written } = await writer.finish();
  assert.equal(written, rows.length);
  return Run.open({ number: 1, sequence: 1, sizeBytes, crc }, file, new IndexCache(cacheBytes));
}

async function walk(cursor: RunCursor): Promise<PlainRow[]> {
  const found: PlainRow[] = [];
  for (await cursor.load(); !cursor.hasEnded; ) {
    found.push({ key: cursor.key as ByteString, value: cursor.row?.value ?? null });
    assert.equal(cursor.isRemoval, cursor.row === undefined);
    cursor.advance();
    if (cursor.key === undefined) await cursor.load();
  }
  assert.equal(cursor.key, undefined);
  return found;
}

const inRanges = (rows: readonly PlainRow[], ranges: readonly KeyRange[]): PlainRow[] =>
  ranges.flatMap(({ from, to }) => rows.filter(({ key }) => key >= from && key < to));

const inOrder = (rows: readonly PlainRow[]): PlainRow[] =>
  rows.toSorted((left, right) => (left.key < right.key ? -1 : 1));

/** Ranges in key order that do not overlap, out of any keys. */
const rangesOf = (edges: readonly ByteString[]): KeyRange[] => {
  const sorted = [...new Set(edges)].sort((left, right) => (left < right ? -1 : 1));
  const ranges: KeyRange[] = [];
  for (let at = 0; at + 1 < sorted.length; at += 2)
    ranges.push({ from: sorted[at] as ByteString, to: sorted[at + 1] as ByteString });
  return ranges;
};

const anyKey = fc.uint8Array({ maxLength: 4 }).map((bytes) => byteStringOf(bytes.map((byte) => byte & 0x83)));
const anyValue = fc.option(fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)));
const anyRows = fc
  .uniqueArray(fc.record({ key: anyKey, value: anyValue }, { noNullPrototype: true }), {
    selector: ({ key }) => key,
    maxLength: 80,
  })
  .map(inOrder);

describe('a run of any rows', () => {
  test('is walked through any ranges in both directions as an array would be', async () => {
    const property = fc.asyncProperty(
      anyRows,
      fc.array(anyKey, { maxLength: 8 }),
      fc.integer({ min: 1, max: 100 }),
      async (rows, edges, blockBytes) => {
        const run = await runOf(rows, blockBytes);
        const ranges = rangesOf(edges);
        const expected = inRanges(rows, ranges);
        assert.deepEqual(await walk(new RunCursor(run, ranges, false)), expected);
        assert.deepEqual(await walk(new RunCursor(run, ranges, true)), expected.toReversed());
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  test('gives each of its rows, and nothing for any other key', async () => {
    const property = fc.asyncProperty(anyRows, anyKey, async (rows, other) => {
      const run = await runOf(rows, 40);
      const byKey = new Map(rows.map(({ key, value }) => [key, value]));
      for (const key of [...byKey.keys(), other]) {
        assert.deepEqual(await run.get(soughtKey(key)), byKey.get(key));
      }
    });
    await fc.assert(property);
  });
});

/** Four ring positions for each hundred rows, and keys so long that an index block holds only some hundred. */
const longRows: readonly PlainRow[] = Array.from({ length: 1200 }, (_, n) => ({
  key: (String(Math.floor(n / 25)).padStart(positionEnd, '0') +
    String(n).padStart(6, '0').padEnd(300, '-')) as ByteString,
  value: n % 7 === 3 ? null : Buffer.from(String(n)),
}));
const positionOf = (n: number): string => String(n).padStart(positionEnd, '0');

describe('a run of several index blocks', () => {
  for (const [name, cacheBytes] of [
    ['with its index in memory', 2 ** 24],
    ['with hardly any of its index in memory', 0],
  ] as const) {
    test(`is walked through any ranges in both directions, ${name}`, async () => {
      const run = await runOf(longRows, 32, cacheBytes);
      assert.ok(run.slots >= 3, `${run.slots} index blocks`);
      const anyEdge = fc.oneof(
        fc.nat(1199).map((n) => longRows[n]?.key as ByteString),
        fc.nat(1199).map((n) => `${longRows[n]?.key}\0` as ByteString),
        fc.nat(60).map((n) => positionOf(n) as ByteString),
      );
      const property = fc.asyncProperty(fc.array(anyEdge, { maxLength: 6 }), async (edges) => {
        const ranges = rangesOf(edges);
        const expected = inRanges(longRows, ranges);
        assert.deepEqual(await walk(new RunCursor(run, ranges, false)), expected);
        assert.deepEqual(await walk(new RunCursor(run, ranges, true)), expected.toReversed());
      });
      await fc.assert(property, { numRuns: 40 });
    });
  }

  test('gives all rows of each ring position, wherever index blocks end', async () => {
    for (const blockBytes of [32, 1000, 5000]) {
      const run = await runOf(longRows, blockBytes);
      for (let n = 0; n < 50; n++) {
        const from = positionOf(n) as ByteString;
        const range = { from, to: `${from}\xff` as ByteString };
        const expected = inRanges(longRows, [range]);
        assert.equal(expected.length, n < 48 ? 25 : 0);
        assert.deepEqual(await walk(new RunCursor(run, [range], false)), expected, `forward ${n}`);
        assert.deepEqual(await walk(new RunCursor(run, [range], true)), expected.toReversed(), `back ${n}`);
      }
    }
  });

  test('gives the rows of one ring position within any part of it', async () => {
    const run = await runOf(longRows, 700);
    const property = fc.asyncProperty(
      fc.nat(47),
      fc.nat(26),
      fc.nat(26),
      fc.boolean(),
      async (position, first, last, reverse) => {
        const edge = (n: number) =>
          (positionOf(position) + String(position * 25 + n).padStart(6, '0')) as ByteString;
        const range = { from: edge(first), to: edge(last) };
        const expected = inRanges(longRows, [range]);
        const found = await walk(new RunCursor(run, [range], reverse));
        assert.deepEqual(found, reverse ? expected.toReversed() : expected);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });

  test('a size is that of the blocks in the range: never negative, adding up, and close to the truth', async () => {
    const run = await runOf(longRows, 1000);
    const whole = await run.sizeOf({ from: '' as ByteString, to: '\xff' as ByteString });
    const property = fc.asyncProperty(fc.nat(1199), fc.nat(1199), async (one, two) => {
      const [from, to] = [Math.min(one, two), Math.max(one, two)];
      const fromKey = longRows[from]?.key as ByteString;
      const toKey = longRows[to]?.key as ByteString;
      const below = await run.sizeOf({ from: '' as ByteString, to: fromKey });
      const within = await run.sizeOf({ from: fromKey, to: toKey });
      const above = await run.sizeOf({ from: toKey, to: '\xff' as ByteString });
      assert.ok(below >= 0 && within >= 0 && above >= 0);
      assert.equal(below + within + above, whole);
      const rowBytes = (to - from) * (positionEnd + 300);
      // A block more or less, and here, with such long keys, a third more for index blocks of 64 KiB.
      assert.ok(Math.abs(within - rowBytes) < 70_000 + 0.5 * rowBytes, `${within} for about ${rowBytes}`);
    });
    await fc.assert(property, { numRuns: 50 });
    assert.equal(await run.sizeOf({ from: 'z' as ByteString, to: 'a' as ByteString }), 0);
  });
});

test('an empty run has no rows and no size', async () => {
  const run = await runOf([], 32);
  const everything = { from: '' as ByteString, to: '\xff' as ByteString };
  assert.deepEqual(await walk(new RunCursor(run, [everything], false)), []);
  assert.deepEqual(await walk(new RunCursor(run, [everything], true)), []);
  assert.equal(await run.get(soughtKey('a' as ByteString)), undefined);
  assert.equal(await run.sizeOf(everything), 0);
});

test('a cursor reads no more than about a quarter of a megabyte ahead, however long the rows', async () => {
  const disk = new MemoryDisk();
  const file = await disk.createAppendFile('a.run');
  const rows = Array.from({ length: 40 }, (_, n) => ({
    key: String(n).padStart(3, '0') as ByteString,
    value: Buffer.alloc(200_000, n),
  }));
  const writer = new RunWriter(file);
  await writer.append([...encodedParts(rows, 4096)].flat());
  const { sizeBytes, crc } = await writer.finish();
  let longest = 0;
  const watched = {
    readAt: (position: number, length: number) => {
      longest = Math.max(longest, length);
      return file.readAt(position, length);
    },
    close: () => file.close(),
  };
  const run = await Run.open({ number: 1, sequence: 1, sizeBytes, crc }, watched, new IndexCache(0));
  const range = { from: '' as ByteString, to: '\xff' as ByteString };
  assert.equal((await walk(new RunCursor(run, [range], false))).length, 40);
  assert.equal((await walk(new RunCursor(run, [range], true))).length, 40);
  assert.ok(longest < 600_000, `${longest} bytes in one read`);
});

test('what is expected of a run is read at once, and what is wanted beyond it in smaller pieces', async () => {
  const disk = new MemoryDisk();
  const file = await disk.createAppendFile('a.run');
  const rows = Array.from({ length: 400 }, (_, n) => ({
    key: String(n).padStart(3, '0') as ByteString,
    value: Buffer.alloc(1_000, n),
  }));
  const writer = new RunWriter(file);
  await writer.append([...encodedParts(rows, 4096)].flat());
  const { sizeBytes, crc } = await writer.finish();
  let lengths: number[] = [];
  const watched = {
    readAt: (position: number, length: number) => {
      lengths.push(length);
      return file.readAt(position, length);
    },
    close: () => file.close(),
  };
  const run = await Run.open({ number: 1, sequence: 1, sizeBytes, crc }, watched, new IndexCache(2 ** 20));
  assert.equal(run.rows, 400);
  const whole = { from: '' as ByteString, to: '\xff' as ByteString };
  for (const reverse of [false, true]) {
    const cursor = new RunCursor(run, [whole], reverse, 200_000);
    await run.indexBlock(0);
    lengths = [];
    await cursor.load();
    for (let n = 0; n < 190; n++) cursor.advance();
    assert.notEqual(cursor.key, undefined);
    assert.equal(lengths.length, 1);
    assert.deepEqual(
      await walk(new RunCursor(run, [whole], reverse, 200_000)),
      reverse ? rows.toReversed() : rows,
    );
    const [, first = 0, second = 0] = lengths;
    assert.ok(first >= 200_000 && first < 210_000, `${first} bytes at first`);
    assert.ok(second >= 50_000 && second < 60_000, `${second} bytes then`);
  }
  // No more than the range has, whatever was expected.
  lengths = [];
  const few = { from: '100' as ByteString, to: '104' as ByteString };
  assert.equal((await walk(new RunCursor(run, [few], false, 200_000))).length, 4);
  assert.ok(lengths.every((length) => length < 10_000));
});

test('of several runs merged the first that has a key counts, in both directions', async () => {
  const property = fc.asyncProperty(
    fc.array(anyRows, { minLength: 1, maxLength: 5 }),
    anyKey,
    anyKey,
    fc.boolean(),
    async (parts, from, to, reverse) => {
      const runs = await Promise.all(parts.map((rows) => runOf(rows, 30)));
      const merged = new MergedCursors(
        runs.map((run) => new RunCursor(run, [{ from, to }], reverse)),
        reverse,
      );
      const model = new Map(parts.toReversed().flatMap((rows) => rows.map((row) => [row.key, row] as const)));
      const expected = inRanges(inOrder([...model.values()]), [{ from, to }]);
      const found: PlainRow[] = [];
      await merged.load();
      for (let row = merged.current; row !== undefined; row = merged.current) {
        found.push({ key: row.key as ByteString, value: row.row?.value ?? null });
        if (merged.advance()) await merged.load();
      }
      assert.deepEqual(found, reverse ? expected.toReversed() : expected);
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
