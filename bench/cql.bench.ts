// `npm run bench -- cql`: what CQL statements cost in Ringfold and in Apache Cassandra, driven by a load generator in a process of its
// own. bench/README.md says how to read it. This file is also what that process and the null server's run.

import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type CqlBenchPlan, measureCql } from './cql-comparison.ts';
import { runGenerator } from './cql-generator.ts';
import { NullServer } from './cql-null-server.ts';
import { cassandraAims, cassandraAimsTable, cqlFiguresTable, type Setting } from './cql-report.ts';
import {
  addressFrom,
  type BenchServer,
  runningServer,
  startCassandra,
  startNullServer,
  startRingfold,
} from './cql-servers.ts';
import { operationNames } from './cql-workload.ts';
import { machineLine } from './machine-line.ts';
import { makeScratchDirectory } from './scratch-directory.ts';

const program = fileURLToPath(import.meta.url);
const standardSettings = '1x1,4x32,16x32';
const serverNames: readonly string[] = ['null', 'ringfold', 'cassandra'];

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    /** About how long all of it takes. */
    seconds: { type: 'string' },
    /** Some of the operations, with commas between. */
    only: { type: 'string', default: operationNames.join(',') },
    /** Connections x requests in flight on each, with commas between. */
    settings: { type: 'string', default: standardSettings },
    /** Starts a Cassandra, which needs JDK 17 and Maven. */
    'with-cassandra': { type: 'boolean', default: false },
    /** Where a Cassandra listens that is to be used instead of a new one. */
    cassandra: { type: 'string' },
    /** Its process, where it cannot be found by its port. */
    'cassandra-pid': { type: 'string' },
    /** Where a Ringfold listens that is to be used instead of a new one. */
    ringfold: { type: 'string' },
    /** More flags for the Ringfold that is started. */
    'ringfold-flags': { type: 'string', default: '' },
    /** Leaves a CPU profile of the Ringfold that is started in this directory. */
    profile: { type: 'string' },
    /** Which servers, with commas between; the null server alone tells what the generator costs. */
    servers: { type: 'string', default: serverNames.join(',') },
    /** Not for people: which of its processes this is. */
    role: { type: 'string', default: 'bench' },
  },
});

if (flags.role === 'generator') runGenerator();
else if (flags.role === 'null-server') await runNullServer();
else await main();

async function runNullServer(): Promise<void> {
  process.on('disconnect', () => process.exit(0));
  process.send?.(await new NullServer().listen());
}

async function main(): Promise<void> {
  const plan = wantedPlan();
  const directory = makeScratchDirectory();
  console.log(machineLine());
  const servers = await startServers(directory);
  for (const { name, address, pid } of servers)
    console.log(`${name}: ${address.host}:${address.port}, process ${pid ?? 'unknown: its CPU is not told'}`);
  const figures = await measureCql(program, servers, plan, (operation, measured) =>
    console.log(`\n${cqlFiguresTable(operation, measured)}`),
  );
  const aims = cassandraAims(figures);
  if (aims.length > 0) console.log(`\n${cassandraAimsTable(aims)}`);
  console.log(`\nload at the end ${loadavg()[0]?.toFixed(1)}`);
  if (flags.json) console.log(JSON.stringify({ figures, aims }));
  await Promise.all(servers.map(({ stop }) => stop()));
  process.exit(0);
}

async function startServers(directory: string): Promise<BenchServer[]> {
  const wanted = flags.servers.split(',');
  if (!wanted.every((name) => serverNames.includes(name)))
    refuse(`--servers takes some of ${serverNames.join(',')}`);
  const servers: BenchServer[] = [];
  if (wanted.includes('null')) servers.push(await startNullServer(program));
  if (wanted.includes('ringfold')) servers.push(await wantedRingfold(join(directory, 'ringfold')));
  if (!wanted.includes('cassandra')) return servers;
  if (flags.cassandra !== undefined)
    servers.push(runningServer('Cassandra', addressFrom(flags.cassandra), wantedPid()));
  else if (flags['with-cassandra']) servers.push(await startCassandra(directory));
  else
    console.log('Nothing to compare with: --with-cassandra starts one, --cassandra HOST:PORT takes yours.');
  return servers;
}

async function wantedRingfold(directory: string): Promise<BenchServer> {
  if (flags.ringfold !== undefined) return runningServer('Ringfold', addressFrom(flags.ringfold));
  const profiler = flags.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', flags.profile];
  const more = flags['ringfold-flags'].split(' ').filter((flag) => flag !== '');
  return await startRingfold(directory, profiler, more);
}

function wantedPid(): number | undefined {
  const pid = flags['cassandra-pid'];
  return pid === undefined ? undefined : Number(pid);
}

function wantedPlan(): CqlBenchPlan {
  const operations = flags.only.split(',').map((name) => {
    const found = operationNames.find((known) => known === name);
    return found ?? refuse(`--only takes some of ${operationNames.join(',')}`);
  });
  const settings = flags.settings.split(',').map((text): Setting => {
    const [, connections, inFlight] =
      /^(\d+)x(\d+)$/.exec(text) ?? refuse('--settings takes e.g. 4x32,16x32');
    return { connections: Number(connections), inFlight: Number(inFlight) };
  });
  const isCompared = flags['with-cassandra'] || flags.cassandra !== undefined;
  const standard = (flags.quick ? 15 : 120) * (isCompared ? 3 : 1);
  const seconds = flags.seconds === undefined ? standard : Number(flags.seconds);
  if (!(seconds > 0)) refuse('--seconds takes a number above 0');
  const size = flags.quick ? { users: 20_000, owners: 400 } : { users: 100_000, owners: 2_000 };
  return { operations, settings, rounds: flags.quick ? 2 : 3, seconds, size };
}

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
