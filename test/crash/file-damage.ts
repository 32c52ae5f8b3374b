// What disks and people do to files.

import assert from 'node:assert/strict';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Turns the bits of 200 bytes in the middle. */
export function flipBytes(path: string): void {
  const middle = statSync(path).size >> 1;
  const bytes = Buffer.alloc(200);
  const file = openSync(path, 'r+');
  const length = readSync(file, bytes, 0, bytes.length, middle);
  assert.ok(length > 0, `${path} is empty`);
  for (let at = 0; at < length; at++) bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
  writeSync(file, bytes, 0, length, middle);
  fsyncSync(file);
  closeSync(file);
}

export function cutInHalf(path: string): void {
  truncateSync(path, statSync(path).size >> 1);
}

export function logSegments(nodeDirectory: string): string[] {
  return pathsIn(join(nodeDirectory, 'log'), '.log').sort();
}

/** LevelDB's, the largest first. */
export function rowTables(nodeDirectory: string): string[] {
  return pathsIn(join(nodeDirectory, 'rows'), '.ldb').sort(
    (left, right) => statSync(right).size - statSync(left).size,
  );
}

function pathsIn(folder: string, ending: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}
