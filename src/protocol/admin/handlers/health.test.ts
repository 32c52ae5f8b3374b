import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PartitionStatus } from '../../../replication/store-status.ts';
import type { AdminContext } from '../admin-context.ts';
import { health } from './health.ts';

const sound: Partial<PartitionStatus> = {
  container: 2,
  id: 0,
  state: 'serving',
  members: [0, 1, 2, 3],
  levelReplicas: 4,
};

async function healthWith(
  partition: Partial<PartitionStatus>,
): Promise<{ status: number; reasons: readonly string[] }> {
  const nodes = [{ nodeId: 3, state: 'down', reason: 'no space' }];
  const context = {
    store: { status: () => ({ nodes, partitions: [{ ...sound, ...partition }] }) },
  } as unknown as AdminContext;
  const { status, body } = await health(
    { parameters: {}, body: Buffer.alloc(0), contentType: '', headers: {}, rights: 'reading' },
    context,
  );
  const { reasons, nodes: told } = body as { reasons: string[]; nodes: unknown };
  assert.deepEqual(told, nodes);
  return { status, reasons };
}

test('a partition with three of four level replicas is served, so the server is healthy', async () => {
  assert.deepEqual(await healthWith({ levelReplicas: 3 }), { status: 200, reasons: [] });
});

test('a partition that cannot be written makes it 503, and is named', async () => {
  const reasons = ['physical partition 0 of container 2 is serving, 2 of 4 replicas level'];
  assert.deepEqual(await healthWith({ levelReplicas: 2 }), { status: 503, reasons });
});

test('a partition that only recovers or reads makes it 503', async () => {
  assert.equal((await healthWith({ state: 'recovering' })).status, 503);
  assert.equal((await healthWith({ state: 'reads-only' })).status, 503);
});

test('who has no key is told whether the server is well, and nothing of its insides', async () => {
  const context = {
    store: { status: () => ({ nodes: [{ nodeId: 3 }], partitions: [sound] }) },
  } as unknown as AdminContext;
  const request = {
    parameters: {},
    body: Buffer.alloc(0),
    contentType: '',
    headers: {},
    rights: 'none',
  } as const;
  assert.deepEqual(await health(request, context), { status: 200, body: { healthy: true } });
});
