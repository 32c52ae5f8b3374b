import { askServer, parseCommand, serverFlagsHelp } from '../admin-client.ts';
import type { Command } from '../command.ts';
import { textTable } from '../text-table.ts';

export const status: Command = {
  name: 'status',
  usage: '[FLAGS]',
  summary: 'storage nodes and how they are',
  help: () => serverFlagsHelp,
  run: async (commandArguments) => {
    const { flags, server } = parseCommand(commandArguments, 0);
    const answer = (await askServer(server, 'GET', 'status')) as StatusAnswer;
    console.log(flags['json'] ? JSON.stringify(answer, undefined, 2) : inWords(server.url, answer));
    return 0;
  },
};

interface StatusAnswer {
  readonly version: string;
  readonly nodes: readonly Record<string, unknown>[];
  readonly partitions: readonly { readonly state: string }[];
}

function inWords(server: string, { version, nodes, partitions }: StatusAnswer): string {
  const serving = partitions.filter(({ state }) => state === 'serving').length;
  const summary = `Ringfold ${version} at ${server}: ${serving} of ${partitions.length} physical partitions serve reads and writes.`;
  return `${summary}\n\n${textTable(nodes)}`;
}
