import { askServer, parseCommand, serverFlagsHelp } from '../admin-client.ts';
import type { Command } from '../command.ts';
import { textTable } from '../text-table.ts';

export const partitions: Command = {
  name: 'partitions',
  usage: '[FLAGS]',
  summary: 'physical partitions of all containers',
  help: () => serverFlagsHelp,
  run: async (commandArguments) => {
    const { flags, server } = parseCommand(commandArguments, 0);
    const answer = (await askServer(server, 'GET', 'status')) as {
      partitions: readonly Record<string, unknown>[];
    };
    console.log(
      flags['json'] ? JSON.stringify(answer.partitions, undefined, 2) : textTable(answer.partitions),
    );
    return 0;
  },
};
