import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeUuids } from '../../values/time-uuids.ts';
import { TraceSessions, type TraceStart } from './trace-sessions.ts';

const start: TraceStart = {
  request: 'Execute CQL3 query',
  parameters: new Map([['query', 'x'.repeat(100_000)]]),
  client: '127.0.0.1',
  coordinator: '127.0.0.1',
  coordinatorPort: 9042,
};

function tracesAt(clock: { nowMs: number }): TraceSessions {
  const uuids = new TimeUuids(Buffer.alloc(8));
  return new TraceSessions(
    { now: () => clock.nowMs, microseconds: () => clock.nowMs * 1_000, monotonic: () => clock.nowMs },
    uuids,
  );
}

test('a session has its events in order, with the time since it began', () => {
  const clock = { nowMs: 1_000 };
  const traces = tracesAt(clock);
  const trace = traces.begin(start);
  trace.event('one');
  clock.nowMs += 2.5;
  trace.event('two');
  assert.equal(traces.find(trace.id)?.durationMicros, undefined);
  clock.nowMs += 1;
  trace.finish();
  const session = traces.find(trace.id) ?? assert.fail();
  assert.deepEqual(
    session.events.map(({ activity, elapsedMicros }) => [activity, elapsedMicros]),
    [
      ['one', 0],
      ['two', 2_500],
    ],
  );
  assert.equal(session.durationMicros, 3_500);
});

test('what is kept is bounded: sessions, events, and the length of texts', () => {
  const traces = tracesAt({ nowMs: 0 });
  const first = traces.begin(start);
  for (let count = 0; count < 1_000; count++) first.event('y'.repeat(20_000));
  assert.ok(first.events.length <= 500);
  assert.ok((first.events[0]?.activity.length ?? 0) < 11_000);
  assert.ok((first.parameters.get('query')?.length ?? 0) < 11_000);
  for (let count = 0; count < 1_000; count++) traces.begin(start);
  assert.equal(traces.find(first.id), undefined);
  assert.equal([...traces.sessions()].length, 1_000);
});
