// Puts programs together in few files: a server is some 850 modules, and finding, reading and linking them one by one takes longer than
// all else that a start does (docs/decisions/017). Beside what TypeScript compiles, not instead of it: tests and
// `import 'ringfold'` use that.

import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Not imported, because this file is loaded before anything is installed. */
const require = createRequire(import.meta.url);

/**
 * Programs and the threads they start. All come to lie in one folder, because a thread is found beside the file that starts it, and
 * that is by then any of them.
 */
const programs = ['cli/ringfold.ts', 'src/storage/disk/read-worker.ts', 'src/storage/runs/merge-worker.ts'];

/** Into `dist/bundle`, of those programs that are there. False when it failed, which esbuild has then explained. */
export function bundle(root) {
  const folder = join(root, 'dist', 'bundle');
  rmSync(folder, { recursive: true, force: true });
  const present = programs.filter((program) => existsSync(join(root, program)));
  if (present.length === 0) return true;
  // With a thread of its own it would keep a process for the next build, and whoever asked for this one may run a server from now on.
  process.env.ESBUILD_WORKER_THREADS = '0';
  const { buildSync } = require('esbuild');
  try {
    buildSync({
      absWorkingDir: root,
      entryPoints: present,
      outdir: folder,
      entryNames: '[name]',
      chunkNames: '[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      packages: 'external',
      // Stacks name the sources; for that their text need not be loaded with every start.
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'warning',
    });
    return true;
  } catch {
    return false;
  }
}
