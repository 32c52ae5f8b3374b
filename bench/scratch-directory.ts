import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A directory beside the built files, so on the disk that the repository is on: the system's own place for temporary files is often
 * in memory, where a sync costs nothing. Removed when the process ends, also by a signal.
 */
export function makeScratchDirectory(): string {
  const built = dirname(dirname(fileURLToPath(import.meta.url)));
  const directory = mkdtempSync(join(built, 'bench-data-'));
  // LevelDB's own thread may still be making files while the others go, hence the retries.
  process.on('exit', () =>
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(signal === 'SIGINT' ? 130 : 143));
  }
  return directory;
}
