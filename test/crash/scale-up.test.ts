// A server that is killed while partitions are split for more throughput.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThroughputView } from '../../src/execution/describe-throughput.ts';
import { eventually, postJson, StartedRingfold, temporaryDirectory } from '../support/start-ringfold.ts';

const target = 40;

test('a scale-up goes on after the server was killed in the middle of it', async (context) => {
  const dataDir = temporaryDirectory(context);
  const server = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  const made = await server.ask('/_ringfold/containers', postJson({ ruPerSecond: 400 }));
  const { container } = (await made.json()) as { container: number };
  const path = `/_ringfold/containers/${container}`;
  const view = async () => (await (await server.ask(`${path}/throughput`)).json()) as ThroughputView;
  for (let n = 0; n < 10; n++) await server.ask(`${path}/rows/key-${n}/1`, { method: 'PUT', body: `${n}` });

  const change = { ...postJson({ ruPerSecond: target * 10_000 }), method: 'PUT' };
  assert.equal((await server.ask(`${path}/throughput`, change)).status, 202);
  const { serverPid } = server;
  let before = await view();
  await eventually('some partitions are split', async () => {
    before = await view();
    return before.partitionCount >= 3;
  });
  process.kill(serverPid, 'SIGKILL');
  assert.ok(before.pending !== undefined && before.partitionCount < target, 'it was in the middle');
  assert.deepEqual(before.setting, { kind: 'manual', ruPerSecond: 400 });

  // The supervisor starts it again.
  await eventually('it is finished', async () => {
    const now = await view().catch(() => undefined);
    return now !== undefined && now.pending === undefined;
  });
  const after = await view();
  assert.deepEqual(after.setting, { kind: 'manual', ruPerSecond: target * 10_000 });
  assert.equal(after.partitionCount, target);
  assert.ok(after.partitions.every(({ ruPerSecond }) => Math.round(ruPerSecond) === 10_000));
  for (let n = 0; n < 10; n++)
    assert.equal(await (await server.ask(`${path}/rows/key-${n}/1`)).text(), `${n}`);
  assert.equal(await server.end('SIGTERM'), 0);
});
