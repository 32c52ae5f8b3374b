#!/usr/bin/env node
// The command line: picks the command. One file per command stands in commands/.

import { version } from '../src/version.ts';
import type { Command } from './command.ts';
import { describeError } from './describe-error.ts';

/** In the order of the overview. Each is loaded when it is wanted: a server is ready the sooner the less else there is to load. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./commands/start.ts')).start,
  status: async () => (await import('./commands/status.ts')).status,
  partitions: async () => (await import('./commands/partitions.ts')).partitions,
  throughput: async () => (await import('./commands/throughput.ts')).throughput,
  split: async () => (await import('./commands/split.ts')).split,
  merge: async () => (await import('./commands/merge.ts')).merge,
  move: async () => (await import('./commands/move.ts')).move,
  scrub: async () => (await import('./commands/scrub.ts')).scrub,
  'check-node': async () => (await import('./commands/check-node.ts')).checkNode,
};
/** Not in the overview: only `start` runs it. */
const serve = async (): Promise<Command> => (await import('./commands/serve.ts')).serve;

const [name = '--help', ...rest] = process.argv.slice(2);
process.exitCode = await run(name, rest);

async function run(name: string, commandArguments: readonly string[]): Promise<number> {
  if (name === '--version' || name === '-v') {
    console.log(version);
    return 0;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(await overview());
    return 0;
  }
  const load = name === 'serve' ? serve : Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) {
    console.error(`ringfold: there is no command "${name}".\n\n${await overview()}`);
    return 2;
  }
  const command = await load();
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

async function overview(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  const width = Math.max(...all.map((command) => command.name.length));
  const lines = all.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return `Ringfold ${version}: a database with Azure Cosmos DB's partitioning.\n\nUsage: ringfold COMMAND [FLAGS]\n\n${lines.join('\n')}\n\nringfold COMMAND --help says more.`;
}
