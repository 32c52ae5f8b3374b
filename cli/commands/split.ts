import { askServer, parseCommand, serverFlagsHelp } from '../admin-client.ts';
import type { Command } from '../command.ts';
import { printMap, wholeNumber } from '../partition-map-text.ts';

export const split: Command = {
  name: 'split',
  usage: 'CONTAINER PARTITION [FLAGS]',
  summary: 'divide a physical partition in two',
  help: () =>
    `  --at WHERE      midpoint (the default), median, or a ring position in hexadecimal\n${serverFlagsHelp}`,
  run: async (commandArguments) => {
    const { positionals, flags, server } = parseCommand(commandArguments, 2, ['at']);
    const [container, partition] = positionals.map(wholeNumber);
    const answer = await askServer(server, 'POST', `containers/${container}/split`, {
      partition,
      at: flags['at'],
    });
    printMap(answer, flags['json'] === true);
    return 0;
  },
};
