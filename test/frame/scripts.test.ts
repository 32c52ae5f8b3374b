// The scripts that npm runs, in a small clone of their own.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { repositoryRoot } from '../support/repository.ts';
import { eventually } from '../support/start-ringfold.ts';

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'ringfold-scripts-'));
  for (const name of ['scripts', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    cpSync(join(repositoryRoot, name), join(clone, name), { recursive: true });
  }
  symlinkSync(join(repositoryRoot, 'node_modules'), join(clone, 'node_modules'));
  mkdirSync(join(clone, 'src'));
});
afterEach(() => rmSync(clone, { recursive: true }));

function write(source: string, text: string): void {
  writeFileSync(join(clone, source), text);
}

function run(
  script: string,
  ...scriptArguments: string[]
): { status: number | null; stdout: string; stderr: string; lastLine: string } {
  // The runner of this test must not be taken for the runner's own.
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...environment } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(clone, 'scripts', script), ...scriptArguments],
    {
      encoding: 'utf8',
      env: environment,
    },
  );
  return { status, stdout, stderr, lastLine: stdout.trimEnd().split('\n').at(-1) ?? '' };
}

const passing = "import { test } from 'node:test';\ntest('a', () => {});\ntest.skip('b', () => {});\n";

test('the last line counts what passed, failed and was skipped', () => {
  write('src/good.test.ts', passing);
  write('src/other.test.ts', "import { test } from 'node:test';\ntest('c', () => {});\n");
  const { status, lastLine } = run('test.mjs');
  assert.match(lastLine, /^passed 2, failed 0, skipped 1 \(\d+ s\)$/);
  assert.equal(status, 0);
});

test('a failure is shown in full, with the place in the source, and fails the run', () => {
  write('src/good.test.ts', passing);
  write(
    'src/bad.test.ts',
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\ntest('one is two', () => {\n  assert.equal(1, 2);\n});\n",
  );
  const { status, stdout, lastLine } = run('test.mjs');
  assert.match(stdout, /FAILED src\/bad\.test\.ts: one is two/);
  assert.match(stdout, /Expected values to be strictly equal/);
  assert.match(stdout, /bad\.test\.ts:4:/);
  assert.match(lastLine, /^passed 1, failed 1, skipped 1 /);
  assert.equal(status, 1);
});

test('no test file, no file of that name, a file without a test, and a file that dies are failures', () => {
  write('src/empty.ts', 'export const nothing = 0;\n');
  assert.equal(run('test.mjs').status, 1);
  write('src/good.test.ts', passing);
  assert.equal(run('test.mjs', 'nowhere').status, 1);
  write('src/hollow.test.ts', 'export const nothing = 0;\n');
  assert.match(run('test.mjs', 'hollow').stdout, /it holds no test/);
  write('src/dies.test.ts', `${passing}process.exit(3);\n`);
  const { status, lastLine } = run('test.mjs', 'dies');
  assert.equal(status, 1);
  assert.match(lastLine, /failed 1/);
});

test('files share a process; one that dies or fails late is found, and hides nothing of the others', () => {
  write('src/good.test.ts', passing);
  write('src/hollow.test.ts', 'export const nothing = 0;\n');
  write('src/late.test.ts', `${passing}setTimeout(() => Promise.reject(new Error('too late')), 20);\n`);
  const dying = 'new Promise(() => setTimeout(() => process.exit(3), 50))';
  write('src/dies.test.ts', `${passing}test('d', () => ${dying});\n`);
  const { status, stdout, lastLine } = run('test.mjs');
  assert.equal(status, 1);
  assert.match(stdout, /^ok {3}src\/good\.test\.ts \(passed 1, failed 0, skipped 1, /m);
  assert.match(stdout, /^FAIL src\/hollow\.test\.ts /m);
  assert.match(stdout, /^FAIL src\/late\.test\.ts /m);
  assert.match(stdout, /^FAIL src\/dies\.test\.ts /m);
  assert.match(stdout, /^the process of 4 files ended badly \(src\/dies\.test\.ts, in: d\), /m);
  assert.match(stdout, /^FAILED src\/dies\.test\.ts: the file as a whole, in: d$/m);
  assert.match(lastLine, /^passed [23], failed 3, /);
});

test('files that fail in one process only are a failure', () => {
  // Files of one process are loaded at once, so either may be the second.
  const left = '(globalThis as { left?: boolean }).left';
  const tripping = `${passing}if (${left} === true) process.exit(4);\n${left} = true;\n`;
  write('src/one.test.ts', tripping);
  write('src/other.test.ts', tripping);
  const { status, stdout, lastLine } = run('test.mjs');
  assert.equal(status, 1);
  assert.match(stdout, /FAILED src\/one\.test\.ts, src\/other\.test\.ts: in one process/);
  assert.match(lastLine, /^passed 2, failed 1, /);
});

test('a test whose source is gone does not run again', () => {
  write('src/good.test.ts', passing);
  write('src/old.test.ts', passing);
  assert.match(run('test.mjs').lastLine, /^passed 2,/);
  rmSync(join(clone, 'src/old.test.ts'));
  assert.match(run('test.mjs').lastLine, /^passed 1,/);
  assert.ok(!existsSync(join(clone, 'dist/src/old.test.js')));
});

test('what is stale is built and said on stderr; what is not costs no word', () => {
  write('src/a.ts', 'export const a = 1;\n');
  const first = run('ready.mjs');
  assert.match(first.stderr, /building …\n.*building took/s);
  assert.equal(first.stdout, '');
  assert.equal(run('ready.mjs').stderr, '');
  write('src/a.ts', 'export const a: string = 1;\n');
  const broken = run('ready.mjs');
  assert.equal(broken.status, 1);
  assert.match(broken.stderr, /src\/a\.ts.*TS2322/s);
});

test('the command line is put together in one folder, and what fails in there is shown at its place in the source', () => {
  mkdirSync(join(clone, 'cli'));
  write('src/a.ts', 'export function fail(): never {\n  throw new Error("on purpose");\n}\n');
  write('cli/ringfold.ts', "import { fail } from '../src/a.ts';\nfail();\n");
  assert.equal(run('ready.mjs').status, 0);
  const bundled = join(clone, 'dist/bundle/ringfold.js');
  rmSync(join(clone, 'dist/src'), { recursive: true });
  const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', bundled], { encoding: 'utf8' });
  assert.match(stderr, /on purpose\n.*src\/a\.ts:2:/);
  write('src/a.ts', 'export function fail(): never {\n  throw new Error("again");\n}\n');
  assert.equal(run('ready.mjs').status, 0);
  assert.match(spawnSync(process.execPath, [bundled], { encoding: 'utf8' }).stderr, /again/);
});

test('a benchmark that does not exist is answered with those that do', () => {
  mkdirSync(join(clone, 'bench'));
  write('bench/store.bench.ts', "console.log('measured');\n");
  assert.match(run('run-built.mjs', 'bench', 'stoer').stderr, /Names: store/);
  assert.equal(run('run-built.mjs', 'bench', 'store').stdout, 'measured\n');
});

test('npm start is the command line itself: flags, signals and exit code are its own, and it ends with npm', async () => {
  mkdirSync(join(clone, 'cli'));
  write(
    'cli/ringfold.ts',
    `process.on('SIGTERM', () => {
  console.log('stopped');
  process.exit(7);
});
setInterval(() => {}, 1000);
console.log(JSON.stringify({ flags: process.argv.slice(2), pid: process.pid }));
`,
  );
  const command = `"${process.execPath}" "${join(clone, 'scripts/start.mjs')}" --port 0; echo "exit code $?"`;
  const start = (): { shell: ChildProcess; output: () => string } => {
    const shell = spawn('sh', ['-c', command], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    shell.stdout?.on('data', (part) => {
      output += String(part);
    });
    return { shell, output: () => output };
  };

  const signalled = start();
  await eventually('it runs', () => signalled.output().includes('pid'));
  const { flags, pid } = JSON.parse(signalled.output()) as { flags: string[]; pid: number };
  assert.deepEqual(flags, ['start', '--port', '0']);
  process.kill(pid, 'SIGTERM');
  await eventually('the shell has ended', () => signalled.shell.exitCode !== null);
  assert.match(signalled.output(), /stopped\nexit code 7\n$/);

  const left = start();
  await eventually('it runs', () => left.output().includes('pid'));
  left.shell.kill('SIGKILL');
  await eventually('it stops when its shell is gone', () => left.output().endsWith('stopped\n'));
});
