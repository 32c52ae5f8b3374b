// `npm run test:clients [-- NAMES]`: Ringfold through the drivers of other languages and through cqlsh. Each is installed by
// its own package tool into ~/.cache/ringfold/clients and runs a program of ours (test/clients) that prints `ok NAME` or
// `not ok NAME: why`. A client whose toolchain is not there is left out, and that is said.

import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expected } from '../test/clients/cqlsh/expected.mjs';
import { makeReady, outputOf, root } from './ready.mjs';

const pythonPackages = ['cassandra-driver==3.30.1', 'cqlsh==6.2.2', 'lz4==4.4.5'];
const azurePythonPackages = ['azure-cosmos==4.17.1', 'aiohttp==3.14.5'];
const latteVersion = '0.29.0';
const installTimeoutMs = 900_000;
const runTimeoutMs = 180_000;

const programs = join(root, 'test/clients');
const cache = join(homedir(), '.cache/ringfold/clients');
const python = join(cache, 'python/bin/python');
const azurePython = join(cache, 'azure-python/bin/python');
// The emulator's, which everybody knows.
const accountKey = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

/** What each needs, how it is installed, and how it is run; the cache is the working directory of both. */
const clients = {
  python: {
    tool: 'python3',
    install: () => installPython('python', pythonPackages),
    run: () => [python, join(programs, 'python/client.py')],
  },
  cqlsh: {
    tool: 'python3',
    install: () => installPython('python', pythonPackages),
    run: cqlshCommand,
    judge: judgeCqlsh,
  },
  go: {
    tool: 'go',
    install: () => installCopy('go', ['go', 'build', '-o', 'client', '.']),
    run: () => [join(cache, 'go/client')],
  },
  java: {
    tool: 'mvn',
    install: () =>
      installCopy('java', ['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib']),
    run: () => ['java', '-cp', join(cache, 'java/lib/*'), join(cache, 'java/Client.java')],
  },
  rust: {
    tool: 'cargo',
    install: () => installCopy('rust', ['cargo', 'build', '--quiet', '--locked', '--release']),
    run: () => [join(cache, 'rust/target/release/clients')],
  },
  latte: {
    tool: 'cargo',
    install: installLatte,
    run: () => [process.execPath, join(programs, 'latte/run.mjs'), join(cache, 'latte/bin/latte')],
  },
  'azure-rust': {
    tool: 'cargo',
    // One crate at a time and after everybody else: it is large, and built once.
    install: () =>
      installCopy('azure-rust', ['nice', '-n', '15', 'cargo', 'build', '--quiet', '--locked', '-j1']),
    run: () => [join(cache, 'azure-rust/target/debug/azure-clients')],
  },
  'azure-python': {
    tool: 'python3',
    install: () => installPython('azure-python', azurePythonPackages),
    run: () => [azurePython, join(programs, 'azure-python/client.py')],
  },
  'azure-go': {
    tool: 'go',
    install: () => installCopy('azure-go', ['go', 'build', '-o', 'client', '.']),
    run: () => [join(cache, 'azure-go/client')],
  },
  'azure-java': {
    tool: 'mvn',
    install: () =>
      installCopy('azure-java', ['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib']),
    // Without it the SDK turns http into https.
    run: () => [
      'java',
      '-DCOSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED=true',
      '-cp',
      join(cache, 'azure-java/lib/*'),
      join(cache, 'azure-java/Client.java'),
    ],
  },
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in clients));
if (unknown.length > 0) {
  console.error(`No such client: ${unknown.join(', ')}. There are ${Object.keys(clients).join(', ')}.`);
  process.exit(2);
}
makeReady();
mkdirSync(cache, { recursive: true });
const total = { passed: 0, failed: 0 };
const leftOut = [];
for (const name of names.length > 0 ? names : Object.keys(clients)) await test(name, clients[name]);

if (leftOut.length > 0) console.log(`\nleft out: ${leftOut.join(', ')}`);
console.log(`\npassed ${total.passed}, failed ${total.failed}`);
// Where no toolchain is there at all, that has been said; a run that tried clients and saw nothing pass has failed.
process.exit(total.failed > 0 || (total.passed === 0 && leftOut.length === 0) ? 1 : 0);

async function test(name, { tool, install, run, judge = judgeLines }) {
  if (spawnSync(tool, [tool === 'go' ? 'version' : '--version']).status !== 0) {
    leftOut.push(`${name} (there is no ${tool})`);
    return;
  }
  const problem = install();
  if (problem !== undefined) {
    leftOut.push(`${name} (${problem})`);
    return;
  }
  const { startRingfold } = await import(pathToFileURL(outputOf('src/ringfold.ts')).href);
  const server = await startRingfold();
  const workspace = mkdtempSync(join(tmpdir(), `ringfold-${name}-`));
  const [command, ...commandArguments] = run(server.cqlPort);
  const { status, output } = await ended(command, commandArguments, {
    cwd: workspace,
    env: {
      ...process.env,
      RINGFOLD_CQL: `127.0.0.1:${server.cqlPort}`,
      RINGFOLD_NOSQL: `http://127.0.0.1:${server.port}`,
      RINGFOLD_KEY: accountKey,
    },
  });
  await server.stop();
  rmSync(workspace, { recursive: true });
  const { passed, failures } = judge(output);
  if (failures.length === 0 && (status !== 0 || passed === 0))
    failures.push(`it ended with ${status}:\n${output}`);
  total.passed += passed;
  total.failed += failures.length;
  console.log(
    `${failures.length === 0 ? 'ok  ' : 'FAIL'} ${name} (passed ${passed}, failed ${failures.length})`,
  );
  for (const failure of failures) console.log(`    ${failure}`);
}

function judgeLines(output) {
  const lines = output.split('\n');
  return {
    passed: lines.filter((line) => line.startsWith('ok ')).length,
    failures: lines.filter((line) => line.startsWith('not ok ')).map((line) => line.slice('not ok '.length)),
  };
}

function judgeCqlsh(output) {
  const failures = expected.filter(([, text]) => !text.test(output)).map(([name]) => name);
  return { passed: expected.length - failures.length, failures };
}

/** cqlsh ends with 2 when a statement of the session was refused, as one of ours is on purpose. */
function cqlshCommand(port) {
  return [
    'sh',
    '-c',
    `"$0" 127.0.0.1 ${port} -f "$1"; true`,
    join(cache, 'python/bin/cqlsh'),
    join(programs, 'cqlsh/session.cql'),
  ];
}

function installPython(name, packages) {
  return onlyOnce(name, packages.join('\n'), () => {
    const made = tool('python3', ['-m', 'venv', name], cache);
    return (
      made ?? tool(join(cache, name, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...packages], cache)
    );
  });
}

/** It is as large as a driver: without optimisation across crates it is built in minutes, and it is not measured here. */
function installLatte() {
  const command = [
    'cargo',
    'install',
    'latte-cli',
    '--quiet',
    '--locked',
    '--version',
    latteVersion,
    '--root',
    'latte',
  ];
  return onlyOnce('latte', latteVersion, () =>
    tool('env', ['CARGO_PROFILE_RELEASE_LTO=off', 'CARGO_PROFILE_RELEASE_OPT_LEVEL=1', ...command], cache),
  );
}

/** The program is built in a copy, so that nothing of a build lies among the sources. */
function installCopy(name, [command, ...commandArguments]) {
  const source = join(programs, name);
  const stamp = spawnSync('find', [source, '-type', 'f', '-exec', 'cat', '{}', '+'], {
    encoding: 'utf8',
  }).stdout;
  return onlyOnce(name, stamp, () => {
    cpSync(source, join(cache, name), { recursive: true });
    return tool(command, commandArguments, join(cache, name));
  });
}

/** What is there and was made from the same is not made again. Gives the problem, if there was one. */
function onlyOnce(name, stamp, make) {
  const stampFile = join(cache, `${name}.stamp`);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return undefined;
  console.log(`installing ${name} …`);
  const problem = make();
  if (problem === undefined) writeFileSync(stampFile, stamp);
  return problem;
}

function tool(command, commandArguments, workingDirectory) {
  const { status, stdout, stderr } = spawnSync(command, commandArguments, {
    cwd: workingDirectory,
    encoding: 'utf8',
    timeout: installTimeoutMs,
  });
  if (status === 0) return undefined;
  const said = `${stdout}${stderr}`.trim().split('\n').slice(-5).join(' | ');
  return `${command} could not install it: ${said}`;
}

function ended(command, commandArguments, options) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArguments, { ...options, timeout: runTimeoutMs });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        output += part;
      });
    child.once('error', (error) => resolve({ status: 1, output: String(error) }));
    child.once('close', (code, signal) => resolve({ status: code ?? signal, output }));
  });
}
