// One process owns a data directory. The lock is a listening socket whose name is made of the directory's device and
// inode: the kernel drops it with the process, so that no crash leaves a lock behind, and it touches no file, so that a
// directory that is refused stays as it was. Whoever is turned away asks the socket who holds it. On Linux the name is
// seen within one network namespace; between containers that share a volume LevelDB's own file lock is the fence.

import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { RingfoldError } from '../errors/ringfold-error.ts';

/** How long a holder may take to say who it is. One that is stopped in a debugger never does, and holds on all the same. */
const askingTimeoutMs = 1_000;

export class DirectoryLock {
  readonly #servers: readonly Server[];

  private constructor(servers: readonly Server[]) {
    this.#servers = servers;
  }

  /** All of the directories, or none; they must exist. Throws `data-directory-in-use` with what the holder says of itself. */
  static async take(directories: readonly string[], whoAmI: string): Promise<DirectoryLock> {
    const servers: Server[] = [];
    try {
      for (const directory of directories) servers.push(await lockDirectory(directory, whoAmI));
    } catch (error) {
      await Promise.all(servers.map(closed));
      throw error;
    }
    return new DirectoryLock(servers);
  }

  async release(): Promise<void> {
    await Promise.all(this.#servers.map(closed));
  }
}

async function lockDirectory(directory: string, whoAmI: string): Promise<Server> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const address = lockAddress(`ringfold-${dev}-${ino}`);
  const server = await tryListening(address, whoAmI);
  if (server !== undefined) return server;
  const owner = await askOwner(address);
  if (owner === undefined && isSocketFile) {
    // Nobody answers at a socket that is a file: its process died. Two starts in this same moment could both get
    // here; where that matters LevelDB's lock decides.
    rmSync(address, { force: true });
    const second = await tryListening(address, whoAmI);
    if (second !== undefined) return second;
  }
  throw new RingfoldError('data-directory-in-use', { directory, owner: owner ?? 'unknown' });
}

const isSocketFile = platform() !== 'linux' && platform() !== 'win32';

function lockAddress(name: string): string {
  if (platform() === 'linux') return `\0${name}`;
  if (platform() === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.lock`);
}

/** Undefined when somebody else listens there. */
function tryListening(address: string, whoAmI: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      // The asker may be gone before it is answered.
      socket.on('error', () => socket.destroy());
      socket.end(whoAmI);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => {
      // The lock alone does not keep a process alive.
      server.unref();
      resolve(server);
    });
  });
}

/** Undefined when nobody answers. */
function askOwner(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const parts: Buffer[] = [];
    socket.setTimeout(askingTimeoutMs, () => socket.destroy());
    socket.on('data', (part) => parts.push(part));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(parts.length === 0 ? undefined : Buffer.concat(parts).toString()));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
