import { checkRows } from '../../src/storage/directory-node.ts';
import { type Command, CommandFailure } from '../command.ts';

export const checkNode: Command = {
  name: 'check-node',
  usage: 'DIR',
  summary: 'read every row of a storage node that no server uses',
  help: () => '  DIR  the directory of the storage node, e.g. data/node-2',
  run: async (commandArguments) => {
    const [directory] = commandArguments;
    if (directory === undefined || commandArguments.length !== 1)
      throw new CommandFailure('it needs one directory');
    const { rows, unsound } = await checkRows(directory);
    console.log(`${directory}: ${rows} rows, ${unsound} with a wrong checksum`);
    return unsound === 0 ? 0 : 1;
  },
};
