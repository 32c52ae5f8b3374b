import { CommandFailure } from './command.ts';
import { textTable } from './text-table.ts';

/** The map that the server answers a split, a merge or a move with. */
export function printMap(answer: unknown, asJson: boolean): void {
  const { container, version, partitions } = answer as {
    container: number;
    version: number;
    partitions: readonly {
      id: number;
      min: string;
      max: string;
      members: readonly number[];
      parents: readonly number[];
    }[];
  };
  if (asJson) {
    console.log(JSON.stringify(answer, undefined, 2));
    return;
  }
  const rows = partitions.map(({ id, min, max, members, parents }) => ({
    partition: id,
    from: min,
    to: max,
    nodes: members,
    parents,
  }));
  console.log(`Container ${container}, map version ${version}\n\n${textTable(rows)}`);
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CommandFailure(`"${text}" is not a whole number`);
  return Number(text);
}
