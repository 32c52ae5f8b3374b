// Runs the tests: `npm test`, or `npm test -- partition-map layers` for the files whose path contains one of these words.
// The list is made from the sources, each file runs in a process of its own, and a list or a file without a test is a
// failure, because a runner that finds nothing would otherwise be green. The last line counts.

import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { listSources, makeReady, outputOf } from './ready.mjs';

// A file that hangs is ended and counted as failed; the longest of ours takes a good minute on a quiet machine.
const fileTimeoutMs = 280_000;
// A test that talks without end is cut to the end of what it said.
const maxOutputLines = 200;

makeReady();

const words = process.argv.slice(2);
const files = listSources('.test.ts').filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
);
// The longest start first, so that none of them is alone at the end.
const heaviest = ['test/simulation/', 'test/crash/', 'test/'];
const turnOf = (file) => {
  const turn = heaviest.findIndex((folder) => file.startsWith(folder));
  return turn === -1 ? heaviest.length : turn;
};
files.sort((a, b) => turnOf(a) - turnOf(b));

const start = performance.now();
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    process.exitCode = 1;
    interrupt.abort();
  });
}
process.setSourceMapsEnabled(true);
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --enable-source-maps`.trim();

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const waiting = [...files];
const workers = Math.min(4, availableParallelism());
await Promise.all(Array.from({ length: workers }, work));
report();

async function work() {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (interrupt.signal.aborted) return;
    await runFile(file);
  }
}

async function runFile(file) {
  const path = outputOf(file);
  const began = performance.now();
  const count = { passed: 0, failed: 0, skipped: 0 };
  const output = [];
  const fail = (name, error) => {
    count.failed += 1;
    failures.push({ file, name, error });
  };
  for await (const { type, data } of run({
    files: [path],
    timeout: fileTimeoutMs,
    signal: interrupt.signal,
  })) {
    if (type === 'test:stdout' || type === 'test:stderr') output.push(data.message);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isFile = data.name === path;
    const isSuite = data.details.type === 'suite';
    if (type === 'test:fail') {
      // A suite or file that failed only because of the tests inside it has been counted by them.
      if (data.details.error.failureType !== 'subtestsFailed')
        fail(isFile ? 'the file as a whole' : data.name, data.details.error);
    } else if (isFile) {
      fail('the file as a whole', new Error('it holds no test'));
    } else if (data.skip !== undefined || data.todo !== undefined) {
      count.skipped += 1;
    } else if (!isSuite) {
      count.passed += 1;
    }
  }
  for (const key of Object.keys(total)) total[key] += count[key];
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${count.failed === 0 ? 'ok  ' : 'FAIL'} ${file} (${inWords(count)}, ${seconds} s)`);
  if (output.length > 0) process.stdout.write(indent(lastLines(output.join(''))));
}

function report() {
  for (const { file, name, error } of failures) {
    const cause = error.cause ?? error;
    console.log(
      `\nFAILED ${file}: ${name}\n${indent(typeof cause === 'string' ? cause : inspect(cause, { depth: 8 }))}`,
    );
    if (error.exitCode !== undefined) console.log(`    exit code ${error.exitCode}, signal ${error.signal}`);
  }
  if (files.length === 0)
    console.log(
      words.length === 0 ? 'No test files were found.' : `No test file is named like: ${words.join(', ')}`,
    );
  if (interrupt.signal.aborted) console.log('Interrupted.');
  if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
  console.log(`\n${inWords(total)} (${Math.round((performance.now() - start) / 1000)} s)`);
}

function inWords({ passed, failed, skipped }) {
  return `passed ${passed}, failed ${failed}, skipped ${skipped}`;
}

function lastLines(text) {
  const lines = text.trimEnd().split('\n');
  const leftOut = lines.length - maxOutputLines;
  return leftOut <= 0 ? text : `(${leftOut} lines left out)\n${lines.slice(leftOut).join('\n')}`;
}

function indent(text) {
  return `${text.trimEnd().replace(/^/gm, '    ')}\n`;
}
