// Runs the tests: `npm test`, or `npm test -- partition-map layers` for the files whose path contains one of these words.
// The list is made from the sources, files share processes as test-order.mjs says, and a list or a file without a test is a
// failure, because a runner that finds nothing would otherwise be green. The last line counts.

import { availableParallelism } from 'node:os';
import { inspect } from 'node:util';
import { listSources, makeReady } from './ready.mjs';
import { runTestFile, runTogether } from './run-test-files.mjs';
import { inProcesses } from './test-order.mjs';

// A file that hangs is ended and counted as failed; the longest of ours takes a good minute on a quiet machine.
const fileTimeoutMs = 420_000;
// Of each of those that share a process: they take seconds, but may also run on a slow Cassandra.
const togetherTimeoutMs = 30_000;
const onlyTogether = 'their process died, hung or failed besides its tests; one by one they pass';
// A test that talks without end is cut to the end of what it said.
const maxOutputLines = 200;

makeReady();

const words = process.argv.slice(2);
const files = listSources('.test.ts').filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
);
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
const waiting = inProcesses(files);
const workers = Math.min(4, availableParallelism());
await Promise.all(Array.from({ length: workers }, work));
report();

async function work() {
  for (let together = waiting.shift(); together !== undefined; together = waiting.shift()) {
    if (interrupt.signal.aborted) return;
    await runProcess(together);
  }
}

async function runProcess(together) {
  const { signal } = interrupt;
  let badEnd;
  if (together.length > 1) {
    const { results, place } = await runTogether(together, together.length * togetherTimeoutMs, signal);
    if (results !== undefined) {
      for (const result of results) tell(result);
      return;
    }
    badEnd = place;
    console.log(
      `the process of ${together.length} files ended badly (${place}), so they are run one by one:`,
    );
  }
  let failed = 0;
  for (const file of together) {
    if (signal.aborted) return;
    const result = await runTestFile(file, fileTimeoutMs, signal);
    failed += result.failed;
    tell(result);
  }
  if (together.length === 1 || failed > 0) return;
  total.failed += 1;
  const name = `in one process, which ended at ${badEnd}`;
  failures.push({ file: together.join(', '), name, error: new Error(onlyTogether) });
}

function tell(result) {
  for (const key of Object.keys(total)) total[key] += result[key];
  failures.push(...result.failures);
  const seconds = (result.ms / 1000).toFixed(1);
  console.log(`${result.failed === 0 ? 'ok  ' : 'FAIL'} ${result.file} (${inWords(result)}, ${seconds} s)`);
  // Here too, for whoever has only a part of a long output.
  for (const { name, error } of result.failures) console.log(`     ${name}: ${firstLineOf(error)}`);
  if (result.output.length > 0) process.stdout.write(indent(lastLines(result.output.join(''))));
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

function firstLineOf(error) {
  const cause = error.cause ?? error;
  return String(cause.message ?? cause).split('\n', 1)[0];
}

function indent(text) {
  return `${text.trimEnd().replace(/^/gm, '    ')}\n`;
}
