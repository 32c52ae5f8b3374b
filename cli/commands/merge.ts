import { askServer, parseCommand, serverFlagsHelp } from '../admin-client.ts';
import type { Command } from '../command.ts';
import { printMap, wholeNumber } from '../partition-map-text.ts';

export const merge: Command = {
  name: 'merge',
  usage: 'CONTAINER LEFT RIGHT [FLAGS]',
  summary: 'make one of two neighbouring physical partitions',
  help: () => serverFlagsHelp,
  run: async (commandArguments) => {
    const { positionals, flags, server } = parseCommand(commandArguments, 3);
    const [container, left, right] = positionals.map(wholeNumber);
    const answer = await askServer(server, 'POST', `containers/${container}/merge`, { left, right });
    printMap(answer, flags['json'] === true);
    return 0;
  },
};
