// `npm run bench -- nosql`: what NoSQL requests cost, signed and over keep-alive connections, driven by a load generator in a process
// of its own. bench/README.md says how to read it. This file is also what that process and the null server's run.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/foundation/clock.ts';
import { accountKeysFrom, wellKnownKey } from '../src/protocol/nosql/account-keys.ts';
import { Authorization } from '../src/protocol/nosql/authorization.ts';
import { EntraTokens } from '../src/protocol/nosql/entra-tokens.ts';
import { parseResourcePath } from '../src/protocol/nosql/resource-path.ts';
import { ResourceTokens } from '../src/protocol/nosql/resource-tokens.ts';
import { startRingfold } from './cql-servers.ts';
import { machineLine } from './machine-line.ts';
import {
  type LoadOrder,
  type LoadResult,
  type PrepareOrder,
  type Report,
  runGenerator,
} from './nosql-generator.ts';
import { makeRequest, type NosqlTarget, type OperationName, operationNames } from './nosql-requests.ts';
import { makeScratchDirectory } from './scratch-directory.ts';
import { processCpuSeconds, whenProcessIdle } from './server-process.ts';
import { count, decimals, table } from './table.ts';

const program = fileURLToPath(import.meta.url);

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: operationNames.join(',') },
    /** Connections x requests in flight on each, with commas between. SDKs have one in flight on each. */
    settings: { type: 'string', default: '1x1,16x1,64x1,16x8' },
    seconds: { type: 'string' },
    'ringfold-flags': { type: 'string', default: '' },
    /** Leaves a CPU profile of the server in this directory. */
    profile: { type: 'string' },
    /** Not for people: which of its processes this is. */
    role: { type: 'string', default: 'bench' },
  },
});

interface Figures {
  readonly server: string;
  readonly operation: OperationName;
  readonly setting: string;
  readonly perSecond: number;
  readonly serverMicros: number;
  readonly generatorMicros: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly errors: number;
}

interface Served {
  readonly name: string;
  readonly target: NosqlTarget;
  readonly pid: number;
}

if (flags.role === 'generator') runGenerator();
else if (flags.role === 'null-server') runNullServer();
else await main();

/** node:http with nothing behind it: what it costs to carry a request at all. */
function runNullServer(): void {
  const body = `{"id":"x","padding":"${'x'.repeat(1_150)}"}`;
  const server = createServer((request, response) => {
    const answer = (): void => {
      response.writeHead(200, ['content-type', 'application/json', 'content-length', String(body.length)]);
      response.end(body);
    };
    if (request.method === 'GET') answer();
    else request.on('data', () => {}).on('end', answer);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit(0));
}

async function main(): Promise<void> {
  const items = flags.quick ? 5_000 : 20_000;
  const seconds = Number(flags.seconds ?? (flags.quick ? 1 : 4));
  const directory = makeScratchDirectory();
  console.log(machineLine());
  console.log(signatureCost());
  const generator = forked('generator');
  const nullServer = forked('null-server');
  const [nullPort] = (await once(nullServer, 'message')) as [number];
  const profiler = flags.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', flags.profile];
  const more = flags['ringfold-flags'].split(' ').filter((flag) => flag !== '');
  const beganMs = performance.now();
  const ringfold = await startRingfold(join(directory, 'ringfold'), profiler, more);
  console.log(`ready after ${Math.round(performance.now() - beganMs)} ms`);
  const target = { host: '127.0.0.1', port: ringfold.httpPort ?? 0, key: wellKnownKey };
  const pid = ringfold.pid ?? 0;
  console.log(`idle: ${await idleCost(pid)}`);
  await order(generator, { kind: 'prepare', target, items });
  // What it frees and merges after so many writes belongs to them.
  await sleep(10_000);
  console.log(`idle with ${count(items)} items: ${await idleCost(pid)}`);
  const servers: Served[] = [
    { name: 'node:http', target: { ...target, port: nullPort }, pid: nullServer.pid ?? 0 },
    { name: 'Ringfold', target, pid },
  ];
  const figures: Figures[] = [];
  for (const operation of flags.only.split(',') as OperationName[]) {
    for (const server of servers)
      await measure(generator, server, { operation, connections: 16, inFlight: 4, seconds, items });
    for (const setting of flags.settings.split(',')) {
      const [connections = 1, inFlight = 1] = setting.split('x').map(Number);
      for (const server of servers)
        figures.push(await measure(generator, server, { operation, connections, inFlight, seconds, items }));
    }
    console.log(`\n${figuresTable(operation, figures)}`);
  }
  if (flags.json) console.log(JSON.stringify(figures));
  console.log(`\nload at the end ${loadavg()[0]?.toFixed(1)}`);
  await ringfold.stop();
  process.exit(0);
}

async function measure(
  generator: ChildProcess,
  { name, target, pid }: Served,
  plan: Omit<LoadOrder, 'kind' | 'target'>,
): Promise<Figures> {
  const before = processCpuSeconds(pid);
  const result = await order(generator, { kind: 'load', target, ...plan });
  if (result === undefined) throw new Error('the generator has no figures');
  if (plan.operation !== 'point-read') await whenProcessIdle(pid, 10);
  const cpuSeconds = processCpuSeconds(pid) - before;
  if (result.firstError !== undefined) console.error(result.firstError);
  return {
    server: name,
    operation: plan.operation,
    setting: `${plan.connections}x${plan.inFlight}`,
    perSecond: result.operations / result.seconds,
    serverMicros: (cpuSeconds * 1e6) / result.operations,
    generatorMicros: (result.cpuSeconds * 1e6) / result.operations,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    errors: result.errors,
  };
}

function figuresTable(operation: OperationName, figures: readonly Figures[]): string {
  return table(
    [operation, 'per second', 'server CPU µs', 'generator CPU µs', 'p50 ms', 'p99 ms', 'errors'],
    figures
      .filter((each) => each.operation === operation)
      .map((each) => [
        `${each.server} ${each.setting}`,
        count(each.perSecond),
        decimals(each.serverMicros),
        decimals(each.generatorMicros),
        decimals(each.p50Ms, 2),
        decimals(each.p99Ms, 2),
        count(each.errors),
      ]),
  );
}

/** Of the signature alone, in this process: what a point read would cost less if nobody had to sign. */
function signatureCost(): string {
  const keys = accountKeysFrom({});
  const authorization = new Authorization({
    keys,
    tokens: new ResourceTokens(Buffer.alloc(32)),
    entra: new EntraTokens(undefined, []),
    clock: systemClock,
  });
  const made = makeRequest({ host: 'localhost', port: 1, key: wellKnownKey }, 'point-read', 1);
  const [line = '', ...rest] = made.bytes.toString('latin1').split('\r\n');
  const headers = new Map(rest.filter(Boolean).map((text) => text.split(': ', 2) as [string, string]));
  const url = line.split(' ')[1] ?? '';
  const check = (times: number): number => {
    const cpu = process.cpuUsage();
    for (let at = 0; at < times; at++)
      authorization.principalOf('GET', parseResourcePath(url), headers, () => true);
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / times;
  };
  check(50_000);
  return `path and signature of a point read: ${decimals(check(100_000))} µs of CPU`;
}

async function idleCost(pid: number): Promise<string> {
  await whenProcessIdle(pid, 10);
  const seconds = 10;
  const before = processCpuSeconds(pid);
  await sleep(seconds * 1_000);
  const share = ((processCpuSeconds(pid) - before) / seconds) * 100;
  const rssKb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
  return `${decimals(share)} % of a core, ${Math.round(rssKb / 1_024)} MB`;
}

function forked(role: string): ChildProcess {
  const child = fork(program, ['--role', role], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  process.on('exit', () => child.kill());
  return child;
}

async function order(
  generator: ChildProcess,
  wanted: LoadOrder | PrepareOrder,
): Promise<LoadResult | undefined> {
  generator.send(wanted);
  const [report] = (await once(generator, 'message')) as [Report];
  if ('failure' in report) throw new Error(report.failure);
  return report.result;
}
