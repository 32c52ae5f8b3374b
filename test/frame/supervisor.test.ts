import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  eventually,
  isAlive,
  postJson,
  StartedRingfold,
  temporaryDirectory,
} from '../support/start-ringfold.ts';

async function startWithRow(
  context: TestContext,
): Promise<{ server: StartedRingfold; dataDir: string; readRow: () => Promise<string> }> {
  const dataDir = temporaryDirectory(context);
  const server = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  const created = await server.ask('/_ringfold/containers', postJson({ partitions: 2 }));
  const { container } = (await created.json()) as { container: number };
  const row = `/_ringfold/containers/${container}/rows/theo/1`;
  assert.equal((await server.ask(row, { method: 'PUT', body: 'hello' })).status, 200);
  return { server, dataDir, readRow: async () => (await server.ask(row)).text() };
}

async function untilServingAgain(server: StartedRingfold, deadPid: number): Promise<void> {
  await eventually('the server is back', async () => {
    try {
      return server.serverPid !== deadPid && (await server.ask('/_ringfold/health')).status === 200;
    } catch {
      return false;
    }
  });
}

test('the server runs the command line as the build put it together, where there was a build', async (context) => {
  const server = await StartedRingfold.start(context, ['--in-memory']);
  const [program] = ['../../bundle/ringfold.js', '../../cli/ringfold.js']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .filter((path) => existsSync(path));
  const command = readFileSync(`/proc/${server.serverPid}/cmdline`, 'utf8').split('\0');
  assert.equal(command.at(-3), program, command.join(' '));
  await server.end('SIGTERM');
});

test('a server that is killed is started again on the same port, and what was acknowledged is there', async (context) => {
  const { server, readRow } = await startWithRow(context);
  const { serverPid } = server;
  process.kill(serverPid, 'SIGKILL');
  await untilServingAgain(server, serverPid);
  assert.equal(await readRow(), 'hello');
  assert.match(server.stderr, /the server died \(SIGKILL\)\nringfold: starting it again/);
  assert.equal(server.stdout.trim().split('\n').length, 1);
  assert.equal(await server.end('SIGTERM'), 0);
});

test('after a crash in memory the storage nodes are checked, and a broken one is rebuilt', async (context) => {
  const { server, dataDir, readRow } = await startWithRow(context);
  const { serverPid } = server;
  process.kill(serverPid, 'SIGSTOP');
  rmSync(join(dataDir, 'node-3', 'rows', 'manifest'));
  process.kill(serverPid, 'SIGSEGV');
  process.kill(serverPid, 'SIGCONT');
  await untilServingAgain(server, serverPid);
  assert.match(server.stderr, /the server died \(SIGSEGV\)\nringfold: checking 4 storage nodes\n/);
  assert.match(
    server.stderr,
    /storage node 3 \(.*node-3\) is broken\nringfold: rebuilding it from the others/,
  );
  assert.equal(await readRow(), 'hello');
  await eventually('node 3 is up again', async () => {
    const { nodes } = (await (await server.ask('/_ringfold/health')).json()) as {
      nodes: { state: string }[];
    };
    return nodes[3]?.state === 'up';
  });
  assert.equal(await server.end('SIGTERM'), 0);
});

test('sound storage nodes are not rebuilt after a crash', async (context) => {
  const { server, readRow } = await startWithRow(context);
  const { serverPid } = server;
  process.kill(serverPid, 'SIGABRT');
  await untilServingAgain(server, serverPid);
  assert.match(server.stderr, /checking 4 storage nodes/);
  assert.doesNotMatch(server.stderr, /broken|rebuilding/);
  assert.equal(await readRow(), 'hello');
  await server.end('SIGTERM');
});

test('a node whose directory was deleted before a kill is rebuilt by the restart', async (context) => {
  const { server, dataDir, readRow } = await startWithRow(context);
  const { serverPid } = server;
  process.kill(serverPid, 'SIGSTOP');
  rmSync(join(dataDir, 'node-0'), { recursive: true });
  process.kill(serverPid, 'SIGKILL');
  await untilServingAgain(server, serverPid);
  assert.equal(await readRow(), 'hello');
  await server.end('SIGTERM');
});

test('a server whose supervisor was killed ends by itself and frees the directory', async (context) => {
  const { server, dataDir } = await startWithRow(context);
  const { serverPid } = server;
  await server.end('SIGKILL');
  await eventually('the server is gone', () => !isAlive(serverPid));
  const next = await StartedRingfold.startAgain(context, ['--data-dir', dataDir]);
  await next.end('SIGTERM');
});

test('a server that keeps dying is given up after five times', async (context) => {
  const server = await StartedRingfold.start(context, ['--in-memory']);
  for (let death = 1; death <= 5; death++) {
    const { serverPid } = server;
    process.kill(serverPid, 'SIGKILL');
    // As soon as it is there: on a busy machine five whole starts may take longer than the minute.
    if (death < 5) await eventually('it is started again', () => server.hasAnotherServer(serverPid));
  }
  await eventually('the supervisor gives up', () => !isAlive(server.pid));
  await eventually('it says so', () => /died 5 times within 60 s: giving up/.test(server.stderr));
  assert.equal(await server.end('SIGTERM'), 1);
});
