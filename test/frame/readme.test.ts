// What README.md shows is run as it stands there.

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositoryRoot } from '../support/repository.ts';
import { eventually, runCommand, StartedRingfold, temporaryDirectory } from '../support/start-ringfold.ts';

const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');

interface Step {
  readonly command: string;
  /** Empty where the README shows none. */
  readonly output: string;
}

function consoleSteps(): Step[] {
  const blocks = [...readme.matchAll(/```console\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...output] = step.split('\n');
        return { command, output: output.join('\n').trim() };
      }),
  );
}

/** A word is quoted or free of blanks. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** The few flags of curl that the README uses, so that the test needs no curl. */
async function runStep(command: string, port: number): Promise<string> {
  const words = wordsOf(command.replaceAll(':8081', `:${port}`));
  if (words[0] === 'node') {
    const { code, stdout, stderr } = await runCommand([...words.slice(2), '--port', String(port)]);
    assert.equal(code, 0, stderr);
    return stdout;
  }
  assert.equal(words[0], 'curl');
  const init: { method?: string; body?: string; headers?: Record<string, string> } = {};
  let url = '';
  for (let at = 1; at < words.length; at++) {
    const [word = '', next = ''] = [words[at], words[at + 1]];
    if (word === '-X') init.method = next;
    else if (word === '-d') init.body = next;
    else if (word === '-H') init.headers = Object.fromEntries([next.split(': ')]);
    else url = word;
    if (word.startsWith('-')) at++;
  }
  const response = await fetch(url, init);
  assert.ok(response.ok, `${command}: ${response.status}`);
  return response.text();
}

test('the greeting is the one that the README shows', async (context) => {
  const dataDir = temporaryDirectory(context);
  const server = StartedRingfold.startForPeople(context, ['--port', '0', '--data-dir', dataDir]);
  await eventually('it is ready', () => server.stdout.includes('Ctrl-C'));
  const [, shown = ''] = /```\n(Ringfold .*?)```/s.exec(readme) ?? [];
  const port = /127\.0\.0\.1:(\d+)/.exec(server.stdout)?.[1] ?? '';
  const greeting = server.stdout.replaceAll(port, '8081').replace(dataDir, '/home/you/ringfold/data');
  assert.ok(shown.length > 0 && greeting.startsWith(shown), `${greeting}\n≠\n${shown}`);
  await server.end('SIGTERM');
});

test('the commands of the README do what it shows, and the row survives a restart and a lost row store', async (context) => {
  const dataDir = temporaryDirectory(context);
  const first = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  const steps = consoleSteps();
  assert.ok(steps.length >= 5);
  for (const { command, output } of steps) {
    const answer = await runStep(command, first.port);
    if (output !== '') assert.equal(answer.trim(), output);
  }
  await first.end('SIGTERM');
  const second = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  rmSync(join(dataDir, 'node-2', 'rows'), { recursive: true });
  const reading = steps.find(({ output }) => output === 'hello')?.command ?? '';
  assert.equal(await runStep(reading, second.port), 'hello');
  assert.equal(await second.end('SIGTERM'), 0);
});
