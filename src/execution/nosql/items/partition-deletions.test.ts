import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SystemRecord } from '../../../replication/system-records.ts';
import { logicalPartitionOf } from './item-partition-key.ts';
import { sampleContainer } from './item-rows.samples.ts';
import { PartitionDeletions } from './partition-deletions.ts';

class Records {
  readonly stored = new Map<string, unknown>();

  readAll(): Promise<Map<string, unknown>> {
    return Promise.resolve(new Map(this.stored));
  }

  async put(records: readonly SystemRecord[]): Promise<void> {
    await Promise.resolve();
    for (const { id, value } of records) {
      if (value === null) this.stored.delete(id);
      else this.stored.set(id, JSON.parse(JSON.stringify(value)));
    }
  }
}

const container = sampleContainer();
const partition = logicalPartitionOf(container, ['p']);

test('what was deleted is known after a restart', async () => {
  const records = new Records();
  const deletions = await PartitionDeletions.load(records);
  await deletions.delete(container, partition, 5);
  const again = await PartitionDeletions.load(records);
  assert.equal(again.deletedThrough(container.container, partition.prefix), 5);
  assert.ok(deletions.first !== undefined);
  assert.deepEqual(again.first, deletions.first);
});

test('when its items are removed nothing is left of it', async () => {
  const records = new Records();
  const deletions = await PartitionDeletions.load(records);
  await deletions.delete(container, partition, 5);
  const deletion = deletions.first;
  assert.ok(deletion);
  await deletions.end(deletion);
  assert.equal(deletions.deletedThrough(container.container, partition.prefix), 0);
  assert.equal(records.stored.size, 0);
});

test('the end of one deletion never undoes the next, in whichever order they come', async () => {
  for (const isEndFirst of [true, false]) {
    const records = new Records();
    const deletions = await PartitionDeletions.load(records);
    await deletions.delete(container, partition, 5);
    const deletion = deletions.first;
    assert.ok(deletion);
    const works = [() => deletions.end(deletion), () => deletions.delete(container, partition, 9)];
    await Promise.all((isEndFirst ? works : works.reverse()).map((work) => work()));
    assert.equal(deletions.deletedThrough(container.container, partition.prefix), 9);
    assert.equal(records.stored.size, 1);
  }
});
