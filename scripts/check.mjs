// `npm run check`: everything that can be said about the sources without running them. All checks run even when one
// fails, so that one look shows all there is to do.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install, requireNode, root } from './ready.mjs';

requireNode();
install();

const tools = join(root, 'node_modules');
const checks = [
  [
    'biome (format, lint, layers)',
    join(tools, '@biomejs/biome/bin/biome'),
    ['check', '--error-on-warnings', '.'],
  ],
  ['tsc (types)', join(tools, 'typescript/bin/tsc'), ['--noEmit', '--incremental', 'false']],
  ['knip (dead code)', join(tools, 'knip/bin/knip.js'), []],
];

const failed = [];
for (const [name, program, programArguments] of checks) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, [program, ...programArguments], {
    cwd: root,
    stdio: 'inherit',
  });
  console.log(
    `${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`,
  );
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.log(`check failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
