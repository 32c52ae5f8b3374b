import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { PartitionAddress, ReadOutcome } from '../../../storage/partition-store.ts';
import { encodeStoredItem } from '../../../values/stored-item.ts';
import { sampleContainer } from '../items/item-rows.samples.ts';
import type { FoundEntry } from './index-cursor.ts';
import { ItemLoader } from './load-items.ts';

const entries = (count: number): FoundEntry[] =>
  Array.from({ length: count }, (_, rid) => ({
    value: '' as ByteString,
    rid,
    key: `item ${rid}` as ByteString,
    physicalPartition: 0,
  }));

const rowOf = (rid: number, payloadBytes: number): Buffer =>
  encodeStoredItem({
    kind: 'json-item',
    timestamp: 1,
    ttlSeconds: undefined,
    rid,
    payload: Buffer.alloc(payloadBytes),
  });

/** Rows that are read together are answered together; `rounds` has how many those were. */
class SlowRows {
  readonly rounds: number[] = [];
  readonly #answer: (rid: number) => ReadOutcome;
  #waiting = 0;
  #round = Promise.resolve();

  constructor(answer: (rid: number) => ReadOutcome) {
    this.#answer = answer;
  }

  readCached(_: PartitionAddress, key: ByteString): Buffer | undefined {
    return key === 'item 0' ? rowOf(0, 10) : undefined;
  }

  async read(_: PartitionAddress, key: ByteString): Promise<ReadOutcome> {
    if (this.#waiting === 0)
      this.#round = new Promise((resolve) =>
        setImmediate(() => {
          this.rounds.push(this.#waiting);
          this.#waiting = 0;
          resolve();
        }),
      );
    this.#waiting++;
    await this.#round;
    return this.#answer(Number(key.slice(5)));
  }
}

const read = (value: Buffer | null): ReadOutcome => ({
  kind: 'read',
  value,
  mark: { partition: 0, lsn: 0 } as never,
  certainty: 'settled',
});

function loaderOf(rows: SlowRows): ItemLoader {
  return new ItemLoader(rows, { monotonic: () => 0 }, sampleContainer(), () => true);
}

test('rows are read many at once, as soon as it is known that they are small', async () => {
  const rows = new SlowRows((rid) => read(rid === 50 ? null : rowOf(rid === 60 ? 61 : rid, 1_000)));
  const loaded = await loaderOf(rows).load(entries(150));
  assert(loaded !== 'moved');
  assert.equal(loaded.taken, 150);
  // One that is gone and one that is another item now are left out.
  assert.deepEqual(
    loaded.items.map(({ entry }) => entry.rid),
    [...Array(150).keys()].filter((rid) => rid !== 50 && rid !== 60),
  );
  assert.deepEqual(rows.rounds, [15, 48, 48, 38]);
});

test('large rows are not read many at once, and what is enough leaves the others for later', async () => {
  const rows = new SlowRows((rid) => read(rowOf(rid, 60_000)));
  const loaded = await loaderOf(rows).load(entries(150));
  assert(loaded !== 'moved');
  assert.deepEqual(rows.rounds, [15, 3]);
  assert.equal(loaded.taken, 19);
  assert.equal(loaded.items.length, 19);
});

test('several rows that cannot be read fail the load once, and one that has moved ends it', async () => {
  const error = new RingfoldError('stopping');
  const refused = new SlowRows(() => ({ kind: 'refused', error }));
  await assert.rejects(loaderOf(refused).load(entries(10)), error);
  const moved = new SlowRows((rid) => (rid === 5 ? { kind: 'moved', mapVersion: 1 } : read(rowOf(rid, 10))));
  assert.equal(await loaderOf(moved).load(entries(10)), 'moved');
});
