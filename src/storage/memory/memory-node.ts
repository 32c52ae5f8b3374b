import { SortedMap } from '../../foundation/sorted-map.ts';
import type { NodeId } from '../../partitioning/replica-set.ts';
import type { Disk } from '../disk.ts';
import type { StorageEngine } from '../storage-engine.ts';
import type { StorageNodeParts } from '../storage-node.ts';
import { MemoryDisk } from './memory-disk.ts';
import { MemoryEngine } from './memory-engine.ts';

/** A storage node of a throw-away server. */
export class MemoryNode implements StorageNodeParts {
  readonly nodeId: NodeId;
  readonly #disk = new MemoryDisk();
  #rows = new SortedMap<Buffer>();

  constructor(nodeId: NodeId) {
    this.nodeId = nodeId;
  }

  async openDisk(): Promise<Disk> {
    return this.#disk;
  }

  async openEngine(): Promise<StorageEngine> {
    return new MemoryEngine(this.#rows);
  }

  async destroyEngine(): Promise<void> {
    this.#rows = new SortedMap();
  }
}
