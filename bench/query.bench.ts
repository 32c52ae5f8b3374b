// `npm run bench -- query`: what queries cost, in containers of several sizes: by an index, in an order, and by looking at every item.
// bench/README.md says how to read it.

import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { wellKnownKey } from '../src/protocol/nosql/account-keys.ts';
import type { Aim } from './aims.ts';
import { type BenchServer, startRingfold } from './cql-servers.ts';
import { machineLine } from './machine-line.ts';
import { idOf, type NosqlTarget } from './nosql-requests.ts';
import { QueryClient } from './query-client.ts';
import { makeScratchDirectory } from './scratch-directory.ts';
import { processCpuSeconds, whenProcessIdle } from './server-process.ts';
import { aimsTable, count, decimals, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    /** Ten times the items. */
    long: { type: 'boolean', default: false },
    items: { type: 'string' },
    runs: { type: 'string', default: '300' },
    /** Shapes whose names begin with this. */
    only: { type: 'string', default: '' },
    /** Leaves a CPU profile of the server in this directory. */
    profile: { type: 'string' },
  },
});

const large = Number(flags.items ?? (flags.long ? 1_000_000 : 100_000));
const sizes = [large / 10, large];
const runs = Number(flags.runs);
/** Not counted: the first hundreds run code that V8 has not compiled yet, and take half as long again. */
const warmUps = 500;
const database = 'bench';
const itemBytes = 1_024;
const itemsInRequest = 100;
const requestsAtOnce = 8;

interface Shape {
  readonly name: string;
  readonly text: (number: number, items: number) => string;
}

const shapes: readonly Shape[] = [
  { name: 'equality, 1 item', text: (n) => `SELECT * FROM c WHERE c.ref = "${idOf(n)}"` },
  {
    name: 'two equalities, 1 item',
    text: (n) => `SELECT * FROM c WHERE c.isActive AND c.ref = "${idOf(n)}"`,
  },
  {
    name: 'IN of 10',
    text: (n) => `SELECT * FROM c WHERE c.serial IN (${Array.from({ length: 10 }, (_, at) => n + at)})`,
  },
  {
    name: 'range, 100 items',
    text: (n, items) =>
      `SELECT * FROM c WHERE c.serial >= ${n % (items - 100)} AND c.serial < ${(n % (items - 100)) + 100}`,
  },
  { name: 'ORDER BY, TOP 10', text: () => 'SELECT TOP 10 * FROM c ORDER BY c.serial' },
  { name: 'ORDER BY DESC, TOP 10', text: () => 'SELECT TOP 10 * FROM c ORDER BY c.serial DESC' },
  {
    name: 'filter, ORDER BY DESC, TOP 10',
    text: () => 'SELECT TOP 10 * FROM c WHERE c.isActive ORDER BY c.serial DESC',
  },
];

interface Figures {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serverMs: number;
  readonly cpuMs: number;
  readonly chargeRu: number;
}

const profiler = flags.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', flags.profile];
const directory = makeScratchDirectory();
const dataDirectory = join(directory, 'ringfold');
console.log(machineLine());
let server = await startRingfold(dataDirectory, profiler, []);
const bySize = new Map<number, readonly Figures[]>();
for (const size of sizes) {
  const client = new QueryClient(targetOf(server), database, `c${size}`);
  const seconds = await fill(client, size);
  await whenProcessIdle(server.pid ?? 0, 60);
  console.log(
    `\n${count(size)} items of ${itemBytes} B loaded at ${count(size / seconds)}/s; ${memoryLine(server)}`,
  );
  const figures: Figures[] = [];
  for (const shape of shapes.filter(({ name }) => name.startsWith(flags.only)))
    figures.push(await measure(client, shape, size));
  bySize.set(size, figures);
  console.log(figuresTable(size, figures));
  client.close();
}

await server.stop();
server = await startRingfold(dataDirectory, profiler, []);
const client = new QueryClient(targetOf(server), database, `c${large}`);
await whenProcessIdle(server.pid ?? 0, 60);
const scans: number[] = [];
// The first kind is known from the bytes of most items not to be there. The second, of which an index knows nothing, is read out of each.
const byText = 'CONTAINS(c.padding, "y")';
const byNumber = 'c.n3 + 0 > 1000';
for (const [name, filter] of [
  ['after a restart', byText],
  ['again', byText],
  ['once more', byText],
  ['by a number', byNumber],
  ['by a number again', byNumber],
] as const) {
  const cpuBefore = processCpuSeconds(server.pid ?? 0);
  const perSecond = await scan(client, filter);
  const cpuMicros = ((processCpuSeconds(server.pid ?? 0) - cpuBefore) * 1e6) / large;
  scans.push(perSecond);
  console.log(
    `scan of ${count(large)} items ${name}: ${count(perSecond)} items/s, ${decimals(cpuMicros)} µs of CPU each; ${memoryLine(server)}`,
  );
}
client.close();
await server.stop();

console.log(`\n${aimsTable(aims())}`);
console.log(`load at the end ${loadavg()[0]?.toFixed(1)}`);

function targetOf({ httpPort }: BenchServer): NosqlTarget {
  return { host: '127.0.0.1', port: httpPort ?? 0, key: wellKnownKey };
}

/** Answers how many seconds it took. */
async function fill(client: QueryClient, size: number): Promise<number> {
  if (size === sizes[0]) await client.create('dbs', '', { id: database });
  const partitionKey = { paths: ['/id'], kind: 'Hash', version: 2 };
  await client.create('colls', `dbs/${database}`, { id: `c${size}`, partitionKey });
  const startedAt = performance.now();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < size) {
      const first = next;
      next += itemsInRequest;
      const { body } = await client.createItems(
        Array.from({ length: Math.min(itemsInRequest, size - first) }, (_, at) => itemOf(first + at)),
      );
      if (/"statusCode":(?!201)/.test(body)) throw new Error(body.slice(0, 300));
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
  return (performance.now() - startedAt) / 1_000;
}

/** 22 leaves, about 1 KB. */
function itemOf(number: number): { readonly id: string; readonly padding: string } {
  const id = idOf(number);
  const numbers = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`n${at}`, (number * (at + 1)) % 1_000]),
  );
  const item = {
    id,
    ref: id,
    serial: number,
    ...numbers,
    tags: ['red', 'green', 'blue', `tag${number % 50}`],
    address: { street: '1 Long Street', town: 'Reading', postcode: 'RG1 1AA' },
    isActive: number % 2 === 0,
    isPremium: false,
    padding: '',
  };
  return { ...item, padding: 'x'.repeat(itemBytes - JSON.stringify(item).length) };
}

async function measure(client: QueryClient, { name, text }: Shape, size: number): Promise<Figures> {
  const milliseconds: number[] = [];
  let [serverMs, chargeRu, cpuBefore] = [0, 0, 0];
  for (let run = -warmUps; run < runs; run++) {
    if (run === 0) cpuBefore = processCpuSeconds(server.pid ?? 0);
    // Even ones are active.
    const answer = await client.query(text(((run + warmUps) * 7_919 * 2) % size, size));
    if (run < 0) continue;
    milliseconds.push(answer.milliseconds);
    serverMs += Number(
      /totalExecutionTimeInMs=([\d.]+)/.exec(answer.header('x-ms-documentdb-query-metrics') ?? '')?.[1],
    );
    chargeRu = Number(answer.header('x-ms-request-charge'));
  }
  const cpuMs = ((processCpuSeconds(server.pid ?? 0) - cpuBefore) * 1_000) / runs;
  milliseconds.sort((a, b) => a - b);
  const at = (share: number): number => milliseconds[Math.floor(milliseconds.length * share)] ?? Number.NaN;
  return { name, p50Ms: at(0.5), p99Ms: at(0.99), serverMs: serverMs / runs, cpuMs, chargeRu };
}

/** Items that were looked at in a second. */
async function scan(client: QueryClient, filter: string): Promise<number> {
  const startedAt = performance.now();
  let looked = 0;
  let continuation: string | undefined;
  do {
    const headers = continuation === undefined ? {} : { 'x-ms-continuation': continuation };
    const answer = await client.query(`SELECT VALUE c.id FROM c WHERE ${filter}`, headers);
    looked += Number(
      /retrievedDocumentCount=(\d+)/.exec(answer.header('x-ms-documentdb-query-metrics') ?? '')?.[1],
    );
    continuation = answer.header('x-ms-continuation');
  } while (continuation !== undefined);
  return looked / ((performance.now() - startedAt) / 1_000);
}

function figuresTable(size: number, figures: readonly Figures[]): string {
  return table(
    [`${count(size)} items`, 'p50 ms', 'p99 ms', 'server ms', 'server CPU ms', 'RU'],
    figures.map(({ name, p50Ms, p99Ms, serverMs, cpuMs, chargeRu }) => [
      name,
      decimals(p50Ms, 2),
      decimals(p99Ms, 2),
      decimals(serverMs, 2),
      decimals(cpuMs, 2),
      decimals(chargeRu, 2),
    ]),
  );
}

function memoryLine({ pid }: BenchServer): string {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return `${count(Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024)} MB of its own memory`;
}

function aims(): readonly Aim[] {
  const [small, whole] = sizes.map((size) => bySize.get(size) ?? []);
  const found = ['equality, 1 item', 'ORDER BY, TOP 10', 'ORDER BY DESC, TOP 10'].flatMap((name) => {
    const [less, more] = [small, whole].map((figures) => figures?.find((each) => each.name === name));
    if (less === undefined || more === undefined) return [];
    const growth = more.serverMs / less.serverMs;
    return [
      {
        what: more.name,
        aim: 'under 1 ms',
        figure: `${decimals(more.serverMs, 2)} ms`,
        isMet: more.serverMs < 1,
      },
      {
        what: `… with ten times the items`,
        aim: 'the same',
        figure: `${decimals(growth, 2)} times`,
        isMet: growth < 1.5,
      },
    ];
  });
  const [first = 0, ...later] = scans;
  const [cached, cachedByNumber] = [Math.max(...later.slice(0, 2)), Math.max(...later.slice(2))];
  return [
    ...found,
    { what: 'scan after a restart', aim: '60,000/s', figure: `${count(first)}/s`, isMet: first > 60_000 },
    { what: 'scan from the cache', aim: '300,000/s', figure: `${count(cached)}/s`, isMet: cached > 300_000 },
    {
      what: '… by a number',
      aim: '300,000/s',
      figure: `${count(cachedByNumber)}/s`,
      isMet: cachedByNumber > 300_000,
    },
  ];
}
