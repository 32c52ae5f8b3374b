import { IndexStore } from '../../src/execution/nosql/indexes/index-store.samples.ts';
import { nosqlOperationKinds } from '../../src/execution/nosql/items/item-operation-kinds.ts';
import { type Log, silentLog } from '../../src/foundation/log.ts';
import { UndoSteps } from '../../src/foundation/undo-steps.ts';
import { startStore } from '../../src/start-store.ts';
import { LevelIndexDirectory } from '../../src/storage/index-directory.ts';

export interface OpenIndexStore {
  readonly store: IndexStore;
  readonly close: () => Promise<void>;
}

/** `life` is above that of every process before it. */
export async function openIndexStore(
  dataDir: string,
  life: number,
  log: Log = silentLog,
): Promise<OpenIndexStore> {
  const undo = new UndoSteps();
  const store = new IndexStore({
    directory: new LevelIndexDirectory(dataDir),
    log,
    maxPendingBytes: 2 ** 18,
    firstRid: life * 1_000_000,
    openStore: () => startStore({ dataDir }, [nosqlOperationKinds], undo),
  });
  await store.open();
  return {
    store,
    close: async () => {
      await store.index.stop();
      await undo.run();
    },
  };
}
