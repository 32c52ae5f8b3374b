// The servers under load, each a process of its own: the null server, Ringfold, and a Cassandra that somebody else has started.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Address } from './cql-pipe.ts';
import { processListeningOn } from './server-process.ts';

export interface BenchServer {
  readonly name: 'null server' | 'Ringfold' | 'Cassandra';
  readonly address: Address;
  /** Of the same server; undefined where there is none or it is not known. */
  readonly httpPort?: number;
  /** Whose processor time counts; undefined where it cannot be told, as for another machine. */
  readonly pid: number | undefined;
  /** Ends what was started here, in good order, so that a profile gets written. */
  readonly stop: () => Promise<void>;
}

const commandLine = fileURLToPath(new URL('../cli/ringfold.js', import.meta.url));
const startTimeoutMs = 60_000;

export async function startNullServer(program: string): Promise<BenchServer> {
  const child = fork(program, ['--role', 'null-server'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  endWithUs(child);
  const [port] = (await once(child, 'message')) as [number];
  return {
    name: 'null server',
    address: { host: '127.0.0.1', port },
    pid: child.pid,
    stop: () => stopped(child),
  };
}

/** The real program as a user starts it, with the settings it has when nothing is said. */
export async function startRingfold(
  dataDirectory: string,
  nodeFlags: readonly string[],
  flags: readonly string[],
): Promise<BenchServer> {
  const places = ['--ready-json', '--data-dir', dataDirectory, '--port', '0', '--cql-port', '0'];
  const child = spawn(process.execPath, [...nodeFlags, commandLine, 'start', ...places, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(child);
  const timer = setTimeout(() => child.kill(), startTimeoutMs);
  const ready = await readyLine(child).finally(() => clearTimeout(timer));
  const server = runningServer('Ringfold', { host: '127.0.0.1', port: ready.cqlPort });
  // What was started is its supervisor.
  process.prependListener('exit', () => {
    if (isRunning(child)) endProcess(server.pid);
  });
  return { ...server, httpPort: ready.port, stop: () => stopped(child) };
}

/** Of the project's own script: a Cassandra of its own, which fetches what it needs the first time. */
interface CassandraScript {
  startCassandra(options: {
    heap: string;
    hasLogin: boolean;
  }): Promise<{ readonly contactPoint: string; readonly pid: number; readonly stop: () => Promise<void> }>;
}

/** With the heap that Cassandra gives itself when nobody says: a quarter of the memory, at most 8 GB. */
export async function startCassandra(dataDirectory: string): Promise<BenchServer> {
  const script = (await import(
    new URL('../../scripts/real-cassandra.mjs', import.meta.url).href
  )) as CassandraScript;
  const heapMb = Math.round(Math.min(8 * 2 ** 30, totalmem() / 4) / 2 ** 20);
  // Where it makes its folder: on the same disk as the others.
  process.env['TMPDIR'] = dataDirectory;
  const { contactPoint, pid, stop } = await script.startCassandra({ heap: `${heapMb}M`, hasLogin: false });
  let isStopped = false;
  process.prependListener('exit', () => {
    if (!isStopped) endProcess(pid);
  });
  const stopThen = async (): Promise<void> => {
    await stop();
    isStopped = true;
  };
  return { ...runningServer('Cassandra', addressFrom(contactPoint), pid), stop: stopThen };
}

export function runningServer(
  name: BenchServer['name'],
  address: Address,
  pid: number | undefined = processListeningOn(address.port),
): BenchServer {
  return { name, address, pid, stop: () => Promise.resolve() };
}

/** `host:port`, or a host alone. */
export function addressFrom(text: string): Address {
  const [, host = '', port = '9042'] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return { host: host || '127.0.0.1', port: Number(port) };
}

interface ReadyLine {
  readonly port: number;
  readonly cqlPort: number;
}

async function readyLine(child: ChildProcess): Promise<ReadyLine> {
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk);
    const line = /^\{.*"ready":true.*\}$/m.exec(said)?.[0];
    if (line === undefined) continue;
    return JSON.parse(line) as ReadyLine;
  }
  throw new Error(`Ringfold did not get ready: ${said}`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** At once, and before the directory goes that it writes into: nobody wants its data any more. */
function endWithUs(child: ChildProcess): void {
  process.prependListener('exit', () => child.kill('SIGKILL'));
}

function endProcess(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
