import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { nextTurn, systemScheduler } from '../foundation/scheduler.ts';
import { entryKinds } from '../storage/log/log-entry.ts';
import { type InFlight, InFlightQueue } from './in-flight.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function item(lsn: number): InFlight {
  return {
    header: {
      kind: entryKinds.rows,
      container: 2,
      physicalPartition: 0,
      generation: 1,
      epoch: 1,
      lsn,
      timeMs: 0,
    },
    entry: { chunk: Buffer.alloc(0), start: 0, end: 0, rows: [] },
    note: undefined,
    answer: undefined,
    done: undefined,
    onCommit: undefined,
    followers: undefined,
  };
}

test('what was put in first comes out first, however many there are', () => {
  // Runs of pushes and drops: long ones, since the queue grows only now and then.
  const runs = fc.array(fc.integer({ min: -2_500, max: 3_000 }), { maxLength: 8 });
  fc.assert(
    fc.property(runs, (counts) => {
      const queue = new InFlightQueue();
      let model: number[] = [];
      let lsn = 0;
      for (const count of counts) {
        for (let pushed = 0; pushed < count; pushed++) {
          lsn += 1;
          queue.push(item(lsn));
          model.push(lsn);
        }
        const drops = Math.min(-count, model.length);
        for (let dropped = 0; dropped < drops; dropped++) queue.dropFirst();
        if (drops > 0) model = model.slice(drops);
        assert.equal(queue.size, model.length);
        assert.equal(queue.first?.header.lsn, model[0]);
        assert.equal(queue.last?.header.lsn, model.at(-1));
        assert.deepEqual(
          queue.toArray().map(({ header }) => header.lsn),
          model,
        );
      }
    }),
    { numRuns: 40 },
  );
});

test('what has been dropped is not held', async () => {
  const queue = new InFlightQueue();
  const held: WeakRef<InFlight>[] = [];
  for (let lsn = 1; lsn <= 200; lsn++) {
    const one = item(lsn);
    held.push(new WeakRef(one));
    queue.push(one);
    if (lsn > 100) queue.dropFirst();
  }
  // A weak reference is followed for as long as the turn lasts in which it was made.
  await nextTurn(systemScheduler);
  collectGarbage();
  assert.deepEqual(
    held.map((one) => one.deref()?.header.lsn).filter((lsn) => lsn !== undefined),
    Array.from({ length: 100 }, (_, at) => at + 101),
  );
});
