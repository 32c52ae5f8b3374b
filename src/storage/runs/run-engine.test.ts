import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { storageEngineContract } from '../../../test/contract/storage-engine.contract.ts';
import {
  contentOf,
  mergerWith,
  openEngine,
  put,
  remove,
  sortedRow,
  tinyOptions,
} from '../../../test/support/engine-rows.ts';
import { MortalDisk } from '../../../test/support/mortal-disk.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { MemoryDisk } from '../memory/memory-disk.ts';
import { mergerOn } from './merge-runs.ts';
import { defaultRunEngineOptions, RunEngine } from './run-engine.ts';

for (const [name, options] of [
  ['the run engine', defaultRunEngineOptions],
  ['the run engine with tiny blocks and runs', tinyOptions],
] as const) {
  storageEngineContract(name, async () => {
    const disk = new MemoryDisk();
    return { engine: await RunEngine.open(disk, mergerOn(disk), options), cleanUp: async () => {} };
  });
}

const key = (text: string) => text as ByteString;
const everything = { from: key(''), to: key('\xff\xff\xff\xff') };
const numbered = (n: number) => `row-${String(n).padStart(4, '0')}`;

/** A merger that does nothing before it is let go. */
function heldMerger(disk: MortalDisk) {
  let letGo = () => {};
  let begun = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const merger = mergerWith(disk, async () => {
    begun();
    await held;
  });
  return { merger, letGo: () => letGo(), isBegun };
}

/** Waits until no merge is under way any more. */
async function untilQuiet(disk: MortalDisk): Promise<void> {
  for (let seen = -1; seen !== disk.changes; ) {
    seen = disk.changes;
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(disk.changes < 5_000, 'merging comes to an end');
  }
}

const runFiles = (disk: MortalDisk): string[] =>
  [...disk.files.keys()].filter((path) => path.endsWith('.run'));

test('that there is no row is said at once where the filters say so, and never of a row that is there', async () => {
  const disk = new MortalDisk();
  const engine = await openEngine(disk, mergerOn(disk), { ...tinyOptions, indexCacheBytes: 10 ** 6 });
  const absent = (n: number) => key(`${numbered(n)}x`);
  for (let n = 0; n < 100; n += 10) {
    await engine.write(
      Array.from({ length: 10 }, (_, one) => put(numbered(n + one), 'here')),
      true,
    );
  }
  await engine.write([remove(numbered(0)), put('unsaved', 'here')], false);
  // The index is in memory once it was looked at.
  for (let n = 0; n < 100; n++) await engine.get(absent(n));
  assert.ok(!engine.lacks(key('unsaved')) && engine.lacks(key(numbered(0))));
  for (let n = 1; n < 100; n++) assert.equal(engine.lacks(key(numbered(n))), false);
  const known = Array.from({ length: 100 }, (_, n) => n).filter((n) => engine.lacks(absent(n)));
  assert.ok(known.length > 80, `only ${known.length} of 100`);
  await engine.clear({ from: key(numbered(50)), to: key(numbered(60)) });
  assert.ok(engine.lacks(key(numbered(55))) && !engine.lacks(key(numbered(60))));
  await engine.close();
});

describe('runs are merged', () => {
  test('and hold the same rows afterwards, in few files', async () => {
    const disk = new MortalDisk();
    const engine = await openEngine(disk);
    const model = new Map<string, string>();
    for (let round = 0; round < 60; round++) {
      const batch = [0, 1, 2].map((n) => put(numbered((round * 7 + n * 13) % 50), `${round}.${n}`));
      for (const { key: rowKey, value } of batch) model.set(rowKey.toString(), value.toString());
      const gone = numbered((round * 5) % 50);
      batch.push(remove(gone));
      model.delete(gone);
      await engine.write(batch, true);
    }
    await untilQuiet(disk);
    assert.deepEqual(await contentOf(engine), new Map([...model].sort()));
    assert.ok(runFiles(disk).length < 15, `${runFiles(disk).length} files`);
    await engine.close();
    assert.equal(disk.openFiles, 0);
  });

  test('and nothing is left when all rows were removed or cleared', async () => {
    const disk = new MortalDisk();
    const engine = await openEngine(disk);
    for (let n = 0; n < 20; n++) await engine.write([put(numbered(n), 'x')], true);
    await engine.clear(everything);
    for (let n = 0; n < 20; n++) await engine.write([remove(numbered(n))], true);
    await untilQuiet(disk);
    assert.deepEqual(await contentOf(engine), new Map());
    assert.ok(runFiles(disk).length < tinyOptions.fanIn, `${runFiles(disk).length} files`);
    await engine.close();
    assert.equal(disk.openFiles, 0);
  });

  test('while rows are read, written and cleared', async () => {
    const disk = new MortalDisk();
    const { merger, letGo, isBegun } = heldMerger(disk);
    const engine = await openEngine(disk, merger);
    for (let n = 0; n < tinyOptions.fanIn; n++)
      await engine.write([put('a', `old ${n}`), put('b', `old ${n}`), put(numbered(n), 'x')], true);
    await isBegun;
    const before = engine.iterate(everything);
    const expected = await contentOf(engine);
    await engine.clear({ from: key('b'), to: key('c') });
    await engine.write([put('a', 'new')], true);
    const between = engine.iterate(everything);
    await engine.write([put('b', 'after clear')], false);
    const now = new Map([...expected, ['a', 'new'], ['b', 'after clear']]);
    letGo();
    await untilQuiet(disk);
    assert.deepEqual(await contentOf(engine), now);
    assert.equal((await engine.get(key('b')))?.toString(), 'after clear');
    assert.deepEqual(await contentOf(engine, before), expected);
    now.delete('b');
    assert.deepEqual(await contentOf(engine, between), now);
    await engine.close();
    const again = await openEngine(new MortalDisk(disk.remains('power cut')));
    assert.deepEqual(await contentOf(again), now);
    await again.close();
  });

  test('and a range that was cleared stays so, whatever is merged with what', async () => {
    const disk = new MortalDisk();
    const engine = await openEngine(disk);
    const model = new Map<string, string>();
    for (let round = 0; round < 40; round++) {
      await engine.write([put(numbered(round % 10), `${round}`), put('z', `${round}`)], true);
      model.set(numbered(round % 10), `${round}`).set('z', `${round}`);
      if (round % 6 === 5) {
        await engine.clear({ from: key(numbered(2)), to: key(numbered(6)) });
        for (let n = 2; n < 6; n++) model.delete(numbered(n));
      }
      assert.deepEqual(await contentOf(engine), new Map([...model].sort()), `round ${round}`);
    }
    await engine.close();
  });

  test('and what was cleared leaves the disk, once', async () => {
    const disk = new MortalDisk();
    const engine = await openEngine(disk, undefined, { ...tinyOptions, fanIn: 100, maxRuns: 200 });
    await engine.writeSorted(
      [Array.from({ length: 200 }, (_, n) => sortedRow(numbered(n), 'x'.repeat(50)))],
      [put('mark', '1')],
    );
    await engine.clear({ from: key('row'), to: key('rox') });
    await untilQuiet(disk);
    const left = runFiles(disk).reduce((sum, path) => sum + (disk.files.get(path)?.sizeBytes ?? 0), 0);
    assert.ok(left < 1_000, `${left} bytes`);
    assert.deepEqual(await contentOf(engine), new Map([['mark', '1']]));
    await engine.close();
  });
});

describe('an engine that is closed', () => {
  test('while a merge runs leaves the runs as they were, and no file open', async () => {
    const disk = new MortalDisk();
    const { merger, letGo, isBegun } = heldMerger(disk);
    const engine = await openEngine(disk, merger);
    for (let n = 0; n < tinyOptions.fanIn; n++) await engine.write([put(numbered(n), 'x')], true);
    await isBegun;
    const closed = engine.close();
    letGo();
    await closed;
    assert.equal(disk.openFiles, 0);
    const again = await openEngine(new MortalDisk(disk.remains('kill')));
    assert.equal((await contentOf(again)).size, tinyOptions.fanIn);
    await again.close();
  });

  test('changes nothing on disk afterwards, whatever it was doing', async () => {
    for (let turns = 0; turns < 40; turns++) {
      const disk = new MortalDisk();
      const engine = await openEngine(disk);
      for (let n = 0; n < tinyOptions.fanIn; n++) await engine.write([put(numbered(n), 'x')], true);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await engine.close();
      const { changes } = disk;
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(disk.changes, changes, `closed after ${turns} turns`);
      assert.equal(disk.openFiles, 0);
    }
  });

  test('does not touch the folder when its last iterator is closed later', async () => {
    const disk = new MortalDisk();
    const engine = await openEngine(disk);
    await engine.write([put('a', '1')], true);
    const iterator = engine.iterate(everything);
    for (let n = 0; n < 10; n++) await engine.write([put(numbered(n), 'x')], true);
    await untilQuiet(disk);
    await engine.close();
    const { changes } = disk;
    await iterator.close();
    await untilQuiet(disk);
    assert.equal(disk.changes, changes);
    assert.equal(disk.openFiles, 0);
  });

  test('keeps what it said to be durable; what it only had in memory may be gone', async () => {
    const disk = new MortalDisk();
    const engine = await openEngine(disk);
    await engine.write([put('a', '1')], false);
    await engine.flush();
    await engine.write([put('b', '2')], false);
    await engine.close();
    const again = await openEngine(new MortalDisk(disk.remains('power cut')));
    assert.equal((await again.get(key('a')))?.toString(), '1');
    await again.close();
  });
});

test('a look at whether all is sound keeps no run that is merged away while it rests', async () => {
  const disk = new MortalDisk();
  const { merger, letGo } = heldMerger(disk);
  const engine = await openEngine(disk, merger);
  for (let n = 0; n < tinyOptions.fanIn; n++) await engine.write([put(numbered(n), 'x')], true);
  assert.equal(runFiles(disk).length, tinyOptions.fanIn);
  let filesAtRest = 0;
  const isIntact = await engine.isIntact(async () => {
    letGo();
    await untilQuiet(disk);
    filesAtRest = runFiles(disk).length;
  });
  assert.equal(isIntact, true);
  assert.equal(filesAtRest, 1);
  await engine.close();
});

test('closing does not wait for a look at whether all is sound to rest', async () => {
  const disk = new MortalDisk();
  const engine = await openEngine(disk);
  for (let n = 0; n < 2; n++) await engine.write([put(numbered(n), 'x')], true);
  const looking = engine.isIntact(() => new Promise(() => {}));
  // It reads a block and has not come to its first rest.
  await engine.close();
  assert.equal(await looking, true);
});

describe('a merge that fails', () => {
  test('is the end of writing, and is told as it was; what is there can still be read', async () => {
    const disk = new MortalDisk();
    const reason = Object.assign(new Error('input/output error'), { code: 'EIO' });
    const engine = await openEngine(disk, { merge: () => Promise.reject(reason) });
    for (let n = 0; n < tinyOptions.fanIn; n++) await engine.write([put(numbered(n), 'x')], true);
    await untilQuiet(disk);
    await assert.rejects(engine.write([put('z', 'x')], true), reason);
    await assert.rejects(engine.clear(everything), reason);
    assert.equal((await contentOf(engine)).size, tinyOptions.fanIn);
    assert.equal(await engine.isIntact(async () => {}), true);
    await engine.close();
    assert.equal(disk.openFiles, 0);
  });

  test('for want of room is tried again later, and leaves nothing behind', async () => {
    const disk = new MortalDisk();
    let refusals = 3;
    const engine = await openEngine(disk, {
      merge: async (job, cancel) => {
        if (refusals-- <= 0) return mergerOn(disk).merge(job, cancel);
        await (await disk.createAppendFile(job.outputPath)).close();
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      },
    });
    for (let n = 0; n < 12; n++) await engine.write([put(numbered(n), 'x')], true);
    await untilQuiet(disk);
    assert.ok(refusals < 0);
    assert.equal((await contentOf(engine)).size, 12);
    assert.ok(runFiles(disk).length < 12);
    await engine.close();
    const known = JSON.parse((disk.files.get('rows/manifest')?.remains('kill') ?? '').toString().slice(9));
    assert.equal(runFiles(disk).length, known.runs.length);
  });

  test('is not begun where there is no room for it', async () => {
    const disk = new MortalDisk();
    disk.freeBytes = async () => 100;
    const engine = await openEngine(disk, { merge: () => Promise.reject(new Error('no room was seen')) });
    for (let n = 0; n < 12; n++) await engine.write([put(numbered(n), 'x')], true);
    assert.equal((await contentOf(engine)).size, 12);
    await engine.close();
  });
});

test('a store that is opened to be read is not changed, and not written', async () => {
  const disk = new MortalDisk();
  const engine = await openEngine(disk, { merge: async () => undefined });
  for (let n = 0; n < 12; n++) await engine.write([put(numbered(n), 'x')], true);
  await engine.close();
  const files = disk.remains('kill').set('rows/00009999.run', Buffer.from('left over'));
  const same = new MortalDisk(files);
  const reader = await RunEngine.openReadOnly(same, tinyOptions);
  assert.equal((await contentOf(reader)).size, 12);
  await assert.rejects(reader.write([put('a', '1')], true));
  await reader.close();
  assert.equal(same.changes, 0);
  await assert.rejects(RunEngine.openReadOnly(new MortalDisk(), tinyOptions), { code: 'corrupt-data' });
});

test('runs without a manifest are not taken for an empty store', async () => {
  const files = new Map([['rows/00000001.run', Buffer.from('a run')]]);
  const disk = new MortalDisk(files);
  await assert.rejects(openEngine(disk), { code: 'corrupt-data' });
  assert.deepEqual(disk.remains('kill'), files);
});

test('an iterator that failed does not look as if it had come to its end', async () => {
  const disk = new MortalDisk();
  const engine = await openEngine(disk);
  await engine.writeSorted(
    [Array.from({ length: 200 }, (_, n) => sortedRow(numbered(n), 'x'.repeat(50)))],
    [],
  );
  const iterator = engine.iterate(everything);
  await iterator.next(5, 1000);
  disk.isDead = true;
  await assert.rejects(async () => {
    for (let page = 0; page < 200; page++) await iterator.next(10, 1000);
  });
  await assert.rejects(iterator.next(10, 1000));
  disk.isDead = false;
  await iterator.close();
  await engine.close();
});
