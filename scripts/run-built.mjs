// `npm run simulate -- SEED [COUNT]` and `npm run bench -- NAME [FLAGS]`: makes the clone ready and runs a built program.

import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { listSources, makeReady, outputOf } from './ready.mjs';

makeReady();
const [what, ...rest] = process.argv.slice(2);
if (what === 'bench') {
  const [name, ...flags] = rest;
  const names = listSources('.bench.ts').map((source) => basename(source, '.bench.ts'));
  if (name === undefined || !names.includes(name)) {
    console.error(`Usage: npm run bench -- NAME [--long]\nNames: ${names.join(', ') || 'none yet'}`);
    process.exit(2);
  }
  runBuilt(`bench/${name}.bench.ts`, flags);
} else {
  runBuilt('test/simulation/simulate.ts', rest);
}

function runBuilt(source, programArguments) {
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', '--expose-gc', outputOf(source), ...programArguments],
    {
      stdio: 'inherit',
      // libuv reads this once, before the first use of its pool: too late for the program itself to set.
      env: { UV_THREADPOOL_SIZE: '16', ...process.env },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal !== null) console.error(`ended by ${signal}`);
    process.exit(code ?? 1);
  });
}
