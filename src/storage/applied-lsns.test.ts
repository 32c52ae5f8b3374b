import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ByteString, byteStringOf, bytesOf } from '../foundation/byte-string.ts';
import { containerPrefix } from '../partitioning/logical-partition.ts';
import { appliedLsnRemoval, appliedLsnWrite, readAppliedLsns } from './applied-lsns.ts';
import { MemoryEngine } from './memory/memory-engine.ts';

const u48 = fc.nat({ max: 2 ** 48 - 1 });

test('what was written last of each partition is read back, and what was removed is not', async () => {
  const lsns = fc.uniqueArray(fc.tuple(u48, u48), { selector: ([partition]) => partition, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(lsns, fc.nat({ max: 20 }), async (written, removed) => {
      const engine = new MemoryEngine();
      await engine.write(
        written.map(([partition]) => appliedLsnWrite(partition, 1)),
        false,
      );
      await engine.write(
        written.map(([partition, lsn]) => appliedLsnWrite(partition, lsn)),
        false,
      );
      await engine.write(
        written.slice(0, removed).map(([partition]) => appliedLsnRemoval(partition)),
        false,
      );
      assert.deepEqual(
        await readAppliedLsns(engine),
        new Map(written.slice(removed).sort(([a], [b]) => a - b)),
      );
    }),
  );
});

test('a record with any flipped bit is left out, and so is one that stands under another key', async () => {
  const { key, value } = appliedLsnWrite(77, 1234);
  assert(value !== undefined);
  const whole = Buffer.concat([key, value]);
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const flipped: Buffer = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    const engine = new MemoryEngine();
    await engine.write(
      [{ key: flipped.subarray(0, key.length), value: flipped.subarray(key.length) }],
      false,
    );
    assert.equal((await readAppliedLsns(engine)).size, 0, `bit ${bit}`);
  }
});

test('rows of containers are not taken for such records', async () => {
  const engine = new MemoryEngine();
  const { value } = appliedLsnWrite(1, 1);
  const row = bytesOf(`${containerPrefix(1)}123456` as ByteString);
  await engine.write(
    [
      { key: row, value },
      { key: bytesOf(containerPrefix(0)), value: Buffer.alloc(3) },
    ],
    false,
  );
  assert.equal((await readAppliedLsns(engine)).size, 0);
  assert(byteStringOf(appliedLsnWrite(1, 1).key) < containerPrefix(1), 'they sort before all rows');
});

test('more partitions than one page of the engine holds are all read', async () => {
  const engine = new MemoryEngine();
  await engine.write(
    Array.from({ length: 2_500 }, (_, index) => appliedLsnWrite(index, index)),
    false,
  );
  assert.equal((await readAppliedLsns(engine)).size, 2_500);
});
