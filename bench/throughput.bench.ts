// `npm run bench -- throughput`: what the governor adds to a request. Each row has one part more than the row above it, so that what
// a part costs can be read off; all rows are measured in the same run, in alternating rounds. bench/README.md says how to read it.

import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { SharedStretches } from '../src/partitioning/shared-stretches.ts';
import { GovernedPartition, type RequestTraits } from '../src/routing/governed-partition.ts';
import { ThroughputGovernor } from '../src/routing/throughput-governor.ts';
import { NO_BUCKET } from '../src/throughput/control-buckets.ts';
import { HotLogicalPartitions } from '../src/throughput/hot-logical-partitions.ts';
import { RequestAccounting } from '../src/throughput/request-accounting.ts';
import { fromHundredths } from '../src/throughput/request-units.ts';
import { type BudgetSettings, ThroughputBudget } from '../src/throughput/throughput-budget.ts';
import { aimsTable, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    /** Requests of each row in each round. */
    requests: { type: 'string', default: '300000' },
    json: { type: 'boolean', default: false },
  },
});
const rounds = wholeNumber('rounds', flags.rounds);
const requests = wholeNumber('requests', flags.requests);

const charge = fromHundredths(100);
const settings: BudgetSettings = { ruPerSecond: 10_000, hasBurst: false, controlBuckets: [] };
const bursting: BudgetSettings = { ...settings, ruPerSecond: 2_500, hasBurst: true };
const capped: BudgetSettings = { ...settings, controlBuckets: [{ id: 1, maxThroughputPercentage: 50 }] };
const read: RequestTraits = { operation: 'read-item', priority: 'high', bucket: NO_BUCKET };
/** At 1 RU each, so far apart that a budget of 10,000 RU/s and half of it never run out. */
const stepMs = 0.4;

/** A key that was just made, as a request's is: its hash is not known yet. */
const freshKey = (number: number) => `tenant-${number.toString(36)}-of-a-usual-length`;
const fewKeys = keysOf(40);
const manyKeys = keysOf(100_000);

interface Row {
  readonly name: string;
  /** Does so many requests from this moment on, and returns how many were refused. */
  readonly run: (count: number, startMs: number) => number;
  readonly isRefusal?: boolean;
}

const aimed: readonly [string, string] = [
  'the governor: all of it, in one partition',
  '… in 400 partitions of 25 containers',
];

// Each row has its budget for good: were all objects of a class gone at a collection, V8 would throw away the code optimised for them.
const rows: readonly Row[] = [
  { name: 'the loop alone', run: loopAlone },
  { name: 'admit', run: admitOnly(new ThroughputBudget(0, settings)) },
  { name: 'admit, spend', run: admitAndSpend(settings, read) },
  { name: '… low priority', run: admitAndSpend(settings, { ...read, priority: 'low' }) },
  { name: '… in a control bucket', run: admitAndSpend(capped, { ...read, bucket: 1 }) },
  { name: '… with a burst bank', run: admitAndSpend(bursting, read) },
  { name: 'admit, spend, accounting', run: withAccounting() },
  { name: '… and hot keys, 40 of them', run: withHeat(fewKeys) },
  { name: '… and hot keys, 100,000 of them', run: withHeat(manyKeys) },
  { name: aimed[0], run: governed(1, 1) },
  { name: aimed[1], run: governed(25, 16) },
  { name: '… of a shared database, 25 containers in 16 stretches', run: sharing(25, 16) },
  { name: '… only metered', run: onlyMetered() },
  { name: 'a refusal by the budget', run: admitOnly(inDebt()), isRefusal: true },
  { name: 'a refusal by the governor, with what it says', run: refusedByGovernor(), isRefusal: true },
];

main();

function main(): void {
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)} before the start`,
  );
  const figures = rows.map((row) => ({ row, nanos: [] as number[], bytes: [] as number[] }));
  // Each row begins a second after the one before, when all budgets are full again.
  let startMs = 1_000;
  // The first round is a warm-up and is thrown away.
  for (let round = 0; round <= rounds; round++) {
    for (const { row, nanos, bytes } of figures) {
      globalThis.gc?.();
      const heapBefore = process.memoryUsage().heapUsed;
      const before = process.cpuUsage();
      const refused = row.run(requests, startMs);
      const { user, system } = process.cpuUsage(before);
      const heapAfter = process.memoryUsage().heapUsed;
      startMs += requests * stepMs + 1_000;
      const expected = row.isRefusal === true ? requests : 0;
      if (refused !== expected) throw new Error(`${row.name}: ${refused} refused, not ${expected}`);
      if (round === 0) continue;
      nanos.push(((user + system) * 1_000) / requests);
      bytes.push((heapAfter - heapBefore) / requests);
    }
  }
  const results = figures.map(({ row, nanos, bytes }) => ({
    name: row.name,
    medianNanos: quantile(nanos, 0.5),
    worstNanos: quantile(nanos, 1),
    medianBytes: Math.max(0, quantile(bytes, 0.5)),
  }));
  console.log(
    `\n${table(
      [
        `a request, ${rounds} rounds of ${requests.toLocaleString('en')}`,
        'median ns',
        'worst round ns',
        'bytes',
      ],
      results.map(({ name, medianNanos, worstNanos, medianBytes }) => [
        name,
        medianNanos.toFixed(0),
        worstNanos.toFixed(0),
        medianBytes.toFixed(1),
      ]),
    )}`,
  );
  const aims = results
    .filter(({ name }) => aimed.includes(name))
    .map(({ name, medianNanos }) => ({
      what: `an admitted request, all of it, ${name.replace(/^.* in /, 'in ')}`,
      aim: 'under 1 µs',
      figure: `${medianNanos.toFixed(0)} ns`,
      isMet: medianNanos < 1_000,
    }));
  console.log(`\n${aimsTable(aims)}\n\nload at the end ${loadavg()[0]?.toFixed(1)}`);
  if (flags.json) console.log(JSON.stringify({ rounds, requests, results }));
}

function loopAlone(count: number, startMs: number): number {
  let refused = 0;
  for (let index = 0; index < count; index++) if (startMs + index * stepMs < 0) refused++;
  return refused;
}

function admitOnly(budget: ThroughputBudget): Row['run'] {
  return (count, startMs) => {
    let refused = 0;
    for (let index = 0; index < count; index++) {
      if (budget.admit(startMs + index * stepMs, 'high', NO_BUCKET) > 0) refused++;
    }
    return refused;
  };
}

function admitAndSpend(settings: BudgetSettings, { priority, bucket }: RequestTraits): Row['run'] {
  const budget = new ThroughputBudget(0, settings);
  return (count, startMs) => {
    let refused = 0;
    for (let index = 0; index < count; index++) {
      const nowMs = startMs + index * stepMs;
      if (budget.admit(nowMs, priority, bucket) > 0) refused++;
      budget.spend(nowMs, charge, priority, bucket);
    }
    return refused;
  };
}

function withAccounting(): Row['run'] {
  const budget = new ThroughputBudget(0, settings);
  const accounting = new RequestAccounting(settings.ruPerSecond);
  return (count, startMs) => {
    let refused = 0;
    for (let index = 0; index < count; index++) {
      const nowMs = startMs + index * stepMs;
      if (budget.admit(nowMs, 'high', NO_BUCKET) > 0) refused++;
      const burstRu = budget.spend(nowMs, charge, 'high', NO_BUCKET);
      accounting.count(nowMs, 'read-item', 'ok', charge, burstRu);
    }
    return refused;
  };
}

function withHeat(keys: readonly string[]): Row['run'] {
  const budget = new ThroughputBudget(0, settings);
  const accounting = new RequestAccounting(settings.ruPerSecond);
  const heat = new HotLogicalPartitions();
  return (count, startMs) => {
    let refused = 0;
    for (let index = 0; index < count; index++) {
      const nowMs = startMs + index * stepMs;
      if (budget.admit(nowMs, 'high', NO_BUCKET) > 0) refused++;
      const burstRu = budget.spend(nowMs, charge, 'high', NO_BUCKET);
      accounting.count(nowMs, 'read-item', 'ok', charge, burstRu);
      heat.spend(nowMs, keys[index % keys.length] as string, charge);
    }
    return refused;
  };
}

function sharing(containers: number, partitionsEach: number): Row['run'] {
  const governor = new ThroughputGovernor();
  const stretches = SharedStretches.initial(partitionsEach);
  // In a stretch all containers spend what one partition has in the other rows.
  const ruOf = () => containers * settings.ruPerSecond;
  governor.governDatabase(0, 'shared', { ...settings, stretches, ruOf });
  const partitions = stretches.list.map(({ id, from }) => ({ id, ringPlace: from }));
  for (let container = 0; container < containers; container++)
    governor.govern(0, container, { kind: 'shared', database: 'shared', partitions });
  return requestsTo(governor, containers, partitionsEach);
}

function governed(containers: number, partitionsEach: number): Row['run'] {
  const governor = new ThroughputGovernor();
  const partitions = Array.from({ length: partitionsEach }, (_, id) => ({
    id,
    parents: [],
    ruPerSecond: settings.ruPerSecond,
  }));
  for (let container = 0; container < containers; container++) {
    governor.govern(0, container, { ...settings, kind: 'own', isEnforced: true, partitions });
  }
  return requestsTo(governor, containers, partitionsEach);
}

function requestsTo(governor: ThroughputGovernor, containers: number, partitionsEach: number): Row['run'] {
  // Each partition gets its next request after as long a time as in the other rows.
  const partitionStepMs = stepMs / (containers * partitionsEach);
  return (count, startMs) => {
    let refused = 0;
    for (let index = 0; index < count; index++) {
      const nowMs = startMs + index * partitionStepMs;
      const partition = governor.partition(index % containers, index % partitionsEach);
      if (partition?.admit(nowMs, read) !== undefined) refused++;
      partition?.spend(nowMs, read, 'ok', manyKeys[index % manyKeys.length], charge);
    }
    return refused;
  };
}

function governedPartition(budget: ThroughputBudget | undefined): GovernedPartition {
  return new GovernedPartition(0, { ruPerSecond: settings.ruPerSecond, budget, shared: undefined });
}

function onlyMetered(): Row['run'] {
  const partition = governedPartition(undefined);
  return (count, startMs) => {
    let refused = 0;
    for (let index = 0; index < count; index++) {
      const nowMs = startMs + index * stepMs;
      if (partition.admit(nowMs, read) !== undefined) refused++;
      partition.spend(nowMs, read, 'ok', manyKeys[index % manyKeys.length], charge);
    }
    return refused;
  };
}

function inDebt(): ThroughputBudget {
  return new ThroughputBudget(0, settings, { balanceRu: -1e12, bankRu: 0 });
}

function refusedByGovernor(): Row['run'] {
  const partition = governedPartition(new ThroughputBudget(0, settings));
  for (const key of fewKeys) partition.spend(0, read, 'ok', key, charge);
  partition.spend(0, read, 'ok', 'the hot one', fromHundredths(1e14));
  return (count, startMs) => {
    let refused = 0;
    for (let index = 0; index < count; index++) {
      if (partition.admit(startMs + index * stepMs, read) !== undefined) refused++;
    }
    return refused;
  };
}

/** By a power law, as traffic is: the first keys come often, and most of the others never again. */
function keysOf(count: number): string[] {
  let state = 1;
  return Array.from({ length: 300_000 }, () => {
    state = (state * 48_271) % 0x7fffffff;
    return freshKey(Math.floor(count * (state / 0x7fffffff) ** 3));
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function wholeNumber(flag: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`--${flag} takes a whole number above 0`);
  process.exit(2);
}
