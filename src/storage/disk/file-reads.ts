import { read } from 'node:fs';

/** `bytes` are fewer than were asked for where the file ends. They may be part of something larger, so what is kept for long is copied. */
export type ReadDone = (error: NodeJS.ErrnoException | null, bytes: Buffer) => void;

/** Who reads a file at a place. */
export interface FileReads {
  read(descriptor: number, position: number, length: number, done: ReadDone): void;
}

/** Each read by itself in libuv's pool. */
export const poolReads: FileReads = {
  read(descriptor, position, length, done) {
    try {
      const bytes = Buffer.allocUnsafe(length);
      read(descriptor, bytes, 0, length, position, (error, count) => {
        done(error, error === null && count === length ? bytes : bytes.subarray(0, count));
      });
    } catch (error) {
      // There is no room for so many bytes.
      done(error as Error, noBytes);
    }
  },
};

export const noBytes: Buffer = Buffer.alloc(0);
