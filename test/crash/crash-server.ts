// A process to be killed: opens a store on a data directory, reads everything, then lets clients write until its end. Started by
// CrashChild, which tells it over the channel between them what to do.

import { systemClock } from '../../src/foundation/clock.ts';
import { consoleLog } from '../../src/foundation/console-log.ts';
import { SeededRandom } from '../../src/foundation/random.ts';
import { UndoSteps } from '../../src/foundation/undo-steps.ts';
import type { StoreSettings } from '../../src/replication/store-settings.ts';
import { startStore } from '../../src/start-store.ts';
import type { RowStoreKind } from '../../src/storage/directory-node.ts';
import { Ballast } from './ballast.ts';
import { JournalFile } from './crash-journal.ts';
import { CrashLoad } from './crash-load.ts';

/** Small, so that segments end, rows are applied and the log is trimmed several times within a second. */
export const crashSettings: Partial<StoreSettings> = {
  segmentBytes: 64 * 1024,
  logRetentionBytes: 256 * 1024,
  memtableBytes: 64 * 1024,
  applyIntervalMs: 20,
  cacheBytes: 128 * 1024,
  reopenIntervalMs: 50,
  checkIntervalMs: 50,
  scrubIntervalMs: 300,
  reserveFreeBytes: 0,
};

export interface CrashServerTask {
  readonly dataDir: string;
  readonly journal: string;
  /** Of this life; ids begin with it. */
  readonly name: string;
  readonly seed: number;
  readonly nodes: number;
  readonly clients: number;
  readonly changesMap: boolean;
  /** What to do once everything was read. */
  readonly work: 'run' | 'check-and-stop' | 'split' | 'merge' | 'move' | 'write-and-stop';
  readonly settings: Partial<StoreSettings>;
  readonly rebuildNodes?: readonly number[];
  /** Of a data directory that is made. */
  readonly rowStore?: RowStoreKind;
  /** Large rows: written by the life that finds none, read by all others, and written again and again while clients run. */
  readonly ballastBytes?: number;
  /** Does nothing more until it is told to, once everything was read. */
  readonly waits?: boolean;
}

export type FromCrashServer = 'opening' | 'open' | 'running' | 'done';

async function serve(task: CrashServerTask): Promise<void> {
  const journal = new JournalFile(task.journal);
  const log = consoleLog(systemClock, (line) => process.stderr.write(`${line}\n`));
  tell('opening');
  const { dataDir, nodes, rebuildNodes = [], rowStore = 'runs', ballastBytes = 0 } = task;
  const undo = new UndoSteps();
  const settings = { ...crashSettings, ...task.settings };
  const store = await startStore({ dataDir, nodes, rebuildNodes, rowStore, settings, log }, [], undo);
  tell('open');
  const load = await CrashLoad.begin(store, journal, new SeededRandom(task.seed), task.name);
  await load.readAll();
  const ballast = ballastBytes > 0 ? new Ballast(store, ballastBytes) : undefined;
  await ballast?.ensure(journal);
  tell('running');
  if (task.waits === true) await new Promise((resolve) => process.once('message', resolve));
  switch (task.work) {
    case 'run':
      await Promise.all([
        load.watch(),
        load.run(task.clients),
        ballast?.keepWriting(),
        task.changesMap ? load.runMapChanges() : undefined,
      ]);
      return;
    case 'split':
    case 'merge':
    case 'move':
      await load[task.work]();
      break;
    case 'write-and-stop':
      for (let subject = 0; subject < 4; subject++) await load.write(subject);
      break;
    case 'check-and-stop':
      break;
  }
  await store.whenQuiet();
  await load.scrub();
  await load.readAll();
  await undo.run();
  journal.close();
  tell('done');
  process.disconnect?.();
}

function tell(message: FromCrashServer): void {
  process.send?.(message);
}

if (process.send !== undefined) {
  process.once('message', (task: CrashServerTask) => {
    serve(task).catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  });
  // Whoever wanted this process is gone.
  process.once('disconnect', () => process.exit());
}
