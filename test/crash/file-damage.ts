// What disks and people do to files.

import assert from 'node:assert/strict';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { decodeManifest } from '../../src/storage/runs/run-manifest.ts';

/** Turns the bits of 200 bytes in the middle. */
export function flipBytes(path: string): void {
  flip(path, statSync(path).size >> 1, 200);
}

/** Where in a run a byte is turned. */
export type PlaceInRun =
  | 'its first block'
  | 'a block in its middle'
  | 'its index'
  | 'its root'
  | 'its footer';

/** Of a run: data blocks, among them and behind them index blocks, the root, and 28 bytes that say where the root is. */
export function flipByteOfRun(path: string, place: PlaceInRun): void {
  const bytes = readFileSync(path);
  const footerAt = bytes.length - 28;
  const rootAt = bytes.readUIntBE(footerAt, 6);
  assert.ok(rootAt > 100 && rootAt < footerAt, `${path} is a run with a root and something before it`);
  const at = {
    'its first block': 12,
    'a block in its middle': rootAt >> 1,
    // An index block stands right before the root.
    'its index': rootAt - 20,
    'its root': rootAt + 12,
    'its footer': footerAt + 3,
  }[place];
  flip(path, at, 1);
}

export function cutInHalf(path: string): void {
  truncateSync(path, statSync(path).size >> 1);
}

export function logSegments(nodeDirectory: string): string[] {
  return pathsIn(join(nodeDirectory, 'log'), '.log').sort();
}

/** Files that hold rows, the largest first: runs, or LevelDB's tables. */
export function rowFiles(nodeDirectory: string): string[] {
  const rows = join(nodeDirectory, 'rows');
  const paths = [...pathsIn(rows, '.run'), ...pathsIn(rows, '.ldb')];
  // One that was merged a moment ago may be gone again.
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return paths.sort((left, right) => sizeOf(right) - sizeOf(left));
}

/** Numbers of the runs that the manifest names; all others are still being written, or were merged. */
export function knownRuns(nodeDirectory: string): Set<number> {
  return new Set(decodeManifest(readFileSync(manifestOf(nodeDirectory))).runs.map(({ number }) => number));
}

export function numberOfRun(path: string): number {
  return Number.parseInt(basename(path), 10);
}

export function manifestOf(nodeDirectory: string): string {
  return join(nodeDirectory, 'rows', 'manifest');
}

function flip(path: string, at: number, count: number): void {
  const bytes = Buffer.alloc(count);
  const file = openSync(path, 'r+');
  const length = readSync(file, bytes, 0, count, at);
  assert.ok(length > 0, `${path} has nothing at ${at}`);
  for (let index = 0; index < length; index++) bytes.writeUInt8(bytes.readUInt8(index) ^ 0xff, index);
  writeSync(file, bytes, 0, length, at);
  fsyncSync(file);
  closeSync(file);
}

function pathsIn(folder: string, ending: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}
