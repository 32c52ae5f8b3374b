import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulatedDisk } from './simulated-disk.ts';
import { SimulatedMedium } from './simulated-medium.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { SimulatedTime } from './simulated-time.ts';

interface Bench {
  readonly time: SimulatedTime;
  readonly medium: SimulatedMedium;
  readonly disk: SimulatedDisk;
  readonly process: SimulatedProcess;
  /** Runs the simulated time until the promise has settled. */
  readonly settled: <T>(promise: Promise<T>) => Promise<T>;
}

function bench(seed = 1): Bench {
  const time = new SimulatedTime();
  const medium = new SimulatedMedium(time, seed);
  const settled = async <T>(promise: Promise<T>): Promise<T> => {
    let isSettled = false;
    const end = (): void => {
      isSettled = true;
    };
    promise.then(end, end);
    assert.equal(await time.run(() => isSettled, 10_000), 'reached');
    return promise;
  };
  return { time, medium, disk: new SimulatedDisk(medium), process: new SimulatedProcess(time), settled };
}

test('a power cut keeps what was synced and at most a part of the rest', async () => {
  const lengths = new Set<number>();
  for (let seed = 1; seed <= 40; seed++) {
    const { medium, disk, process, settled } = bench(seed);
    const file = await settled(disk.open(process).createAppendFile('log/1'));
    await settled(file.append([Buffer.from('durable')]));
    await settled(file.sync());
    await settled(file.append([Buffer.from('not synced')]));
    medium.crash('chance');
    disk.crash('power-cut', 'chance');
    const content = disk.file('log/1')?.read(0, 100) ?? Buffer.alloc(0);
    assert.equal(content.subarray(0, 7).toString(), 'durable');
    lengths.add(content.length);
  }
  assert(lengths.has(7) && lengths.has(17) && lengths.size > 2);
});

test('a killed process loses nothing that was written', async () => {
  const { medium, disk, process, settled } = bench();
  const file = await settled(disk.open(process).createAppendFile('log/1'));
  await settled(file.append([Buffer.from('not synced')]));
  medium.crash('chance');
  disk.crash('process-killed', 'chance');
  assert.equal(disk.file('log/1')?.length, 10);
});

test('what a failed sync should have kept is gone after a power cut, even when a later sync succeeds', async () => {
  const { medium, disk, process, settled } = bench();
  const file = await settled(disk.open(process).createAppendFile('log/1'));
  await settled(file.append([Buffer.from('first')]));
  disk.failingSyncs = 1;
  await assert.rejects(settled(file.sync()));
  await settled(file.append([Buffer.from('second')]));
  await settled(file.sync());
  medium.crash('chance');
  disk.crash('power-cut', 'chance');
  assert.equal(disk.file('log/1')?.read(0, 100).toString(), '\0\0\0\0\0second');
});

test('a mute medium does what it is told and never says so; a dead process hears nothing', async () => {
  const { time, medium, disk, process, settled } = bench();
  const file = await settled(disk.open(process).createAppendFile('log/1'));
  medium.hang('mute');
  let isAnswered = false;
  file.append([Buffer.from('kept')]).then(() => {
    isAnswered = true;
  });
  assert.equal(await time.run(() => false, 10_000), 'idle');
  assert.equal(disk.file('log/1')?.length, 4);
  process.kill();
  medium.recover();
  await time.run(() => false, 10_000);
  assert.equal(isAnswered, false);
});

test('a full disk takes a part of a write and refuses it', async () => {
  const { disk, process, settled } = bench();
  const file = await settled(disk.open(process).createAppendFile('log/1'));
  disk.capacityBytes = 3;
  await assert.rejects(settled(file.append([Buffer.from('12345')])), { code: 'ENOSPC' });
  assert.equal(disk.file('log/1')?.length, 3);
});

test('a lost directory is noticed by asking for it, not by writing to its files', async () => {
  const { disk, process, settled } = bench();
  const opened = disk.open(process);
  const file = await settled(opened.createAppendFile('log/1'));
  disk.lose();
  await settled(file.append([Buffer.from('into the void')]));
  await settled(file.sync());
  assert.equal(await settled(opened.isIntact('log/1', 0)), false);
  assert.equal(await settled(opened.list('log')), undefined);
  await assert.rejects(settled(opened.createAppendFile('log/2')), { code: 'ENOENT' });
});
