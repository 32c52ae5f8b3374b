// The order of things in the CQL bench. Each operation is warmed up on every server, then measured in rounds in which the servers take
// turns, so that what the machine does meanwhile falls on all of them. Reads come first: the rows that writes add would push what is
// read out of memory.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { DataSize, LoadPlan, LoadResult, Order, Report } from './cql-generator.ts';
import { type CqlFigures, type CqlRound, figuresOf, type Setting, settingText } from './cql-report.ts';
import type { BenchServer } from './cql-servers.ts';
import type { OperationName } from './cql-workload.ts';
import { processCpuSeconds, whenProcessIdle } from './server-process.ts';

export interface CqlBenchPlan {
  readonly operations: readonly OperationName[];
  readonly settings: readonly Setting[];
  readonly rounds: number;
  /** About how long all of it takes. */
  readonly seconds: number;
  readonly size: DataSize;
}

/** Code of the JVM gets fast only after tens of thousands of calls, so warming up is a large part of the whole. */
const warmUpShare = 0.4;
const nullServerSeconds = 1;
const warmUpSetting: Setting = { connections: 4, inFlight: 32 };
/** A machine that is busy with other things may need several times as long to get through them. */
const leastWarmUpOperations = 20_000;
const longestSettlingSeconds = 10;

export async function measureCql(
  program: string,
  servers: readonly BenchServer[],
  plan: CqlBenchPlan,
  onOperation: (operation: OperationName, figures: readonly CqlFigures[]) => void,
): Promise<CqlFigures[]> {
  const generator = new GeneratorProcess(program);
  for (const { address } of servers)
    await generator.order({ kind: 'prepare', server: address, size: plan.size });
  const all: CqlFigures[] = [];
  for (const operation of plan.operations) {
    const figures = await measureOperation(generator, servers, operation, plan);
    onOperation(operation, figures);
    all.push(...figures);
  }
  for (const { address } of servers) await generator.order({ kind: 'clean', server: address });
  generator.end();
  return all;
}

async function measureOperation(
  generator: GeneratorProcess,
  servers: readonly BenchServer[],
  operation: OperationName,
  plan: CqlBenchPlan,
): Promise<CqlFigures[]> {
  const contenders = servers.filter(({ name }) => name !== 'null server');
  const share = plan.seconds / plan.operations.length / Math.max(1, contenders.length);
  const figures: CqlFigures[] = [];
  for (const server of servers) {
    const isNull = server.name === 'null server';
    const warmUp = { operation, ...warmUpSetting, seconds: isNull ? nullServerSeconds : share * warmUpShare };
    for (let turn = 0, done = 0; turn === 0 || (turn < 4 && done < leastWarmUpOperations); turn++) {
      const { load } = await measureRound(generator, server, warmUp, 'warm-up');
      done += load.operations;
    }
    if (!isNull) continue;
    const round = await measureRound(generator, server, warmUp, operation);
    figures.push(figuresOf(operation, warmUpSetting, server.name, [round]));
  }
  const stretches = plan.settings.length * plan.rounds;
  const seconds = (share * (1 - warmUpShare)) / stretches;
  const measured = new Map<Setting, Map<BenchServer, CqlRound[]>>();
  for (let round = 0; round < plan.rounds; round++) {
    for (const setting of plan.settings) {
      for (const server of contenders) {
        const label = `${server.name} ${operation} ${settingText(setting)}`;
        const result = await measureRound(generator, server, { operation, ...setting, seconds }, label);
        const ofSetting = measured.get(setting) ?? new Map<BenchServer, CqlRound[]>();
        measured.set(setting, ofSetting);
        ofSetting.set(server, [...(ofSetting.get(server) ?? []), result]);
      }
    }
  }
  for (const [setting, ofSetting] of measured)
    for (const [server, rounds] of ofSetting)
      figures.push(figuresOf(operation, setting, server.name, rounds));
  return figures;
}

async function measureRound(
  generator: GeneratorProcess,
  { address, pid }: BenchServer,
  plan: LoadPlan,
  label: string,
): Promise<CqlRound> {
  const before = pid === undefined ? 0 : processCpuSeconds(pid);
  const load = await generator.order({ kind: 'load', server: address, label, ...plan });
  if (load === undefined) throw new Error('the generator has no figures');
  if (pid === undefined) return { load, serverCpuSeconds: undefined, laterCpuSeconds: undefined };
  const isWrite = plan.operation === 'overwrite' || plan.operation === 'insert';
  const answered = processCpuSeconds(pid);
  if (isWrite) await whenProcessIdle(pid, longestSettlingSeconds);
  const settled = processCpuSeconds(pid);
  return { load, serverCpuSeconds: settled - before, laterCpuSeconds: settled - answered };
}

class GeneratorProcess {
  readonly #child: ChildProcess;

  constructor(program: string) {
    this.#child = fork(program, ['--role', 'generator'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    process.on('exit', () => this.#child.kill());
    this.#child.on('exit', (code) => {
      if (code !== 0) throw new Error(`the generator ended with ${code}`);
    });
  }

  async order(order: Order): Promise<LoadResult | undefined> {
    this.#child.send(order);
    const [report] = (await once(this.#child, 'message')) as [Report];
    if ('failure' in report) throw new Error(`${order.server.host}:${order.server.port}: ${report.failure}`);
    return report.result;
  }

  end(): void {
    this.#child.disconnect();
  }
}
