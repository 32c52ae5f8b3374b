import { askServer, parseCommand, serverFlagsHelp } from '../admin-client.ts';
import type { Command } from '../command.ts';
import { textTable } from '../text-table.ts';

export const scrub: Command = {
  name: 'scrub',
  usage: '[FLAGS]',
  summary: 'compare all replicas now, and repair what can be decided',
  help: () => serverFlagsHelp,
  run: async (commandArguments) => {
    const { flags, server } = parseCommand(commandArguments, 0);
    const report = (await askServer(server, 'POST', 'scrub')) as Record<string, unknown>;
    console.log(flags['json'] ? JSON.stringify(report, undefined, 2) : textTable([report]));
    return 0;
  },
};
