import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ringfold, startRingfold } from '../../src/index.ts';
import { type CommandResult, postJson, runCommand } from '../support/start-ringfold.ts';

const rowCount = 60;

async function withRows(
  use: (
    server: Ringfold,
    container: number,
    ringfold: (...words: string[]) => Promise<CommandResult>,
  ) => Promise<void>,
): Promise<void> {
  const server = await startRingfold({ nodes: 5 });
  try {
    const response = await fetch(
      `http://127.0.0.1:${server.port}/_ringfold/containers`,
      postJson({ partitions: 1 }),
    );
    const { container } = (await response.json()) as { container: number };
    for (let n = 0; n < rowCount; n++)
      await fetch(rowUrl(server, container, n), { method: 'PUT', body: `value ${n}` });
    await use(server, container, (...words) => runCommand([...words, '--port', String(server.port)]));
    for (let n = 0; n < rowCount; n++)
      assert.equal(await (await fetch(rowUrl(server, container, n))).text(), `value ${n}`);
  } finally {
    await server.stop();
  }
}

function rowUrl(server: Ringfold, container: number, n: number): string {
  return `http://127.0.0.1:${server.port}/_ringfold/containers/${container}/rows/key-${n}/row`;
}

test('a partition is split at the middle of its range, of its data, and at a position; two are merged; no row is lost', () =>
  withRows(async (server, container, ringfold) => {
    const ids = (): number[] | undefined => server.store.mapOf(container)?.partitions.map(({ id }) => id);
    const middle = await ringfold('split', String(container), '0');
    assert.equal(middle.code, 0, middle.stderr);
    assert.match(middle.stdout, /Container \d+, map version 2\n\npartition +from +to +nodes +parents\n/);
    assert.equal((await ringfold('split', String(container), '1', '--at', 'median')).code, 0);
    assert.equal((await ringfold('split', String(container), '2', '--at', 'C0')).code, 0);
    assert.deepEqual(ids(), [3, 4, 5, 6]);
    const merged = await ringfold('merge', String(container), '4', '5', '--json');
    assert.equal(merged.code, 0, merged.stderr);
    assert.equal(JSON.parse(merged.stdout).version, 5);
    assert.deepEqual(ids(), [3, 7, 6]);
  }));

test('a replica is moved to another storage node, and no row is lost', () =>
  withRows(async (server, container, ringfold) => {
    const members = (): readonly number[] =>
      server.store.mapOf(container)?.partition(0).replicaSet.members ?? [];
    const from = members()[0] ?? -1;
    const to = [0, 1, 2, 3, 4].find((node) => !members().includes(node)) ?? -1;
    const moved = await ringfold('move', String(container), '0', String(from), String(to));
    assert.equal(moved.code, 0, moved.stderr);
    assert.ok(members().includes(to as never) && !members().includes(from as never));
    assert.match((await ringfold('scrub')).stdout, /differences/);
  }));

test('status and partitions show nodes and physical partitions', () =>
  withRows(async (_server, _container, ringfold) => {
    assert.match(
      (await ringfold('status')).stdout,
      /2 of 2 physical partitions serve reads and writes\.\n\nnodeId +state/,
    );
    assert.match((await ringfold('partitions')).stdout, /^container +id +min/);
    assert.equal(JSON.parse((await ringfold('partitions', '--json')).stdout).length, 2);
  }));

test('what cannot be done is said in a line, with exit code 1', () =>
  withRows(async (_server, container, ringfold) => {
    const refused = await ringfold('merge', String(container), '0', '9');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^ringfold: .*\n$/);
    assert.match((await ringfold('split', 'x', '0')).stderr, /"x" is not a whole number/);
    assert.match((await ringfold('split', '1')).stderr, /1 arguments are given, 2 are needed/);
    assert.match((await ringfold('status', '--prot')).stderr, /Unknown option '--prot'/);
    assert.match((await runCommand(['status', '--port', '1'])).stderr, /no Ringfold server answers at/);
  }));
