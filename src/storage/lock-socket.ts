// The part of a directory's lock that stands in the directory itself: a listening socket that is a file, so it is seen from every
// container that shares the volume. A process that dies leaves the file, but nobody listens there any more.
//
// Every file has a name of its own, which is never used again, and appears under it only when somebody listens. Whoever wants the directory
// first shows itself and then looks for others: of two who do so at once, the one that looks last sees the other. Both may withdraw and try
// again, but never do both stay; and a file that nobody listens at can be removed without removing somebody's who has just come.

import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { RingfoldError } from '../errors/ringfold-error.ts';
import { systemScheduler } from '../foundation/scheduler.ts';

const published = /^lock-[0-9a-f]{16}$/;
const unpublishedSuffix = '.new';
/** Of a socket's path: 104 bytes on macOS, 108 on Linux, with the zero at its end. Longer ones are cut off without a word. */
const maxPathBytes = 103;
/** How long a holder may take to say who it is. One that is stopped in a debugger never does, and holds on all the same. */
const askingTimeoutMs = 1_000;
/** Said by one that does not know yet whether the directory is its own. */
const undecided = '\0';
const maxAttempts = 10;

/** Whether a file of this name is no part of the data. */
export function isLockSocket(name: string): boolean {
  return published.test(name.endsWith(unpublishedSuffix) ? name.slice(0, -unpublishedSuffix.length) : name);
}

export class LockSocket {
  readonly #server: Server;
  readonly #path: string;

  private constructor(server: Server, path: string) {
    this.#server = server;
    this.#path = path;
  }

  /** Throws `data-directory-in-use` with what the holder says of itself; then nothing was changed. */
  static async take(directory: string, whoAmI: string): Promise<LockSocket> {
    const place = await SocketPlace.of(directory);
    try {
      for (let attempt = 1; ; attempt++) {
        const found = (await place.look()).answer ?? (await LockSocket.#tryTaking(place, whoAmI));
        if (found instanceof LockSocket) return found;
        if (found !== undecided || attempt === maxAttempts)
          throw new RingfoldError('data-directory-in-use', { directory, owner: nameOf(found) });
        const pauseMs = randomInt(10, 150);
        await new Promise<void>((resolve) => systemScheduler.after(pauseMs, resolve));
      }
    } finally {
      await place.close();
    }
  }

  /** What another one said, where there is one. */
  static async #tryTaking(place: SocketPlace, whoAmI: string): Promise<LockSocket | string> {
    const name = `lock-${randomBytes(8).toString('hex')}`;
    let answer = undecided;
    const server = await listen(place.socketPath(name + unpublishedSuffix), () => answer).catch((error) => {
      // Tidied away between its making and its being opened to all users.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    if (server === undefined) return undecided;
    const lock = new LockSocket(server, place.filePath(name));
    try {
      await rename(place.filePath(name + unpublishedSuffix), lock.#path);
      const others = await place.look(name);
      if (others.answer === undefined) {
        answer = whoAmI;
        for (const dead of others.dead) await rm(place.filePath(dead), { force: true });
        return lock;
      }
      await lock.release();
      return others.answer;
    } catch (error) {
      await lock.release();
      // Tidied away, before it was published, by one that has the directory now.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undecided;
      throw error;
    }
  }

  async release(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await rm(this.#path, { force: true });
  }
}

interface Others {
  /** Of one that is alive. */
  readonly answer: string | undefined;
  readonly dead: readonly string[];
}

/** A directory with sockets. Its path may be too long for one; then they are reached through the open directory. */
class SocketPlace {
  readonly #directory: string;
  readonly #handle: FileHandle | undefined;

  private constructor(directory: string, handle: FileHandle | undefined) {
    this.#directory = directory;
    this.#handle = handle;
  }

  static async of(directory: string): Promise<SocketPlace> {
    const longest = join(directory, `lock-${'0'.repeat(16)}${unpublishedSuffix}`);
    if (Buffer.byteLength(longest) <= maxPathBytes) return new SocketPlace(directory, undefined);
    if (!existsSync('/proc/self/fd')) {
      const reason = `its path is too long for a lock: ${directory}`;
      throw new RingfoldError('bad-setting', { setting: '--data-dir', source: 'the settings', reason });
    }
    return new SocketPlace(directory, await open(directory, 'r'));
  }

  filePath(name: string): string {
    return join(this.#directory, name);
  }

  socketPath(name: string): string {
    return this.#handle === undefined ? this.filePath(name) : `/proc/self/fd/${this.#handle.fd}/${name}`;
  }

  async look(own?: string): Promise<Others> {
    const dead: string[] = [];
    for (const name of await readdir(this.#directory)) {
      if (!isLockSocket(name) || name === own) continue;
      // One that is not published yet will look by itself.
      const answer = published.test(name) ? await ask(this.socketPath(name)) : undefined;
      if (answer !== undefined) return { answer, dead };
      dead.push(name);
    }
    return { answer: undefined, dead };
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

function listen(path: string, answer: () => string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      // The asker may be gone before it is answered, or never hang up.
      socket.on('error', () => socket.destroy());
      socket.end(answer(), () => socket.destroy());
    });
    server.once('error', reject);
    // Whoever may see the directory may ask, under whatever user its container runs.
    server.listen({ path, readableAll: true, writableAll: true }, () => {
      // The lock alone does not keep a process alive.
      server.unref();
      resolve(server);
    });
  });
}

/** Undefined when nobody is there; empty when somebody is, and does not answer. */
function ask(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const parts: Buffer[] = [];
    // One that withdraws breaks off the connection.
    let withoutAnswer: string | undefined = undecided;
    socket.setTimeout(askingTimeoutMs, () => {
      withoutAnswer = '';
      socket.destroy();
    });
    socket.on('data', (part) => parts.push(part));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED' || code === 'ENOENT') withoutAnswer = undefined;
      socket.destroy();
    });
    socket.on('close', () => resolve(parts.length === 0 ? withoutAnswer : Buffer.concat(parts).toString()));
  });
}

function nameOf(answer: string): string {
  return answer === '' || answer === undecided ? 'unknown' : answer;
}
