// latte, a load tool written in Rust: it makes its table, loads it, and reads and writes it for some seconds. Prints `ok NAME` or
// `not ok NAME: why` for each step. `node run.mjs LATTE`, with RINGFOLD_CQL in the environment.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const [latte] = process.argv.slice(2);
const rows = 2_000;
const workload = join(import.meta.dirname, 'workload.rn');

step('latte makes a schema', ['schema', workload]);
step('latte erases and loads a table', ['load', workload, '-P', `rows=${rows}`]);
for (const name of ['read', 'write'])
  step(`latte runs a load of prepared statements: ${name}`, [
    'run',
    workload,
    '-q',
    '-f',
    name,
    '-P',
    `rows=${rows}`,
    '-d',
    String(rows),
    '-p',
    '64',
  ]);

function step(name, commandArguments) {
  const { status, stdout, stderr } = spawnSync(latte, [...commandArguments, process.env.RINGFOLD_CQL], {
    encoding: 'utf8',
  });
  const output = `${stdout}${stderr}`;
  const problem = status === 0 ? problemIn(commandArguments[0], output) : `it ended with ${status}`;
  console.log(problem === undefined ? `ok ${name}` : `not ok ${name}: ${problem}: ${lastLine(output)}`);
}

/** A run that failed ends with 0 all the same and counts its errors. */
function problemIn(command, output) {
  if (command !== 'run') return undefined;
  const cycles = /Cycles +\[op\] +(\d+)/.exec(output)?.[1];
  const errors = /Errors +\[op\] +(\d+)/.exec(output)?.[1];
  return Number(cycles) === rows && Number(errors) === 0 ? undefined : `${cycles} cycles, ${errors} errors`;
}

function lastLine(output) {
  return output.trimEnd().split('\n').at(-1);
}
