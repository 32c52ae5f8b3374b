// npm run simulate -- SEED [COUNT] [--fault NAME] [--verbose]
// Runs that many seeds from the given one. A failing seed prints its history of faults and the rule that was broken.

import { parseArgs } from 'node:util';
import type { PlantedFault } from '../../src/replication/store-settings.ts';
import { Simulation, type SimulationResult } from './simulation.ts';

const plantedFaults: readonly PlantedFault[] = [
  'acknowledge-at-two',
  'skip-sync',
  'write-on-after-failure',
  'join-without-epochs',
  'skip-entry-in-catch-up',
  'copy-without-clearing',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fault: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    'keep-going': { type: 'boolean', default: false },
  },
});
const firstSeed = Number(positionals[0] ?? 1);
const count = Number(positionals[1] ?? 1);
const plantedFault = plantedFaults.find((name) => name === values.fault);
if (
  !Number.isInteger(firstSeed) ||
  !Number.isInteger(count) ||
  (values.fault !== undefined && plantedFault === undefined)
) {
  console.error(
    `usage: simulate SEED [COUNT] [--fault ${plantedFaults.join(' | ')}] [--verbose] [--keep-going]`,
  );
  process.exit(2);
}

const startedAt = performance.now();
let failures = 0;
let runs = 0;
let operations = 0;
let lives = 0;
for (let seed = firstSeed; seed < firstSeed + count; seed++) {
  const result = await new Simulation(seed, plantedFault, values.verbose).run();
  runs++;
  operations += result.operations;
  lives += result.lives;
  if (result.violation !== undefined) {
    failures++;
    report(result);
    if (!values['keep-going']) break;
  } else if (values.verbose) for (const line of result.history) console.log(line);
}
const seconds = (performance.now() - startedAt) / 1000;
console.log(
  `${runs} seeds, ${failures} failed, ${operations} operations, ${lives} lives, ${seconds.toFixed(1)} s (${(runs / seconds).toFixed(1)} seeds/s)`,
);
process.exit(failures > 0 ? 1 : 0);

function report({ seed, violation, history }: SimulationResult): void {
  console.log(`seed ${seed} failed`);
  for (const line of values.verbose ? history : history.slice(-40)) console.log(line);
  console.log(
    violation instanceof Error
      ? violation.name === 'Violation'
        ? violation.message
        : violation.stack
      : violation,
  );
}
