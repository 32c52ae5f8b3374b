// One process owns a data directory. The lock is a listening socket, which the kernel closes with the process, so that no crash leaves a
// lock behind. Whoever is turned away asks the socket who holds the directory. On Linux and Windows its name is made of the directory's
// device and inode: exact, and no file. On Linux that is seen within one network namespace, so a second socket stands in the directory
// itself, for containers that share a volume; elsewhere that one is all there is.

import { stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { platform } from 'node:os';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { LockSocket } from './lock-socket.ts';

/** How long a holder may take to say who it is. One that is stopped in a debugger never does, and holds on all the same. */
const askingTimeoutMs = 1_000;

interface Held {
  release(): Promise<void>;
}

export class DirectoryLock {
  readonly #held: readonly Held[];

  private constructor(held: readonly Held[]) {
    this.#held = held;
  }

  /** All of the directories, or none; they must exist. Throws `data-directory-in-use` with what the holder says of itself. */
  static async take(directories: readonly string[], whoAmI: string): Promise<DirectoryLock> {
    const held: Held[] = [];
    try {
      for (const directory of directories) {
        const name = await lockName(directory);
        if (name !== undefined) held.push(await takeName(name, directory, whoAmI));
        if (platform() !== 'win32') held.push(await takeSocket(directory, whoAmI));
      }
    } catch (error) {
      await releaseAll(held);
      throw error;
    }
    return new DirectoryLock(held);
  }

  async release(): Promise<void> {
    await releaseAll(this.#held);
  }
}

async function releaseAll(held: readonly Held[]): Promise<void> {
  await Promise.all(held.map((one) => one.release()));
}

async function takeName(name: string, directory: string, whoAmI: string): Promise<Held> {
  const server = await tryListening(name, whoAmI);
  if (server !== undefined) return { release: () => closed(server) };
  throw new RingfoldError('data-directory-in-use', {
    directory,
    owner: (await askOwner(name)) ?? 'unknown',
  });
}

const withoutSockets = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP']);

/** A file system that has no sockets is left to the name, where there is one. */
async function takeSocket(directory: string, whoAmI: string): Promise<Held> {
  try {
    return await LockSocket.take(directory, whoAmI);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (platform() !== 'linux' || code === undefined || !withoutSockets.has(code)) throw error;
    return { release: async () => {} };
  }
}

/** Undefined where names outside the file system are not to be had. */
async function lockName(directory: string): Promise<string | undefined> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const name = `ringfold-${dev}-${ino}`;
  if (platform() === 'linux') return `\0${name}`;
  return platform() === 'win32' ? `\\\\.\\pipe\\${name}` : undefined;
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
