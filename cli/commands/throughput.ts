import type { ThroughputView } from '../../src/execution/describe-throughput.ts';
import { askServer, parseCommand, serverFlagsHelp } from '../admin-client.ts';
import { type Command, CommandFailure } from '../command.ts';
import { wholeNumber } from '../partition-map-text.ts';
import { describeThroughputView, throughputTable } from '../throughput-text.ts';

const changeFlags = [
  'set',
  'autoscale',
  'migrate',
  'give',
  'take-from',
  'policy',
  'bucket',
  'merge',
] as const;

export const throughput: Command = {
  name: 'throughput',
  usage: '[CONTAINER] [ONE CHANGE] [FLAGS]',
  summary: 'request units: what is set, what is used, and changing it',
  help: () =>
    [
      'Without a container: all of them. With one and no change: all about it.',
      '  --database NAME     a database whose containers share, instead of a container; its stretches of ring are its partitions',
      '  --set N             manual throughput of N RU/s',
      '  --autoscale N       autoscale up to N RU/s',
      '  --migrate KIND      to autoscale, to manual, or (from serverless) to provisioned; then the figure can be changed',
      '  --give P=N,...      physical partition P gets N RU/s, the total follows',
      '  --take-from P,...   with --give: these partitions give what the others gain, and the total stays',
      '  --policy equal      all physical partitions have the same again',
      '  --merge P,P         of a database: two neighbouring stretches become one',
      '  --bucket ID=%,...   throughput buckets 1 to 5, each at most so much of the throughput; "none" removes them',
      serverFlagsHelp,
    ].join('\n'),
  run: async (commandArguments) => {
    const { positionals, flags, server } = parseCommand(
      commandArguments,
      [0, 1],
      [...changeFlags, 'database'],
    );
    const [container] = positionals.map(wholeNumber);
    const change = changeIn(flags);
    const asJson = flags['json'] === true;
    const database = flags['database'] as string | undefined;
    if (container !== undefined && database !== undefined)
      throw new CommandFailure('a container or a database, not both');
    if (container === undefined && database === undefined) {
      if (change !== undefined) throw new CommandFailure('a change needs a container or a database');
      const answer = (await askServer(server, 'GET', 'throughput')) as {
        throughput: readonly ThroughputView[];
      };
      console.log(asJson ? JSON.stringify(answer, undefined, 2) : throughputTable(answer.throughput));
      return 0;
    }
    const path =
      database === undefined
        ? `containers/${container}/throughput`
        : `databases/${encodeURIComponent(database)}/throughput`;
    const method = change === undefined ? 'GET' : 'PUT';
    const answer = (await askServer(server, method, path, change)) as ThroughputView;
    console.log(asJson ? JSON.stringify(answer, undefined, 2) : describeThroughputView(answer));
    return 0;
  },
};

/** The body of the request; undefined when nothing is to be changed. More than one change is left for the server to refuse. */
function changeIn(flags: Readonly<Record<string, string | boolean | undefined>>): object | undefined {
  const text = (flag: (typeof changeFlags)[number]): string | undefined => flags[flag] as string | undefined;
  const [set, autoscale, give, takeFrom, bucket] = [
    text('set'),
    text('autoscale'),
    text('give'),
    text('take-from'),
    text('bucket'),
  ];
  const change = {
    ruPerSecond: set === undefined ? undefined : wholeNumber(set),
    maxRuPerSecond: autoscale === undefined ? undefined : wholeNumber(autoscale),
    migrateTo: text('migrate'),
    targets: give === undefined ? undefined : Object.fromEntries(pairsIn(give)),
    sources: takeFrom?.split(',').map(wholeNumber),
    policy: text('policy'),
    mergeStretches: text('merge')?.split(',').map(wholeNumber),
    controlBuckets:
      bucket === undefined
        ? undefined
        : pairsIn(bucket).map(([id, maxThroughputPercentage]) => ({ id, maxThroughputPercentage })),
  };
  return Object.values(change).some((value) => value !== undefined) ? change : undefined;
}

/** `3=5000,4=1000`; "none" is an empty list. */
function pairsIn(text: string): (readonly [id: number, value: number])[] {
  if (text === 'none') return [];
  return text.split(',').map((pair) => {
    const [id = '', value = ''] = pair.split('=');
    return [wholeNumber(id), wholeNumber(value)] as const;
  });
}
