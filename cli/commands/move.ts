import { askServer, parseCommand, serverFlagsHelp } from '../admin-client.ts';
import type { Command } from '../command.ts';
import { printMap, wholeNumber } from '../partition-map-text.ts';

export const move: Command = {
  name: 'move',
  usage: 'CONTAINER PARTITION FROM TO [FLAGS]',
  summary: 'move a replica from one storage node to another',
  help: () => serverFlagsHelp,
  run: async (commandArguments) => {
    const { positionals, flags, server } = parseCommand(commandArguments, 4);
    const [container, partition, from, to] = positionals.map(wholeNumber);
    const answer = await askServer(server, 'POST', `containers/${container}/move`, { partition, from, to });
    printMap(answer, flags['json'] === true);
    return 0;
  },
};
