import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { wellKnownKey } from '../../src/protocol/nosql/account-keys.ts';
import { version } from '../../src/version.ts';
import {
  eventually,
  isAlive,
  runCommand,
  StartedRingfold,
  temporaryDirectory,
} from '../support/start-ringfold.ts';

test('--ready-json is one line on stdout, with the process to signal; stopping that ends everything', async (context) => {
  const dataDir = temporaryDirectory(context);
  const server = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  const { cqlPort } = JSON.parse(server.stdout) as { cqlPort: number };
  assert.ok(cqlPort > 0);
  assert.deepEqual(JSON.parse(server.stdout), {
    ready: true,
    port: server.port,
    cqlPort,
    key: wellKnownKey,
    pid: server.pid,
  });
  assert.equal(server.stdout.trim().split('\n').length, 1);
  assert.equal((await server.ask('/_ringfold/health')).status, 200);
  const { serverPid } = server;
  assert.equal(await server.end('SIGTERM'), 0);
  assert.ok(!isAlive(serverPid));
  assert.equal(server.stdout.trim().split('\n').length, 1);
});

test('for people it says where it is, for NoSQL and for CQL', async (context) => {
  const server = StartedRingfold.startForPeople(context, ['--port', '0', '--cql-port', '0', '--in-memory']);
  await eventually('it is ready', () => server.stdout.includes('Ctrl-C'));
  assert.match(server.stdout, new RegExp(`^Ringfold ${version.replaceAll('.', '\\.')} is ready\\.`));
  assert.match(server.stdout, /NoSQL {3}http:\/\/127\.0\.0\.1:\d+\//);
  assert.match(server.stdout, /CQL {5}127\.0\.0\.1:\d+, plain or TLS\n/);
  assert.equal(await server.end('SIGTERM'), 0);
});

test('SIGINT stops it in good order as well', async (context) => {
  const server = await StartedRingfold.start(context, ['--in-memory']);
  assert.equal(await server.end('SIGINT'), 0);
});

test('a second start on the same directory says who owns it, exits with 1, and disturbs nobody', async (context) => {
  const dataDir = temporaryDirectory(context);
  const server = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  const second = await runCommand(['start', '--port', '0', '--cql-port', '0', '--data-dir', dataDir]);
  assert.equal(second.code, 1);
  assert.equal(second.stdout, '');
  assert.match(
    second.stderr,
    new RegExp(`Another process owns the data directory\\..*process ${server.pid}`),
  );
  assert.equal((await server.ask('/_ringfold/health')).status, 200);
  await server.end('SIGTERM');
});

test('wrong flags are refused with exit code 2 before anything is started', async (context) => {
  const directory = temporaryDirectory(context);
  const { code, stderr } = await runCommand(['start', '--prot', '1'], directory);
  assert.equal(code, 2);
  assert.match(stderr, /--prot \(the command line\): there is no such setting; did you mean --port\?\n/);
  assert.deepEqual(readdirSync(directory), []);
  assert.equal((await runCommand(['strat'])).code, 2);
});

test('--version and --help answer', async () => {
  assert.equal((await runCommand(['--version'])).stdout, `${version}\n`);
  assert.match((await runCommand([])).stdout, /Usage: ringfold COMMAND/);
  assert.match((await runCommand(['start', '--help'])).stdout, /--data-dir DIR/);
  assert.match((await runCommand(['split', '--help'])).stdout, /Usage: ringfold split CONTAINER PARTITION/);
});

test('a directory whose node is missing, empty or foreign is refused, and nothing in it is touched', async (context) => {
  const dataDir = temporaryDirectory(context);
  const server = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  await server.end('SIGTERM');
  const lost = join(dataDir, 'node-2');
  const refusal = async (): Promise<string> => {
    const { code, stderr } = await runCommand([
      'start',
      '--port',
      '0',
      '--cql-port',
      '0',
      '--data-dir',
      dataDir,
    ]);
    assert.equal(code, 1);
    return stderr;
  };
  rmSync(lost, { recursive: true });
  assert.match(await refusal(), /Storage node 2 is missing.*--rebuild-node 2/);
  assert.ok(!existsSync(lost));
  mkdirSync(lost);
  assert.match(await refusal(), /Storage node 2 is empty/);
  assert.deepEqual(readdirSync(lost), []);
  writeFileSync(join(lost, 'superblock-a'), '{"format":99,"sequence":1}\n');
  assert.match(await refusal(), /node-2/);
  assert.deepEqual(readdirSync(lost), ['superblock-a']);
});

test('a lost node that is to be rebuilt is made anew from the others', async (context) => {
  const dataDir = temporaryDirectory(context);
  const first = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  await first.end('SIGTERM');
  rmSync(join(dataDir, 'node-1'), { recursive: true });
  const second = await StartedRingfold.start(context, ['--data-dir', dataDir, '--rebuild-node', '1']);
  await eventually('all four nodes are up', async () => {
    const { nodes } = (await (await second.ask('/_ringfold/health')).json()) as {
      nodes: { state: string }[];
    };
    return nodes.every(({ state }) => state === 'up');
  });
  assert.ok(existsSync(join(dataDir, 'node-1', 'superblock-a')));
  assert.equal(await second.end('SIGTERM'), 0);
});
