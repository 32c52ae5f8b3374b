import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ByteString } from '../foundation/byte-string.ts';
import { silentLog } from '../foundation/log.ts';
import { GovernedPartition } from './governed-partition.ts';
import { LogicalPartitionLimit } from './logical-partition-limit.ts';

const maxBytes = 1_000_000;

/** Keys of one byte each, and how large the store says they are; the size of all is that of a key of container 0. */
class Measured {
  readonly sizes = new Map<string, number>();
  readonly partition = new GovernedPartition(3, {
    ruPerSecond: 400,
    budget: undefined,
    shared: undefined,
  });
  nowMs = 0;
  looks: string[] = [];
  fails = false;
  readonly limit = new LogicalPartitionLimit({
    maxBytes,
    clock: { now: () => 0, microseconds: () => 0, monotonic: () => this.nowMs },
    log: silentLog,
    sizeWithin: async (_address, { from, to }) => {
      this.looks.push(from.length === 1 ? from : 'all');
      if (this.fails) throw new Error('no replica');
      return [...this.sizes].reduce((sum, [key, size]) => (key >= from && key < to ? sum + size : sum), 0);
    },
  });

  /** Whether a write to the key is refused; what it looks at is known before the next one. */
  async refuses(key: string): Promise<boolean> {
    const refusal = this.limit.refusal(this.nowMs, this.partition, {
      container: 0,
      prefix: key as ByteString,
    });
    await setImmediate();
    assert.ok(refusal === undefined || refusal.code === 'logical-partition-full');
    return refusal !== undefined;
  }

  async refusesSoon(key: string): Promise<boolean> {
    for (let attempt = 0; attempt < 10; attempt++) {
      this.nowMs += 500;
      await this.refuses(key);
    }
    return this.refuses(key);
  }
}

test('in a physical partition below the limit no key is looked at', async () => {
  const measured = new Measured();
  measured.sizes.set('\0\0\0\0a', maxBytes - 1);
  for (let write = 0; write < 100; write++) assert.equal(await measured.refuses('a'), false);
  assert.deepEqual(measured.looks, ['all']);
});

test('a key that is too large is refused, and the others of its physical partition are not', async () => {
  const measured = new Measured();
  measured.sizes.set('\0\0\0\0a', 3 * maxBytes);
  measured.sizes.set('a', maxBytes);
  measured.sizes.set('b', maxBytes - 1);
  assert.equal(await measured.refusesSoon('a'), true);
  assert.equal(await measured.refusesSoon('b'), false);
  assert.equal(await measured.refusesSoon('c'), false);
  measured.sizes.set('a', 10);
  assert.equal(await measured.refusesSoon('a'), false, 'it is looked at again');
  measured.sizes.set('b', maxBytes);
  assert.equal(await measured.refusesSoon('b'), true);
});

test('however many keys are written, few are looked at, and few are remembered', async () => {
  const measured = new Measured();
  measured.sizes.set('\0\0\0\0a', 3 * maxBytes);
  for (let key = 0; key < 256; key++) measured.sizes.set(String.fromCharCode(key), maxBytes);
  await measured.refuses('a');
  measured.looks = [];
  for (let write = 0; write < 10_000; write++) {
    measured.nowMs += 0.1;
    await measured.refuses(String.fromCharCode(write % 256));
  }
  assert.ok(measured.looks.length < 300, `${measured.looks.length} looks in a second`);
  assert.ok(measured.partition.growth.keys.size <= 100);
});

test('while sizes cannot be told nobody is refused', async () => {
  const measured = new Measured();
  measured.fails = true;
  assert.equal(await measured.refusesSoon('a'), false);
  measured.fails = false;
  measured.sizes.set('\0\0\0\0a', maxBytes);
  measured.sizes.set('a', maxBytes);
  assert.equal(await measured.refusesSoon('a'), true);
  await measured.limit.stop();
});
