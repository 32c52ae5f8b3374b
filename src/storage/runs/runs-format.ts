import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Disk } from '../disk.ts';
import { decodeManifest } from './run-manifest.ts';
import { manifestPath } from './run-shelf.ts';

/** Throws when the row store, if it is one of runs, was written by a later version. Damage is for whoever opens it to find. Changes nothing. */
export async function checkRunsFormat(disk: Disk): Promise<void> {
  const manifest = await disk.read(manifestPath);
  if (manifest === undefined) return;
  try {
    decodeManifest(manifest);
  } catch (error) {
    if (error instanceof RingfoldError && error.code === 'unknown-format') throw error;
  }
}
