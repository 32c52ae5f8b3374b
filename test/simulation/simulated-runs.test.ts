import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ByteString } from '../../src/foundation/byte-string.ts';
import { SeededRandom } from '../../src/foundation/random.ts';
import type { StorageEngine } from '../../src/storage/storage-engine.ts';
import { storageEngineContract } from '../contract/storage-engine.contract.ts';
import { during, runOn } from './run-time.ts';
import { type CrashKind, SimulatedDisk } from './simulated-disk.ts';
import { SimulatedMedium } from './simulated-medium.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { runOptionsOf, SimulatedRuns } from './simulated-runs.ts';
import { SimulatedTime } from './simulated-time.ts';

const everything = { from: '' as ByteString, to: '\xff' as ByteString };

/** Runs on a disk whose simulated time runs by itself while `during` is awaited. */
class Bench {
  readonly #time = new SimulatedTime();
  readonly #medium: SimulatedMedium;
  #process = new SimulatedProcess(this.#time);
  readonly disk: SimulatedDisk;
  readonly runs: SimulatedRuns;

  constructor(seed: number) {
    this.#medium = new SimulatedMedium(this.#time, seed);
    this.disk = new SimulatedDisk(this.#medium);
    this.runs = new SimulatedRuns(this.#medium, this.disk, runOptionsOf(new SeededRandom(seed)));
  }

  open(): Promise<StorageEngine> {
    this.#process = new SimulatedProcess(this.#time);
    return this.during(this.runs.openEngine(this.#process));
  }

  destroy(): Promise<void> {
    return this.runs.destroy(new SimulatedProcess(this.#time));
  }

  crash(kind: CrashKind): void {
    this.#process.kill();
    this.#medium.crash('chance');
    this.disk.crash(kind, 'chance');
    this.runs.crash();
  }

  async put(engine: StorageEngine, keys: string, sync: boolean): Promise<void> {
    for (const key of keys) {
      await this.during(engine.write([{ key: Buffer.from(key), value: Buffer.from(key.repeat(50)) }], sync));
    }
  }

  async keysOf(engine: StorageEngine): Promise<string> {
    const rows = await this.during(engine.iterate(everything).next(1_000, 2 ** 20));
    return rows.map(({ key }) => key).join('');
  }

  during<T>(work: Promise<T>): Promise<T> {
    return during(this.#time, work);
  }

  runOn(): () => Promise<void> {
    return runOn(this.#time);
  }
}

storageEngineContract('the run engine on a simulated disk', async () => {
  const bench = new Bench(1);
  const engine = await bench.open();
  return { engine, cleanUp: bench.runOn() };
});

test('a crash leaves what was synced, and of the rest a beginning', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const bench = new Bench(seed);
    const engine = await bench.open();
    await bench.put(engine, 'abcdefgh', true);
    await bench.put(engine, 'ijklmnop', false);
    bench.crash(seed % 2 === 0 ? 'power-cut' : 'process-killed');
    const found = await bench.keysOf(await bench.open());
    assert('abcdefghijklmnop'.startsWith(found) && found.length >= 8, `seed ${seed}: ${found}`);
  }
});

test('what is damaged is refused when it is opened or read, and is damaged until it is destroyed', async () => {
  const damages = ['corruptRun', 'cutRun', 'loseRun', 'corruptManifest', 'loseManifest'] as const;
  for (const damage of damages) {
    for (let seed = 1; seed <= 6; seed++) {
      const bench = new Bench(seed);
      const engine = await bench.open();
      await bench.put(engine, 'abcdefgh', true);
      await bench.during(engine.close());
      assert(!bench.runs.isOpen && !bench.runs.isDamaged);
      assert(bench.runs[damage]());
      assert(bench.runs.isDamaged);
      const reading = bench.open().then((opened) => bench.keysOf(opened));
      await assert.rejects(reading, { code: 'corrupt-data' }, `${damage}, seed ${seed}`);
      bench.crash('process-killed');
      await bench.during(bench.destroy());
      assert(!bench.runs.isDamaged);
      assert.equal(await bench.keysOf(await bench.open()), '');
    }
  }
});

test('a failed change of the files leaves the rows before it or those after it', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const bench = new Bench(seed);
    const engine = await bench.open();
    await bench.put(engine, 'ab', true);
    bench.disk.failingRowWrites = 1;
    await bench.put(engine, 'cdef', true).catch(() => {});
    bench.disk.failingRowWrites = 0;
    bench.crash('power-cut');
    const found = await bench.keysOf(await bench.open());
    assert('abcdef'.startsWith(found) && found.length >= 2, `seed ${seed}: ${found}`);
  }
});
