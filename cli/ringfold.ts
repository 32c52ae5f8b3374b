#!/usr/bin/env node
// The command line: picks the command. One file per command stands in commands/.

import { version } from '../src/version.ts';
import type { Command } from './command.ts';
import { checkNode } from './commands/check-node.ts';
import { merge } from './commands/merge.ts';
import { move } from './commands/move.ts';
import { partitions } from './commands/partitions.ts';
import { scrub } from './commands/scrub.ts';
import { serve } from './commands/serve.ts';
import { split } from './commands/split.ts';
import { start } from './commands/start.ts';
import { status } from './commands/status.ts';
import { throughput } from './commands/throughput.ts';
import { describeError } from './describe-error.ts';

const commands: readonly Command[] = [
  start,
  status,
  partitions,
  throughput,
  split,
  merge,
  move,
  scrub,
  checkNode,
];

const [name = '--help', ...rest] = process.argv.slice(2);
process.exitCode = await run(name, rest);

async function run(name: string, commandArguments: readonly string[]): Promise<number> {
  if (name === '--version' || name === '-v') {
    console.log(version);
    return 0;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(overview());
    return 0;
  }
  // Not in the list: only `start` runs it.
  const command = name === 'serve' ? serve : commands.find((one) => one.name === name);
  if (command === undefined) {
    console.error(`ringfold: there is no command "${name}".\n\n${overview()}`);
    return 2;
  }
  if (commandArguments.includes('--help') || commandArguments.includes('-h')) {
    console.log(`Usage: ringfold ${command.name} ${command.usage}\n\n${command.help()}`);
    return 0;
  }
  try {
    return await command.run(commandArguments);
  } catch (error) {
    console.error(`ringfold: ${describeError(error)}`);
    return 1;
  }
}

function overview(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return `Ringfold ${version}: a database with Azure Cosmos DB's partitioning.\n\nUsage: ringfold COMMAND [FLAGS]\n\n${lines.join('\n')}\n\nringfold COMMAND --help says more.`;
}
