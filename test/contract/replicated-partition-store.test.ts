import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/foundation/clock.ts';
import { silentLog } from '../../src/foundation/log.ts';
import { systemRandom } from '../../src/foundation/random.ts';
import { systemScheduler } from '../../src/foundation/scheduler.ts';
import { partitionKeyDefinition } from '../../src/partitioning/partition-key.ts';
import type { NodeId } from '../../src/partitioning/replica-set.ts';
import { ReplicatedPartitionStore } from '../../src/replication/replicated-partition-store.ts';
import { defaultStoreSettings } from '../../src/replication/store-settings.ts';
import { FileDisk } from '../../src/storage/disk/file-disk.ts';
import type { AppendFile, Disk, ReadFile } from '../../src/storage/disk.ts';
import { defaultLevelEngineOptions, LevelEngine } from '../../src/storage/level/level-engine.ts';
import { MemoryEngine } from '../../src/storage/memory/memory-engine.ts';
import type { StorageEngine } from '../../src/storage/storage-engine.ts';
import type { StorageNodeParts } from '../../src/storage/storage-node.ts';
import {
  contractOperationKinds,
  type OpenedStore,
  partitionStoreContract,
} from './partition-store.contract.ts';

const settings = {
  ...defaultStoreSettings,
  applyIntervalMs: 5,
  memtableBytes: 4_000,
  segmentBytes: 20_000,
  reopenIntervalMs: 20,
  checkIntervalMs: 20,
  scrubIntervalMs: 0,
  reserveFreeBytes: 0,
};

partitionStoreContract('the replicated store over LevelDB', () =>
  openStore(async (directory) => {
    await mkdir(dirname(directory), { recursive: true });
    const open = existsSync(directory) ? LevelEngine.open : LevelEngine.create;
    return open(directory, defaultLevelEngineOptions);
  }),
);

partitionStoreContract('the replicated store over the memory engine', () =>
  openStore(async () => new MemoryEngine()),
);

async function openStore(openEngine: (directory: string) => Promise<StorageEngine>): Promise<OpenedStore> {
  const directory = await mkdtemp(join(tmpdir(), 'ringfold-store-'));
  const breaker = new Breaker();
  const nodes = [0, 1, 2, 3].map((index): StorageNodeParts => {
    const nodeDirectory = join(directory, `node-${index}`);
    const rows = join(nodeDirectory, 'rows');
    return {
      nodeId: index as NodeId,
      // Two of four can fail: then there is no quorum.
      openDisk: async () =>
        new BreakableDisk(await FileDisk.create(nodeDirectory), index < 2 ? breaker : undefined),
      openEngine: () => openEngine(rows),
      destroyEngine: () => rm(rows, { recursive: true, force: true }),
    };
  });
  const store = await ReplicatedPartitionStore.open({
    nodes,
    clock: systemClock,
    scheduler: systemScheduler,
    random: systemRandom,
    log: silentLog,
    operationKinds: contractOperationKinds,
    settings,
    rebuild: [],
    forceRecover: false,
  });
  const { container } = await store.createContainer([], partitionKeyDefinition('cql', ['key']));
  return {
    store,
    container,
    map: () => {
      const map = store.mapOf(container);
      if (map === undefined) throw new Error('the container is gone');
      return map;
    },
    split: (physicalPartition) => store.splitPartition(container, physicalPartition, 'midpoint'),
    interrupt: () => breaker.interrupt(),
    cleanUp: async () => {
      await store.stop();
      await rm(directory, { recursive: true });
    },
  };
}

/** Cuts off the disks that were opened with it. */
class Breaker {
  isCut = false;

  interrupt(): () => void {
    this.isCut = true;
    return () => {
      this.isCut = false;
    };
  }
}

class BreakableDisk implements Disk {
  readonly #disk: Disk;
  readonly #breaker: Breaker | undefined;

  constructor(disk: Disk, breaker: Breaker | undefined) {
    this.#disk = disk;
    this.#breaker = breaker;
  }

  async list(folder: string): Promise<string[] | undefined> {
    return this.#whole().list(folder);
  }

  async sizeOf(path: string): Promise<number | undefined> {
    return this.#whole().sizeOf(path);
  }

  async read(path: string, maxBytes?: number): Promise<Buffer | undefined> {
    return this.#whole().read(path, maxBytes);
  }

  async replace(path: string, content: Buffer): Promise<void> {
    await this.#whole().replace(path, content);
  }

  async createAppendFile(path: string): Promise<AppendFile> {
    const file = await this.#whole().createAppendFile(path);
    return {
      append: async (parts) => {
        this.#whole();
        await file.append(parts);
      },
      sync: () => file.sync(),
      get sizeBytes() {
        return file.sizeBytes;
      },
      readAt: (position, length) => file.readAt(position, length),
      close: () => file.close(),
    };
  }

  async openReadFile(path: string): Promise<ReadFile> {
    return this.#whole().openReadFile(path);
  }

  async remove(path: string): Promise<void> {
    await this.#whole().remove(path);
  }

  close(): Promise<void> {
    return this.#disk.close();
  }

  freeBytes(): Promise<number> {
    return this.#disk.freeBytes();
  }

  isIntact(path: string, minimumBytes: number): Promise<boolean> {
    return this.#disk.isIntact(path, minimumBytes);
  }

  #whole(): Disk {
    if (this.#breaker?.isCut) throw new Error('cut off by the test');
    return this.#disk;
  }
}
