// What README.md shows is run as it stands there.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'cassandra-driver';
import { repositoryRoot } from '../support/repository.ts';
import {
  eventually,
  removeDirectory,
  runCommand,
  StartedRingfold,
  temporaryDirectory,
} from '../support/start-ringfold.ts';

const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');

function consoleCommands(): string[] {
  const blocks = [...readme.matchAll(/```console\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks.flatMap((block) => [...block.matchAll(/^\$ (.+)$/gm)].map(([, command = '']) => command));
}

function cqlStatements(): string[] {
  const [, block = ''] = /```cql\n(.*?)```/s.exec(readme) ?? [];
  return block
    .split(';\n')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

async function withClient<T>(port: number, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ contactPoints: [`127.0.0.1:${port}`], localDataCenter: 'datacenter1' });
  try {
    return await use(client);
  } finally {
    await client.shutdown();
  }
}

async function messagesOf(client: Client): Promise<string[]> {
  const { rows } = await client.execute("SELECT id, message FROM uprofile.user WHERE user = 'theo'");
  return rows.map(({ id, message }) => `${id} ${message}`);
}

test('the greeting is the one that the README shows', async (context) => {
  const dataDir = temporaryDirectory(context);
  const server = StartedRingfold.startForPeople(context, [
    '--port',
    '0',
    '--cql-port',
    '0',
    '--data-dir',
    dataDir,
  ]);
  await eventually('it is ready', () => server.stdout.includes('Ctrl-C'));
  const [, shown = ''] = /```\n(Ringfold .*?)```/s.exec(readme) ?? [];
  const [port = '', cqlPort = ''] = [/http:\S+?:(\d+)/, /CQL +\S+?:(\d+)/].map(
    (place) => place.exec(server.stdout)?.[1] ?? '',
  );
  const greeting = server.stdout
    .replaceAll(port, '8081')
    .replaceAll(cqlPort, '9042')
    .replace(dataDir, '/home/you/ringfold/data');
  assert.ok(shown.length > 0 && greeting.startsWith(shown), `${greeting}\n≠\n${shown}`);
  await server.end('SIGTERM');
});

test('the program of the README prints what it says', async (context) => {
  const server = await StartedRingfold.start(context, ['--in-memory']);
  const [, block = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
  const program = block.replace(':8081', `:${server.port}`);
  const options = { cwd: repositoryRoot, encoding: 'utf8', timeout: 60_000 } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], options);
  const [, expected = ''] = /console\.log\(.*\/\/ (.+)$/m.exec(block) ?? [];
  assert.notEqual(expected, '');
  assert.equal(stdout.trim(), expected, stderr);
});

test('the statements and commands of the README do what it says, and rows survive a restart and a lost row store', async (context) => {
  const dataDir = temporaryDirectory(context);
  const first = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  const statements = cqlStatements();
  assert.ok(statements.length >= 6);
  await withClient(first.cqlPort, async (client) => {
    for (const statement of statements) await client.execute(statement);
    assert.deepEqual(await messagesOf(client), ['1 hello', '2 hello again']);
    const { rows } = await client.execute(statements.at(-1) ?? '');
    assert.equal(rows[0]?.['replicas'].length, 4);
  });
  const commands = consoleCommands();
  assert.ok(commands.length >= 3);
  for (const command of commands) {
    const [node, , ...words] = command.split(' ');
    assert.equal(node, 'node');
    const { code, stderr } = await runCommand([...words, '--port', String(first.port)]);
    assert.equal(code, 0, `${command}: ${stderr}`);
  }
  await first.end('SIGTERM');
  const second = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  removeDirectory(join(dataDir, 'node-2', 'rows'));
  assert.deepEqual(await withClient(second.cqlPort, messagesOf), ['1 hello', '2 hello again']);
  assert.equal(await second.end('SIGTERM'), 0);
});
