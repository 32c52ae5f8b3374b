import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const commandLine: string = fileURLToPath(new URL('../../cli/ringfold.js', import.meta.url));

const pauseMs = 20;

type Ending = () => void | Promise<void>;

const endings = new WeakMap<TestContext, Ending[]>();

/**
 * After the test, what was begun last ends first: a server before its directory. Each ends even when another could not; a server
 * that is left running would keep the whole test file from ending.
 */
export function afterTest(context: TestContext, ending: Ending): void {
  const known = endings.get(context);
  if (known !== undefined) {
    known.push(ending);
    return;
  }
  const all = [ending];
  endings.set(context, all);
  context.after(async () => {
    const failures: unknown[] = [];
    for (const end of all.reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  });
}

/** A directory that is gone after the test. */
export function temporaryDirectory(context: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'ringfold-test-'));
  afterTest(context, () => removeDirectory(directory));
  return directory;
}

/** Also when another process makes files in it meanwhile: what comes after a folder was listed is not seen, and keeps it there. */
export function removeDirectory(directory: string): void {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(directory, { recursive: true, force: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tries === 100) throw error;
    }
  }
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `ringfold …` to its end. */
export async function runCommand(
  commandArguments: readonly string[],
  workingDirectory: string = tmpdir(),
): Promise<CommandResult> {
  const child = spawnCommand(commandArguments, workingDirectory);
  const output = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output() };
}

/** `ringfold start`, as somebody outside sees it. */
export class StartedRingfold {
  /** The supervisor's. */
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #output: () => { stdout: string; stderr: string };

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#output = collect(child);
    this.pid = child.pid ?? 0;
  }

  /** With `--ready-json`, on a free port. Ends with the test, if not before. */
  static async start(context: TestContext, flags: readonly string[]): Promise<StartedRingfold> {
    const started = StartedRingfold.startForPeople(context, [
      '--port',
      '0',
      '--cql-port',
      '0',
      '--ready-json',
      ...flags,
    ]);
    await eventually('it is ready', () => {
      if (started.exitCode !== null) throw new Error(`it exited with ${started.exitCode}: ${started.stderr}`);
      return started.stdout.includes('\n');
    });
    return started;
  }

  /** As `start`, after a kill: a process that was killed holds its directory until its last thread has come back from the disk. */
  static async startAgain(context: TestContext, flags: readonly string[]): Promise<StartedRingfold> {
    const started: StartedRingfold[] = [];
    await eventually('the directory is free', async () => {
      try {
        started.push(await StartedRingfold.start(context, flags));
      } catch (error) {
        if (!String(error).includes('Another process owns the data directory')) throw error;
      }
      return started.length > 0;
    });
    return started[0] as StartedRingfold;
  }

  /** As `start`, without waiting for anything. */
  static startForPeople(context: TestContext, flags: readonly string[]): StartedRingfold {
    const child = spawnCommand(['start', ...flags], tmpdir());
    afterTest(context, async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    return new StartedRingfold(child);
  }

  /** From the ready line. */
  get port(): number {
    return (JSON.parse(this.stdout) as { port: number }).port;
  }

  get cqlPort(): number {
    return (JSON.parse(this.stdout) as { cqlPort: number }).cqlPort;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  get stdout(): string {
    return this.#output().stdout;
  }

  get stderr(): string {
    return this.#output().stderr;
  }

  /** The process that serves. */
  get serverPid(): number {
    const [pid] = childrenOf(this.pid);
    if (pid === undefined) throw new Error('there is no server process');
    return pid;
  }

  /** Whether there is a process that serves, or is about to, besides the one that died. */
  hasAnotherServer(deadPid: number): boolean {
    return childrenOf(this.pid).some((pid) => pid !== deadPid);
  }

  /** The exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.port}${path}`, init);
  }
}

export function postJson(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/**
 * Waits for what another process will do by itself, as long as a busy machine may take; fails with the description. A pause counts for
 * what it is meant to be: where it takes longer the machine is busy, and what is waited for is held up as well.
 */
export async function eventually(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  let countedMs = 0;
  for (let began = performance.now(); !(await isSo()); began = performance.now()) {
    countedMs += performance.now() - began + pauseMs;
    if (countedMs > timeoutMs) throw new Error(`it did not happen within ${timeoutMs} ms: ${what}`);
    await pause(pauseMs);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that ended and was not waited for is still in the table.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}

function spawnCommand(commandArguments: readonly string[], workingDirectory: string): ChildProcess {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(RINGFOLD_|NODE_TEST_)/.test(name)),
  );
  return spawn(process.execPath, [commandLine, ...commandArguments], {
    cwd: workingDirectory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function collect(child: ChildProcess): () => { stdout: string; stderr: string } {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (part) => {
    stdout += String(part);
  });
  child.stderr?.on('data', (part) => {
    stderr += String(part);
  });
  return () => ({ stdout, stderr });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
