// Keeps one server running. The server is a child process, because what kills it (a media error under a mapped file
// is SIGBUS) kills the whole process: somebody else must be there to find the storage node at fault and start again
// without it. The server ends by itself when its supervisor is gone.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../src/config.ts';
import { type FromServer, type ReadyServer, refusedExitCode, type ToServer } from './server-messages.ts';

export interface SupervisorParts {
  readonly config: Config;
  /** The directory of each storage node, by its number; asked after a crash, when they certainly exist. */
  readonly nodeDirectories: () => Promise<readonly string[]>;
  readonly onReady: (server: ReadyServer) => void;
  /** For people, on stderr. */
  readonly say: (line: string) => void;
}

interface Death {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly refusal: Extract<FromServer, { kind: 'refused' }> | undefined;
}

/** So many deaths within the window, and it gives up. */
const deathLimit = 5;
const deathWindowMs = 60_000;
const firstBackOffMs = 100;
/** A stop writes what is in memory to the disk; when that takes longer, the log has it anyway. */
const stopTimeoutMs = 30_000;
const checkTimeoutMs = 600_000;
/** The signals of a process that touched memory it could not: a row store may be the cause. */
const crashSignals: readonly NodeJS.Signals[] = ['SIGBUS', 'SIGSEGV', 'SIGABRT', 'SIGILL', 'SIGFPE'];
/** This same command line as the build puts it together (scripts/bundle.mjs): ready in half the time. The compiler alone makes none. */
const bundled = fileURLToPath(new URL('../bundle/ringfold.js', import.meta.url));
/** Any two readable nodes of a replica set hold every acknowledged write (docs/replication.md), one need not. */
const maxNodesToRebuild = 2;

export class Supervisor {
  readonly #parts: SupervisorParts;
  #server: ChildProcess | undefined;
  readonly #checks = new Set<ChildProcess>();
  #isStopping = false;
  #hasBeenReady = false;
  #wake: () => void = () => {};
  /** What the next start is told: flags that are for one start only are dropped once it was ready. */
  #config: Config;
  #deaths: number[] = [];

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#config = parts.config;
  }

  /** Resolves with the exit code once the server has stopped for good. */
  async run(): Promise<number> {
    for (;;) {
      const death = await this.#serveOnce();
      if (this.#isStopping || death.code === 0) return 0;
      const isRefused = death.code === refusedExitCode;
      this.#parts.say(causeOf(death));
      if (isRefused && !this.#canBeMended(death)) return 1;
      if (!(await this.#backOff())) return 1;
      const isCrash = death.signal !== null && crashSignals.includes(death.signal);
      if ((isRefused || isCrash) && !this.#isStopping && !(await this.#findBrokenNodes())) return 1;
      if (this.#isStopping) return 0;
      this.#parts.say('starting it again');
    }
  }

  /** The first call stops the server in good order; another one ends it at once, which loses nothing acknowledged. */
  stop(): void {
    if (this.#isStopping) {
      this.#server?.kill('SIGKILL');
      return;
    }
    this.#isStopping = true;
    this.#wake();
    for (const check of this.#checks) check.kill();
    if (this.#server === undefined) return;
    tell(this.#server, { kind: 'stop' });
    setTimeout(() => this.#server?.kill('SIGKILL'), stopTimeoutMs).unref();
  }

  #serveOnce(): Promise<Death> {
    return new Promise((resolve, reject) => {
      const server = spawnSelf(['serve'], ['ignore', 'ignore', 'inherit', 'ipc']);
      this.#server = server;
      let refusal: Death['refusal'];
      server.on('message', (message: FromServer) => {
        if (message.kind === 'refused') refusal = message;
        else this.#ready(message);
      });
      server.once('error', reject);
      server.once('exit', (code, signal) => {
        this.#server = undefined;
        resolve({ code, signal, refusal });
      });
      tell(server, { kind: 'serve', config: this.#config, ownerName: `process ${process.pid}` });
      if (this.#isStopping) tell(server, { kind: 'stop' });
    });
  }

  #ready(server: ReadyServer): void {
    const { port, cqlPort } = server;
    const isFirst = !this.#hasBeenReady;
    this.#hasBeenReady = true;
    // A free port that was found once is kept, so that clients find the server again.
    this.#config = { ...this.#config, port, cqlPort, rebuildNodes: [], forceRecover: false };
    if (isFirst) this.#parts.onReady(server);
    else this.#parts.say('the server is ready again');
  }

  /** A server that once ran and now misses a node's directory can have that node rebuilt; any other refusal is final. */
  #canBeMended({ refusal }: Death): boolean {
    return this.#hasBeenReady && refusal?.code === 'data-directory-foreign';
  }

  /** False when it died too often. */
  async #backOff(): Promise<boolean> {
    const now = performance.now();
    this.#deaths = [...this.#deaths.filter((time) => now - time < deathWindowMs), now];
    if (this.#deaths.length >= deathLimit) {
      this.#parts.say(`it died ${deathLimit} times within ${deathWindowMs / 1000} s: giving up`);
      return false;
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, firstBackOffMs * 2 ** (this.#deaths.length - 1));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return true;
  }

  /** Opens every node in a process of its own and notes those that do not survive it. False when too many do not. */
  async #findBrokenNodes(): Promise<boolean> {
    if (this.#config.inMemory) return true;
    const directories = await this.#parts.nodeDirectories();
    this.#parts.say(`checking ${directories.length} storage nodes`);
    const areSound = await Promise.all(directories.map((directory) => this.#checkNode(directory)));
    if (this.#isStopping) return true;
    const broken = [...directories.keys()].filter((nodeId) => !areSound[nodeId]);
    for (const nodeId of broken) this.#parts.say(`storage node ${nodeId} (${directories[nodeId]}) is broken`);
    if (broken.length > maxNodesToRebuild) {
      this.#parts.say(`${broken.length} storage nodes are broken; docs/operating.md says what can be done`);
      return false;
    }
    if (broken.length > 0)
      this.#parts.say(`rebuilding ${broken.length === 1 ? 'it' : 'them'} from the others`);
    this.#config = { ...this.#config, rebuildNodes: broken };
    return true;
  }

  #checkNode(directory: string): Promise<boolean> {
    return new Promise((resolve) => {
      const check = spawnSelf(['check-node', directory], ['ignore', 'ignore', 'inherit']);
      this.#checks.add(check);
      const timer = setTimeout(() => check.kill('SIGKILL'), checkTimeoutMs);
      check.once('exit', (code) => {
        clearTimeout(timer);
        this.#checks.delete(check);
        resolve(code === 0);
      });
    });
  }
}

function causeOf({ code, signal, refusal }: Death): string {
  return refusal?.text ?? `the server died (${signal ?? `exit code ${code}`})`;
}

/** What a library reads once, before anything of ours runs. */
const serverEnvironment = {
  // libuv: each of four nodes may be in a write, a sync, a batch and a read.
  UV_THREADPOOL_SIZE: '16',
  // glibc: a heap for each thread, and large buffers among small ones, leave holes that are never given back. After 250,000
  // indexed creates a server had 418 MB of its own, and 259 MB with these.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
};

function spawnSelf(
  commandArguments: readonly string[],
  stdio: ('ignore' | 'inherit' | 'ipc')[],
): ChildProcess {
  const program = existsSync(bundled) ? bundled : (process.argv[1] ?? '');
  return spawn(
    process.execPath,
    [...process.execArgv, '--enable-source-maps', program, ...commandArguments],
    {
      stdio,
      env: { ...serverEnvironment, ...process.env },
    },
  );
}

/** A server that died in this moment has nothing to be told. */
function tell(server: ChildProcess, message: ToServer): void {
  server.send(message, () => {});
}
