import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import fc from 'fast-check';
import { FileDisk } from './file-disk.ts';
import { ReadThread } from './read-thread.ts';

const content = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7 + (at >> 8)) & 0xff));

async function withFile(
  use: (thread: ReadThread, descriptor: number, directory: string) => Promise<void>,
  thread = new ReadThread(),
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'read-thread-'));
  writeFileSync(join(directory, 'a'), content);
  const descriptor = openSync(join(directory, 'a'), 'r');
  try {
    await use(thread, descriptor, directory);
  } finally {
    await thread.close();
    closeSync(descriptor);
    rmSync(directory, { recursive: true });
  }
}

const readWith = (
  thread: ReadThread,
  descriptor: number,
  position: number,
  length: number,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    thread.read(descriptor, position, length, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });

/** The first reads are done in the pool, while the thread begins. */
async function warm(thread: ReadThread, descriptor: number): Promise<void> {
  await Promise.all(Array.from({ length: 8 }, () => readWith(thread, descriptor, 0, 10)));
  await after(150);
}

const anyReads = fc.array(
  fc.record({ position: fc.nat(content.length + 50), length: fc.integer({ min: 1, max: 20_000 }) }),
  { minLength: 1, maxLength: 90 },
);

test('reads, however many are asked for at once, give what the file holds there', async () => {
  await withFile(async (thread, descriptor) => {
    const look = fc.asyncProperty(anyReads, async (reads) => {
      const found = await Promise.all(
        reads.map(({ position, length }) => readWith(thread, descriptor, position, length)),
      );
      for (const [index, { position, length }] of reads.entries())
        assert.ok(found[index]?.equals(content.subarray(position, position + length)), `read ${index}`);
    });
    await fc.assert(look, { numRuns: 10 });
    await after(150);
    await fc.assert(look, { numRuns: 60 });
  });
});

test('callers that ask again and again each get their own answers', async () => {
  await withFile(async (thread, descriptor) => {
    await warm(thread, descriptor);
    for (const callers of [1, 2, 3, 16, 100]) {
      const call = async (caller: number): Promise<void> => {
        for (let round = 0; round < 20; round++) {
          const position = (caller * 977 + round * 31) % 60_000;
          const bytes = await readWith(thread, descriptor, position, 100 + caller);
          assert.ok(bytes.equals(content.subarray(position, position + 100 + caller)));
          if ((caller + round) % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
    }
  });
});

test('a read that fails fails alone', async () => {
  await withFile(async (thread, descriptor) => {
    await warm(thread, descriptor);
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 5 }, () => readWith(thread, descriptor, 1, 20)),
      readWith(thread, 99_999, 0, 20),
      readWith(thread, descriptor, 2, 20),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      [...Array(5).fill('fulfilled'), 'rejected', 'fulfilled'],
    );
    assert.equal((outcomes[5] as PromiseRejectedResult).reason.code, 'EBADF');
    assert.ok((outcomes[6] as PromiseFulfilledResult<Buffer>).value.equals(content.subarray(2, 22)));
  });
});

test('a file read so is cut off or closed as any other', async () => {
  await withFile(async (thread, descriptor, directory) => {
    await warm(thread, descriptor);
    const disk = await FileDisk.open(directory, thread);
    const file = await disk.openReadFile('a');
    const reads = Array.from({ length: 20 }, (_, at) => file.readAt(at * 100, 100));
    const closed = file.close();
    for (const [at, read] of reads.entries())
      assert.ok((await read).equals(content.subarray(at * 100, at * 100 + 100)));
    await closed;
    await assert.rejects(file.readAt(0, 1), /closed/);
    const other = await disk.openReadFile('a');
    const beyond = Array.from({ length: 5 }, () => other.readAt(content.length - 5, 6));
    for (const outcome of await Promise.allSettled(beyond)) {
      assert.equal(outcome.status, 'rejected');
      assert.equal(outcome.reason.code, 'corrupt-data');
    }
    await other.close();
    await disk.close();
  });
});

test('a thread that dies rejects what waits for it, and another one takes its place', async () => {
  const dying = new URL(
    `data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { throw new Error('died'); });`,
  );
  await withFile(async (thread, descriptor) => {
    for (let life = 0; life < 2; life++) {
      let outcomes: PromiseSettledResult<Buffer>[] = [];
      // Until the thread is ready the pool reads.
      while (!outcomes.some(({ status }) => status === 'rejected')) {
        outcomes = await Promise.allSettled(
          Array.from({ length: 100 }, () => readWith(thread, descriptor, 0, 10)),
        );
        await after(1);
      }
      for (const outcome of outcomes) {
        assert.equal(outcome.status, 'rejected');
        assert.match(String(outcome.reason.cause), /died/);
      }
      assert.ok((await readWith(thread, descriptor, 3, 4)).equals(content.subarray(3, 7)));
    }
  }, new ReadThread(dying));
});

test('what is asked for after closing is still read', async () => {
  await withFile(async (thread, descriptor) => {
    await warm(thread, descriptor);
    await thread.close();
    const reads = await Promise.all(
      Array.from({ length: 10 }, (_, at) => readWith(thread, descriptor, at, 5)),
    );
    for (const [at, bytes] of reads.entries()) assert.ok(bytes.equals(content.subarray(at, at + 5)));
  });
});
