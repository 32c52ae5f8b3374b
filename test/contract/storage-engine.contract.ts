import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type ByteString, byteStringOf, bytesOf } from '../../src/foundation/byte-string.ts';
import { StoredRow } from '../../src/storage/log/stored-row.ts';
import type { KeyRange, RowIterator, StorageEngine, WriteBatch } from '../../src/storage/storage-engine.ts';
import { StorageEngineContract } from '../../src/storage/storage-engine-contract.ts';

export interface OpenedEngine {
  readonly engine: StorageEngine;
  /** Removes what the engine left behind; called once it is closed. */
  cleanUp(): Promise<void>;
}

const key = (text: string) => text as ByteString;
const everything: KeyRange = { from: key(''), to: key('\xff\xff\xff\xff') };

const put = (rowKey: string, value: string) => ({
  key: bytesOf(key(rowKey)),
  value: Buffer.from(value, 'latin1'),
});
/** As it stands in a log entry: with something before and behind it. */
function sorted(rowKey: string, value: string): StoredRow {
  const chunk = Buffer.from(`before${rowKey}${value}behind`, 'latin1');
  const start = 'before'.length + rowKey.length;
  return new StoredRow(key(rowKey), chunk, start, start + value.length);
}
const sortedRemoval = (rowKey: string) => sorted(rowKey, '');
const remove = (rowKey: string) => ({ key: bytesOf(key(rowKey)), value: undefined });

async function readAll(
  iterator: RowIterator,
  maxRows = 1000,
  maxBytes = 2 ** 20,
): Promise<[string, string][]> {
  const found: [string, string][] = [];
  try {
    for (;;) {
      const page = await iterator.next(maxRows, maxBytes);
      if (page.length === 0) return found;
      for (const row of page) found.push([row.key, row.value.toString('latin1')]);
    }
  } finally {
    await iterator.close();
  }
}

const keysOf = (rows: [string, string][]) => rows.map(([rowKey]) => rowKey);
const numbered = (n: number) => `row-${String(n).padStart(6, '0')}`;

/** What every storage engine must pass. `open` gives a new, empty one each time. */
export function storageEngineContract(name: string, open: () => Promise<OpenedEngine>): void {
  async function withEngine(use: (engine: StorageEngine) => Promise<void>): Promise<void> {
    const { engine, cleanUp } = await open();
    const checked = new StorageEngineContract(engine);
    try {
      await use(checked);
    } finally {
      await checked.close();
      await cleanUp();
    }
  }

  async function withRawEngine(use: (engine: StorageEngine) => Promise<void>): Promise<void> {
    const { engine, cleanUp } = await open();
    try {
      await use(engine);
    } finally {
      await cleanUp();
    }
  }

  describe(`${name} keeps the storage engine contract`, () => {
    test('a row is read as it was written, and is absent before and after', () =>
      withEngine(async (engine) => {
        assert.equal(await engine.get(key('a')), undefined);
        await engine.write([put('a', 'one')], true);
        assert.equal((await engine.get(key('a')))?.toString(), 'one');
        await engine.write([put('a', 'two')], false);
        assert.equal((await engine.get(key('a')))?.toString(), 'two');
        await engine.write([remove('a')], false);
        assert.equal(await engine.get(key('a')), undefined);
      }));

    test('an empty value is a row, and an empty key is a key', () =>
      withEngine(async (engine) => {
        await engine.write([put('', ''), put('a', '')], false);
        assert.equal((await engine.get(key('')))?.length, 0);
        assert.equal((await engine.get(key('a')))?.length, 0);
        assert.deepEqual(await readAll(engine.iterate(everything)), [
          ['', ''],
          ['a', ''],
        ]);
      }));

    test('an empty batch is written', () =>
      withEngine(async (engine) => {
        await engine.write([], true);
        assert.deepEqual(await readAll(engine.iterate(everything)), []);
      }));

    test('of several writes to one key in a batch the last one counts', () =>
      withEngine(async (engine) => {
        await engine.write([put('a', '1'), remove('a'), put('b', '1'), put('a', '2'), remove('b')], false);
        assert.deepEqual(await readAll(engine.iterate(everything)), [['a', '2']]);
      }));

    test('rows come in byte order, bytes from 0x80 included', () =>
      withEngine(async (engine) => {
        const keys = ['\xfe', '\x80', 'a', '\x7f', '\x00', '\x00\x00', 'a\x00', '\xc3\xa9', '\xe9', 'aa'];
        await engine.write(
          keys.map((rowKey) => put(rowKey, 'x')),
          false,
        );
        const inOrder = keys.slice().sort((a, b) => (a < b ? -1 : 1));
        assert.deepEqual(keysOf(await readAll(engine.iterate(everything))), inOrder);
        assert.deepEqual(
          keysOf(await readAll(engine.iterate({ ...everything, reverse: true }))),
          inOrder.reverse(),
        );
      }));

    test('a range holds its start and not its end, in both directions', () =>
      withEngine(async (engine) => {
        await engine.write(
          ['a', 'b', 'c', 'd'].map((rowKey) => put(rowKey, 'x')),
          false,
        );
        const range = { from: key('b'), to: key('d') };
        assert.deepEqual(keysOf(await readAll(engine.iterate(range))), ['b', 'c']);
        assert.deepEqual(keysOf(await readAll(engine.iterate({ ...range, reverse: true }))), ['c', 'b']);
        assert.deepEqual(await readAll(engine.iterate({ from: key('d'), to: key('b') })), []);
        assert.deepEqual(await readAll(engine.iterate({ from: key('b'), to: key('b') })), []);
        assert.deepEqual(await readAll(engine.iterate({ from: key(''), to: key('') })), []);
        assert.deepEqual(keysOf(await readAll(engine.iterate({ from: key('a\x00'), to: key('c\x00') }))), [
          'b',
          'c',
        ]);
      }));

    test('an iterator sees the rows there were when it was made', () =>
      withEngine(async (engine) => {
        await engine.write([put('a', 'old'), put('b', 'old'), put('c', 'old')], false);
        const iterator = engine.iterate(everything);
        await engine.write([put('a', 'new'), remove('b'), put('bb', 'new'), put('d', 'new')], true);
        const first = await iterator.next(1, 2 ** 20);
        await engine.write([remove('c')], false);
        await engine.clear(everything);
        const rest = await readAll(iterator);
        assert.deepEqual(
          first.map((row) => row.value.toString()),
          ['old'],
        );
        assert.deepEqual(rest, [
          ['b', 'old'],
          ['c', 'old'],
        ]);
      }));

    test('rows that are asked of an iterator by their keys are of its moment too', () =>
      withEngine(async (engine) => {
        await engine.write([put('a', '1'), put('b', '1'), put('x', '1')], false);
        const iterator = engine.iterate({ from: key('a'), to: key('c') });
        await engine.write([put('a', '2'), remove('x'), put('c', '2')], false);
        await engine.flush();
        const asked = await iterator.getMany(['a', 'b', 'c', 'x', 'a'].map(key));
        assert.deepEqual(
          asked.map((value) => value?.toString()),
          ['1', '1', undefined, '1', '1'],
        );
        assert.deepEqual(await readAll(iterator), [
          ['a', '1'],
          ['b', '1'],
        ]);
      }));

    test('an iterator made while a batch is being written sees all of it or nothing', () =>
      withEngine(async (engine) => {
        const rows = Array.from({ length: 500 }, (_, n) => numbered(n));
        await engine.write(
          rows.map((rowKey) => put(rowKey, '0')),
          false,
        );
        for (let round = 1; round <= 5; round++) {
          const writing = engine.write(
            rows.map((rowKey) => put(rowKey, String(round))),
            false,
          );
          const seen = await readAll(engine.iterate(everything));
          await writing;
          assert.equal(new Set(seen.map(([, value]) => value)).size, 1);
        }
      }));

    test('pages keep to their rows and bytes, always have a row, and together hold every row once', () =>
      withEngine(async (engine) => {
        const rows = Array.from({ length: 3000 }, (_, n) => numbered(n));
        await engine.write(
          rows.map((rowKey) => put(rowKey, 'x'.repeat(100))),
          false,
        );
        for (const [maxRows, maxBytes] of [
          [1000, 2 ** 20],
          [7, 2 ** 20],
          [1000, 1000],
          [1000, 1],
          [5000, 2 ** 30],
        ] as const) {
          for (const reverse of [false, true]) {
            const expected = reverse ? rows.slice().reverse() : rows;
            assert.deepEqual(
              keysOf(await readAll(engine.iterate({ ...everything, reverse }), maxRows, maxBytes)),
              expected,
            );
          }
        }
      }));

    test('a large value is read whole, from a look-up and from an iterator', () =>
      withEngine(async (engine) => {
        const large = Buffer.alloc(5 * 2 ** 20, 'large');
        await engine.write([{ key: Buffer.from('big'), value: large }, put('c', 'after')], true);
        assert.ok((await engine.get(key('big')))?.equals(large));
        const iterator = engine.iterate(everything);
        const [first] = await iterator.next(10, 1000);
        assert.ok(first?.value.equals(large));
        assert.deepEqual(await readAll(iterator), [['c', 'after']]);
      }));

    test('what a caller does to its buffers after a write does not change the row', () =>
      withEngine(async (engine) => {
        const row = put('a', 'kept');
        await engine.write([row], false);
        row.key.fill(0);
        row.value.fill(0);
        assert.deepEqual(await readAll(engine.iterate(everything)), [['a', 'kept']]);
      }));

    test('one batch, frozen, can be given to several engines', async () => {
      const batch: WriteBatch = Object.freeze([Object.freeze(put('a', '1')), Object.freeze(remove('b'))]);
      await withEngine((one) =>
        withEngine(async (two) => {
          await Promise.all([one.write(batch, true), two.write(batch, true)]);
          assert.deepEqual(await readAll(one.iterate(everything)), await readAll(two.iterate(everything)));
        }),
      );
    });

    test('sorted rows and their marks are read like any others', () =>
      withEngine(async (engine) => {
        await engine.writeSorted(
          [[sorted('b', 'two'), sorted('c', 'three')], [sorted('d\x80', 'four')]],
          [put('\x00mark', '7')],
        );
        const expected: [string, string][] = [
          ['\x00mark', '7'],
          ['b', 'two'],
          ['c', 'three'],
          ['d\x80', 'four'],
        ];
        assert.deepEqual(await readAll(engine.iterate(everything)), expected);
        assert.deepEqual(
          await readAll(engine.iterate({ ...everything, reverse: true }), 1),
          expected.toReversed(),
        );
        for (const [rowKey, value] of expected)
          assert.equal((await engine.get(key(rowKey)))?.toString(), value);
        assert.equal(await engine.get(key('bb')), undefined);
      }));

    test('sorted rows write over older ones and remove them, and are themselves written over', () =>
      withEngine(async (engine) => {
        await engine.writeSorted(
          [[sorted('a', '1'), sorted('b', '1'), sorted('c', '1')]],
          [put('\x00m', '1')],
        );
        await engine.write([put('d', '2'), put('e', '2'), put('b', '2')], false);
        await engine.writeSorted(
          [
            [sorted('a', '3'), sortedRemoval('b')],
            [sortedRemoval('d'), sortedRemoval('none')],
          ],
          [put('\x00m', '3')],
        );
        assert.deepEqual(await readAll(engine.iterate(everything)), [
          ['\x00m', '3'],
          ['a', '3'],
          ['c', '1'],
          ['e', '2'],
        ]);
        assert.equal(await engine.get(key('b')), undefined);
        assert.equal(await engine.get(key('d')), undefined);
        await engine.write([put('b', '4'), remove('a')], true);
        await engine.writeSorted([], [{ key: Buffer.from('\x00m'), value: undefined }]);
        assert.deepEqual(await readAll(engine.iterate(everything)), [
          ['b', '4'],
          ['c', '1'],
          ['e', '2'],
        ]);
      }));

    test('marks may come in any order, the last of equal ones counts, and rows or marks may be missing', () =>
      withEngine(async (engine) => {
        const marks = ['\x00c', '\x00a', '\x00b'];
        for (const round of ['1', '2', '3']) {
          await engine.writeSorted(
            [[], [sorted('r', round)], []],
            [put('\x00b', 'no'), ...marks.map((mark) => put(mark, round))],
          );
          marks.push(marks.shift() as string);
        }
        await engine.writeSorted([], []);
        await engine.writeSorted([[sorted('s', '4')]], []);
        assert.deepEqual(await readAll(engine.iterate(everything)), [
          ['\x00a', '3'],
          ['\x00b', '3'],
          ['\x00c', '3'],
          ['r', '3'],
          ['s', '4'],
        ]);
        for (const mark of marks) assert.equal((await engine.get(key(mark)))?.toString(), '3');
      }));

    test('an iterator does not see sorted rows that are written after it was made', () =>
      withEngine(async (engine) => {
        await engine.writeSorted([[sorted('a', '1'), sorted('b', '1')]], []);
        const iterator = engine.iterate(everything);
        await engine.writeSorted(
          [[sorted('a', '2'), sortedRemoval('b'), sorted('c', '2')]],
          [put('\x00m', '2')],
        );
        assert.deepEqual(await readAll(iterator), [
          ['a', '1'],
          ['b', '1'],
        ]);
      }));

    test('the same slices can be given to several engines', async () => {
      const slices = [[sorted('a', '1'), sortedRemoval('b')], [sorted('c', 'x'.repeat(10_000))]];
      await withEngine((one) =>
        withEngine(async (two) => {
          await two.write([put('b', 'old')], false);
          await Promise.all([one.writeSorted(slices, [put('\x00m', '1')]), two.writeSorted(slices, [])]);
          const [mark, ...rows] = await readAll(one.iterate(everything));
          assert.deepEqual(mark, ['\x00m', '1']);
          assert.deepEqual(await readAll(two.iterate(everything)), rows);
        }),
      );
    });

    test('clear hides what was written before it and nothing that is written later', () =>
      withEngine(async (engine) => {
        await engine.writeSorted([[sorted('a', '1'), sorted('b', '1'), sorted('c', '1')]], []);
        await engine.write([put('bb', '1')], false);
        await engine.clear({ from: key('b'), to: key('c') });
        await engine.clear({ from: key('b'), to: key('bb') });
        assert.equal(await engine.get(key('bb')), undefined);
        await engine.write([put('bb', '2')], false);
        await engine.writeSorted([[sorted('b', '2')]], []);
        assert.deepEqual(await readAll(engine.iterate(everything)), [
          ['a', '1'],
          ['b', '2'],
          ['bb', '2'],
          ['c', '1'],
        ]);
      }));

    test('clear removes the rows of its range and no other', () =>
      withEngine(async (engine) => {
        const rows = Array.from({ length: 2000 }, (_, n) => numbered(n));
        await engine.write(
          rows.map((rowKey) => put(rowKey, 'x')),
          false,
        );
        await engine.clear({ from: key(numbered(10)), to: key(numbered(1990)) });
        const left = keysOf(await readAll(engine.iterate(everything)));
        assert.deepEqual(left, [...rows.slice(0, 10), ...rows.slice(1990)]);
        await engine.clear({ from: key('z'), to: key('a') });
        assert.equal((await readAll(engine.iterate(everything))).length, 20);
      }));

    test('the size of an empty range is nothing', () =>
      withEngine(async (engine) => {
        await engine.write([put('a', 'x'.repeat(1000))], true);
        assert.equal(await engine.approximateSize({ from: key('b'), to: key('c') }), 0);
      }));

    test('many reads at once each get their own row', () =>
      withEngine(async (engine) => {
        await engine.write(
          Array.from({ length: 300 }, (_, n) => put(numbered(n), String(n))),
          false,
        );
        const values = await Promise.all(Array.from({ length: 600 }, (_, n) => engine.get(key(numbered(n)))));
        assert.deepEqual(
          values.map((value) => value?.toString()),
          Array.from({ length: 600 }, (_, n) => (n < 300 ? String(n) : undefined)),
        );
      }));

    test('close waits for what was asked before it', () =>
      withRawEngine(async (engine) => {
        await engine.write([put('a', '1')], false);
        let answered = 0;
        const iterator = engine.iterate(everything);
        const running = [
          engine.write([put('b', '1')], true),
          iterator.next(10, 1000),
          ...Array.from({ length: 300 }, () => engine.get(key('a'))),
        ].map((call) => call.then(() => answered++));
        await engine.close();
        assert.equal(answered, 302);
        await Promise.all(running);
      }));

    test('a closed engine and its iterators refuse every call', () =>
      withRawEngine(async (engine) => {
        const iterator = engine.iterate(everything);
        await engine.close();
        await assert.rejects(engine.get(key('a')));
        await assert.rejects(engine.write([put('a', '1')], false));
        await assert.rejects(engine.clear(everything));
        await assert.rejects(engine.approximateSize(everything));
        await assert.rejects(iterator.next(1, 1));
        assert.throws(() => engine.iterate(everything));
        assert.equal(engine.lacks(key('a')), false);
      }));

    test('after any batches the rows are those of a Map given the same', async () => {
      const rowKey = fc
        .uint8Array({ maxLength: 3 })
        .map((bytes) => Buffer.from(bytes.map((byte) => byte & 0x83)));
      const value = fc.option(
        fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes)),
        { nil: undefined },
      );
      const batches = fc.array(fc.array(fc.record({ key: rowKey, value }), { maxLength: 20 }), {
        maxLength: 8,
      });
      const property = fc.asyncProperty(batches, rowKey, rowKey, fc.boolean(), (writes, from, to, reverse) =>
        withEngine(async (engine) => {
          const model = new Map<string, string>();
          for (const batch of writes) {
            await engine.write(batch, false);
            for (const { key, value } of batch) {
              if (value === undefined) model.delete(byteStringOf(key));
              else model.set(byteStringOf(key), value.toString('latin1'));
            }
          }
          const range = { from: byteStringOf(from), to: byteStringOf(to), reverse };
          const expected = [...model].filter(([k]) => k >= range.from && k < range.to);
          expected.sort(([a], [b]) => (a < b ? -1 : 1) * (reverse ? -1 : 1));
          assert.deepEqual(await readAll(engine.iterate(range), 3), expected);
        }),
      );
      await fc.assert(property, { numRuns: 25 });
    });
  });
}
