import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../foundation/log.ts';
import type { SystemRecord } from '../replication/system-records.ts';
import { TimestampFloor } from './timestamp-floor.ts';

/** A clock and a scheduler that move when the test says so, and records that outlive a server. */
class Surroundings {
  readonly stored = new Map<string, unknown>();
  readonly tasks: (() => void)[] = [];
  readonly log = silentLog;
  readonly clock = { now: () => 0, microseconds: () => 0, monotonic: () => 0 };
  readonly scheduler = {
    after: (_delayMs: number, task: () => void) => {
      this.tasks.push(task);
      return () => this.tasks.splice(this.tasks.indexOf(task), 1);
    },
  };

  readonly records = {
    readAll: async () => new Map(this.stored),
    put: async (records: readonly SystemRecord[]) => {
      for (const { id, value } of records) this.stored.set(id, value);
    },
  };

  async load(): Promise<TimestampFloor> {
    return await TimestampFloor.load(this.records, this);
  }

  async tick(): Promise<void> {
    this.tasks.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('timestamps rise across a stop, though the clock was set back', async () => {
  const surroundings = new Surroundings();
  const floor = await surroundings.load();
  const last = floor.timestamps.next(1_000_000_000);
  await floor.stop();
  const next = (await surroundings.load()).timestamps.next(5);
  assert.equal(next, last + 1);
});

test('timestamps rise across a crash too, and do not run ahead of the clock by more than two seconds', async () => {
  const surroundings = new Surroundings();
  const floor = await surroundings.load();
  floor.timestamps.next(1_000_000_000);
  await surroundings.tick();
  const last = floor.timestamps.next(1_000_900_000);
  const next = (await surroundings.load()).timestamps.next(5);
  assert.ok(next > last);
  assert.ok(next <= 1_000_000_000 + 2_000_001);
});

test('nothing is written while no timestamps are given out', async () => {
  const surroundings = new Surroundings();
  const floor = await surroundings.load();
  await surroundings.tick();
  assert.equal(surroundings.stored.size, 0);
  floor.timestamps.next(1_000_000_000);
  await surroundings.tick();
  const written = surroundings.stored.get('floor');
  surroundings.stored.delete('floor');
  await surroundings.tick();
  await surroundings.tick();
  assert.equal(surroundings.stored.size, 0, `${written} was enough`);
});
