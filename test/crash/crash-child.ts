import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CrashServerTask, FromCrashServer } from './crash-server.ts';

const program = fileURLToPath(new URL('./crash-server.js', import.meta.url));

/** A crash server as its killer sees it. */
export class CrashChild {
  readonly #process: ChildProcess;
  readonly #said = new Set<FromCrashServer>();
  #stderr = '';

  /** `runner` is a command that runs another, such as strace. */
  constructor(task: CrashServerTask, runner: readonly string[] = [], threads = 16) {
    const [command = process.execPath, ...rest] = [
      ...runner,
      process.execPath,
      '--enable-source-maps',
      program,
    ];
    this.#process = spawn(command, rest, {
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      env: { ...process.env, UV_THREADPOOL_SIZE: String(threads) },
    });
    this.#process.on('message', (message: FromCrashServer) => this.#said.add(message));
    this.#process.stderr?.on('data', (part) => {
      this.#stderr += String(part);
    });
    this.#process.send(task, () => {});
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** To one that waits. */
  goOn(): void {
    this.#process.send('go on', () => {});
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Throws when the process ends without having said it. */
  async says(message: FromCrashServer): Promise<void> {
    while (!this.#said.has(message)) {
      if (this.#hasEnded) throw new Error(`the server ended before it was ${message}: ${this.#stderr}`);
      await Promise.race([once(this.#process, 'message'), once(this.#process, 'exit')]);
    }
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended();
  }

  async ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    if (!this.#hasEnded) await once(this.#process, 'exit');
    const { exitCode, signalCode } = this.#process;
    return { code: exitCode, signal: signalCode };
  }

  get #hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }
}
