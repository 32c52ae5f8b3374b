import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ByteString, bytesOf } from '../../src/foundation/byte-string.ts';
import type { StorageEngine } from '../../src/storage/storage-engine.ts';
import { storageEngineContract } from '../contract/storage-engine.contract.ts';
import { during, runOn } from './run-time.ts';
import { SimulatedEngine } from './simulated-engine.ts';
import { SimulatedMedium } from './simulated-medium.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { SimulatedRows } from './simulated-rows.ts';
import { SimulatedTime } from './simulated-time.ts';

/** A row store whose simulated time runs by itself while `during` is awaited. */
class Bench {
  readonly #time = new SimulatedTime();
  readonly #medium: SimulatedMedium;
  readonly rows: SimulatedRows;

  constructor(seed: number, writeBufferBytes: number) {
    this.#medium = new SimulatedMedium(this.#time, seed);
    this.rows = new SimulatedRows(this.#medium, writeBufferBytes);
  }

  open(): Promise<StorageEngine> {
    const process = new SimulatedProcess(this.#time);
    return this.during(SimulatedEngine.open(this.rows, this.#medium, process, () => true));
  }

  during<T>(work: Promise<T>): Promise<T> {
    return during(this.#time, work);
  }

  runOn(): () => Promise<void> {
    return runOn(this.#time);
  }
}

storageEngineContract('the simulated engine', async () => {
  const bench = new Bench(1, 1_000);
  const stop = bench.runOn();
  return { engine: await bench.open(), cleanUp: stop };
});

async function putAll(bench: Bench, engine: StorageEngine, keys: string, sync: boolean): Promise<void> {
  for (const key of keys) {
    await bench.during(engine.write([{ key: Buffer.from(key), value: Buffer.from(key) }], sync));
  }
}

function keysOf(bench: Bench): string {
  let keys = '';
  const cursor = bench.rows.rows.cursor('' as ByteString, undefined);
  for (let row = cursor.next(); row !== undefined; row = cursor.next()) keys += bytesOf(row.key).toString();
  return keys;
}

test('after a failed append batches are acknowledged as synced, read, and gone at the next opening', async () => {
  const bench = new Bench(1, 10_000);
  const engine = await bench.open();
  await putAll(bench, engine, 'ab', true);
  bench.rows.failingWrites = 1;
  await assert.rejects(putAll(bench, engine, 'c', true));
  await putAll(bench, engine, 'de', true);
  assert.equal(keysOf(bench), 'abde');
  bench.rows.crash('process-killed');
  await bench.open();
  assert.equal(keysOf(bench), 'ab');
});

test('unsynced batches vanish from their end at a power cut', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const bench = new Bench(seed, 10_000);
    const engine = await bench.open();
    await putAll(bench, engine, 'ab', true);
    await putAll(bench, engine, 'cde', false);
    bench.rows.crash('power-cut');
    await bench.open();
    assert('abcde'.startsWith(keysOf(bench)) && keysOf(bench).startsWith('ab'));
  }
});

test('a flipped byte in the journal loses batches out of its middle, and none that have reached a table', async () => {
  const bench = new Bench(3, 30);
  const engine = await bench.open();
  await putAll(bench, engine, 'abcdefghijklmnopqrstuvwxyz', true);
  assert(bench.rows.corruptJournal());
  bench.rows.crash('process-killed');
  await bench.open();
  assert(keysOf(bench).length < 26);
  assert(keysOf(bench).startsWith('abcdefghijklmnopqrst'));
});
