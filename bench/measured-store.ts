// Ringfold as `npm start` runs it, in this process and without a protocol: four storage nodes on a real directory, one container of
// four physical partitions.

import type { ByteString } from '../src/foundation/byte-string.ts';
import { endOfPrefix } from '../src/foundation/byte-string.ts';
import { systemClock } from '../src/foundation/clock.ts';
import { consoleLog } from '../src/foundation/console-log.ts';
import { initialBoundaries } from '../src/partitioning/initial-layout.ts';
import type { LogicalPartition } from '../src/partitioning/logical-partition.ts';
import { partitionKeyDefinition } from '../src/partitioning/partition-key.ts';
import type { StoreSettings } from '../src/replication/store-settings.ts';
import { type Ringfold, startRingfold } from '../src/ringfold.ts';
import { putRows } from '../src/storage/operation-kinds.ts';
import type { PartitionAddress, Scan } from '../src/storage/partition-store.ts';
import type { SourceRow } from './row-source.ts';

const physicalPartitionCount = 4;
/** A node that goes down under load spoils the figures, so the store's warnings must not be missed. */
const log = consoleLog(systemClock, (line) => {
  if (line.includes(' warn ')) console.error(line);
});
/** How long a writer waits that was told there is too much in flight. */
const backOffMs = 5;

export class MeasuredStore {
  readonly container: number;
  readonly #ringfold: Ringfold;
  readonly #addresses = new Map<LogicalPartition, PartitionAddress>();
  /** Writes that were refused because row stores or logs were behind, and tried again. */
  refusals = 0;

  private constructor(ringfold: Ringfold, container: number) {
    this.#ringfold = ringfold;
    this.container = container;
  }

  /** Takes the container that is there, or makes one. */
  static async open(dataDir: string, settings: Partial<StoreSettings>): Promise<MeasuredStore> {
    const ringfold = await startRingfold({ dataDir, settings, log, ownerName: 'npm run bench' });
    const [existing] = ringfold.store.containers();
    const boundaries = initialBoundaries('cql', physicalPartitionCount);
    const definition = partitionKeyDefinition('cql', ['user']);
    const container = existing ?? (await ringfold.store.createContainer(boundaries, definition)).container;
    return new MeasuredStore(ringfold, container);
  }

  get store(): Ringfold['store'] {
    return this.#ringfold.store;
  }

  write(row: SourceRow, done: () => void): void {
    const { logicalPartition, key, value } = row;
    const address = this.addressOf(logicalPartition);
    this.store.transact(address, logicalPartition, putRows([{ key, value }]), (outcome) => {
      if (outcome.kind === 'committed') done();
      else if (outcome.kind === 'refused' && outcome.error.code === 'too-much-in-flight') {
        this.refusals += 1;
        setTimeout(() => this.write(row, done), backOffMs);
      } else throw new Error(`a write was not committed: ${JSON.stringify(outcome)}`);
    });
  }

  addressOf(logicalPartition: LogicalPartition): PartitionAddress {
    let address = this.#addresses.get(logicalPartition);
    if (address === undefined) {
      const owner = this.store.mapOf(this.container)?.ownerOf(logicalPartition.ringPosition);
      if (owner === undefined) throw new Error('the container is gone');
      address = { container: this.container, physicalPartition: owner.id };
      this.#addresses.set(logicalPartition, address);
    }
    return address;
  }

  stop(): Promise<void> {
    return this.#ringfold.stop();
  }
}

export function wholePartition({ prefix }: LogicalPartition, maxRows: number): Scan {
  const to = endOfPrefix(prefix) as ByteString;
  return { from: prefix, to, maxRows, maxBytes: Number.MAX_SAFE_INTEGER, reverse: false };
}
