// What a row store consists of: its runs, and what has been cleared since they were written. One small file, replaced as a whole, so a
// crash leaves the state before a change or the state after it.

import { crc32 } from 'node:zlib';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { byteStringFromHex, hexOf } from '../../foundation/byte-string.ts';
import type { KeyRange } from '../storage-engine.ts';
import type { RunRecord } from './run.ts';

const format = 1;

/** What runs with a lower sequence hold of this range is gone. */
export interface ClearedRange extends KeyRange {
  readonly before: number;
}

export interface Manifest {
  readonly nextNumber: number;
  /** Newest first. */
  readonly runs: readonly RunRecord[];
  readonly cleared: readonly ClearedRange[];
}

export const emptyManifest: Manifest = { nextNumber: 1, runs: [], cleared: [] };

export function encodeManifest({ nextNumber, runs, cleared }: Manifest): Buffer {
  const text = JSON.stringify({
    format,
    nextNumber,
    runs,
    cleared: cleared.map(({ from, to, before }) => ({ from: hexOf(from), to: hexOf(to), before })),
  });
  return Buffer.from(`${crc32(text).toString(16).padStart(8, '0')} ${text}\n`);
}

export function decodeManifest(bytes: Buffer): Manifest {
  const text = bytes.toString('utf8', 9).trimEnd();
  if (bytes.toString('latin1', 0, 9) !== `${crc32(text).toString(16).padStart(8, '0')} `) {
    throw new RingfoldError('corrupt-data', { what: 'the manifest of a row store' });
  }
  const { format: found, nextNumber, runs, cleared } = JSON.parse(text);
  if (found !== format) throw new RingfoldError('unknown-format', { what: 'row store', format: found });
  return {
    nextNumber,
    runs,
    cleared: cleared.map(({ from, to, before }: { from: string; to: string; before: number }) => ({
      from: byteStringFromHex(from),
      to: byteStringFromHex(to),
      before,
    })),
  };
}

/** What of `range` is still to be seen in a run of this age, in key order. */
export function visibleRanges(
  range: KeyRange,
  sequence: number,
  cleared: readonly ClearedRange[],
): readonly KeyRange[] {
  let visible: readonly KeyRange[] = [range];
  for (const hidden of cleared) {
    if (hidden.before <= sequence) continue;
    visible = visible.flatMap(({ from, to }) => {
      if (hidden.to <= from || hidden.from >= to) return [{ from, to }];
      return [
        { from, to: hidden.from },
        { from: hidden.to, to },
      ].filter((part) => part.from < part.to);
    });
  }
  return visible;
}

/** What the new one covers need not be remembered beside it. */
export function withCleared(cleared: readonly ClearedRange[], added: ClearedRange): readonly ClearedRange[] {
  return [...cleared.filter(({ from, to }) => from < added.from || to > added.to), added];
}

/** A range is remembered as cleared while there are runs from before. */
export function stillCleared(
  cleared: readonly ClearedRange[],
  runs: readonly RunRecord[],
): readonly ClearedRange[] {
  const oldest = Math.min(...runs.map((run) => run.sequence));
  return cleared.filter(({ before }) => before > oldest);
}
