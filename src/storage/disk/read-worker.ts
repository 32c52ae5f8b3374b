// The other end of read-thread.ts.

import { readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { systemClock } from '../../foundation/clock.ts';
import type { ReadBatch, ReadFailure, ReadReply } from './read-thread.ts';

/** Whoever is first in a batch does not wait much longer than this for those behind it. */
const patienceMs = 0.5;

parentPort?.on('message', (batch: ReadBatch) => {
  let left = 0;
  for (let at = 2; at < batch.length; at += 3) left += batch[at] as number;
  const bytes = Buffer.allocUnsafeSlow(left);
  let used = 0;
  let outcomes: (number | ReadFailure)[] = [];
  let since = systemClock.monotonic();
  for (let at = 0; at < batch.length; at += 3) {
    const [descriptor, position, length] = [batch[at], batch[at + 1], batch[at + 2]] as number[];
    outcomes.push(read(descriptor as number, bytes, used, length as number, position as number));
    used += length as number;
    if (at + 3 < batch.length && systemClock.monotonic() - since < patienceMs) continue;
    if (at + 3 === batch.length) {
      answer({ bytes: bytes.buffer, outcomes });
      return;
    }
    answer({ bytes: bytes.buffer.slice(0, used), outcomes });
    used = 0;
    outcomes = [];
    since = systemClock.monotonic();
  }
});

function read(
  descriptor: number,
  bytes: Buffer,
  at: number,
  length: number,
  position: number,
): number | ReadFailure {
  try {
    return readSync(descriptor, bytes, at, length, position);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { message, code };
  }
}

function answer(reply: ReadReply): void {
  parentPort?.postMessage(reply, [reply.bytes]);
}
