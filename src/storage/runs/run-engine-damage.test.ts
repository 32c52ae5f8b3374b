import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  contentOf,
  openEngine,
  put,
  remove,
  sortedRow,
  tinyOptions,
} from '../../../test/support/engine-rows.ts';
import { MortalDisk } from '../../../test/support/mortal-disk.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { RunEngine } from './run-engine.ts';

const all = { from: '' as ByteString, to: '\xff\xff\xff\xff' as ByteString };
const asked = ['', '\0mark', 'a', 'b', 'bb', 'c', 'd', 'e', 'f', 'g', 'zz'];

/** Three runs with several blocks, removals, something cleared, and rows over rows; nothing merged. */
async function smallStore(): Promise<Map<string, Buffer>> {
  const disk = new MortalDisk();
  const engine = await openEngine(disk, { merge: async () => undefined });
  await engine.writeSorted(
    [['a', 'b', 'c', 'd', 'e'].map((key) => sortedRow(key, key.repeat(30)))],
    [put('\0mark', '1')],
  );
  await engine.clear({ from: 'd' as ByteString, to: 'e' as ByteString });
  await engine.write([put('a', 'newer'), remove('b'), put('f', '')], true);
  await engine.writeSorted([[sortedRow('c', 'newest'), sortedRow('e'), sortedRow('g', 'new')]], []);
  await engine.close();
  return disk.remains('power cut');
}

const isDamage = (error: unknown): boolean => error instanceof RingfoldError && error.code === 'corrupt-data';

async function damageOr<T>(call: () => Promise<T>): Promise<T | 'damage'> {
  try {
    return await call();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return 'damage';
  }
}

interface Answers {
  readonly rows: ReadonlyMap<string, string>;
}

/** Every way to read gives the right rows, or says that something is damaged. True when any did. */
async function isNoticed(
  files: ReadonlyMap<string, Buffer>,
  { rows }: Answers,
  name: string,
): Promise<boolean> {
  const disk = new MortalDisk(files);
  const opened = await damageOr(() => RunEngine.openReadOnly(disk, tinyOptions));
  if (opened === 'damage') {
    assert.equal(disk.openFiles, 0, `${name}: files stay open`);
    return true;
  }
  const engine: RunEngine = opened;
  let hasNoticed = false;
  for (const key of asked) {
    const value = await damageOr(() => engine.get(key as ByteString));
    if (value === 'damage') hasNoticed = true;
    else assert.equal(value?.toString('latin1'), rows.get(key), `${name}: ${JSON.stringify(key)}`);
  }
  for (const reverse of [false, true]) {
    const found = await damageOr(() => contentOf(engine, engine.iterate({ ...all, reverse })));
    if (found === 'damage') hasNoticed = true;
    else assert.deepEqual([...found], reverse ? [...rows].reverse() : [...rows], name);
  }
  const isIntact = await engine.isIntact(async () => {});
  await engine.close();
  return hasNoticed || !isIntact;
}

test('a flipped bit anywhere never gives a wrong row, and is noticed', async () => {
  const files = await smallStore();
  const whole = await openEngine(new MortalDisk(files), { merge: async () => undefined });
  const rows = await contentOf(whole);
  await whole.close();
  assert.deepEqual([...rows.keys()], ['\0mark', 'a', 'c', 'f', 'g']);
  assert.equal(await isNoticed(files, { rows }, 'undamaged'), false);
  for (const [path, bytes] of files) {
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ (1 << ((at * 5) % 8));
      const name = `${path}, byte ${at}`;
      const hasNoticed = await isNoticed(new Map(files).set(path, damaged), { rows }, name);
      // The last byte of a manifest is white space, whatever it is.
      assert.ok(
        hasNoticed || (path.endsWith('manifest') && at === bytes.length - 1),
        `${name} was not noticed`,
      );
    }
  }
});

test('a file that is gone, empty or cut off anywhere never gives a wrong row, and is damage', async () => {
  const files = await smallStore();
  const engine = await RunEngine.openReadOnly(new MortalDisk(files), tinyOptions);
  const rows = await contentOf(engine);
  await engine.close();
  for (const [path, bytes] of files) {
    const without = new Map(files);
    without.delete(path);
    await assert.rejects(openEngine(new MortalDisk(without)), isDamage, `without ${path}`);
    for (let length = 0; length < bytes.length - 1; length += 1 + (length >>> 4)) {
      const name = `${path} cut to ${length}`;
      const cut = new Map(files).set(path, bytes.subarray(0, length));
      assert.ok(await isNoticed(cut, { rows }, name), name);
    }
  }
});

test('a stretch of a file that holds an older state, or that of another place, never gives a wrong row', async () => {
  const files = await smallStore();
  const engine = await RunEngine.openReadOnly(new MortalDisk(files), tinyOptions);
  const rows = await contentOf(engine);
  await engine.close();
  const stretch = 128;
  const runs = [...files].filter(([path]) => path.endsWith('.run'));
  for (const [path, bytes] of runs) {
    for (const [, source] of runs) {
      for (let to = 0; to < bytes.length; to += stretch) {
        for (let from = 0; from < source.length; from += stretch) {
          const damaged = Buffer.from(bytes);
          source.copy(damaged, to, from, from + stretch);
          await isNoticed(new Map(files).set(path, damaged), { rows }, `${path}: ${from} at ${to}`);
        }
      }
    }
    // One whole run in the place of another, as a stray copy would do.
    for (const [other, source] of runs) {
      if (other !== path) await isNoticed(new Map(files).set(path, source), { rows }, `${other} as ${path}`);
    }
  }
});

test('a merge that meets damage leaves everything as it was and is told as damage', async () => {
  const files = await smallStore();
  const [path, bytes] = [...files].find(([name]) => name.endsWith('.run')) ?? assert.fail();
  const damaged = Buffer.from(bytes);
  damaged[20] = (damaged[20] as number) ^ 1;
  const disk = new MortalDisk(new Map(files).set(path, damaged));
  const engine = await openEngine(disk);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(engine.write([put('later', 'x')], true), isDamage);
  assert.equal(await engine.isIntact(async () => {}), false);
  await engine.close();
  assert.equal(disk.openFiles, 0);
  for (const [name, content] of files)
    if (name !== path) assert.deepEqual(disk.remains('kill').get(name), content);
});
