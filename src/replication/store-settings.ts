// Every number the embedded store can be tuned by. The defaults are for a server; tests and the simulator make
// them small, so that rotation, trimming and falling behind happen within seconds.

export interface StoreSettings {
  /** A log segment is closed once it is this long. */
  readonly segmentBytes: number;
  /** Applied segments are kept up to this many bytes per node, for catch-up without a copy. */
  readonly logRetentionBytes: number;
  /** The active memtable is handed to the row stores at this size … */
  readonly memtableBytes: number;
  /** … or after this long. */
  readonly applyIntervalMs: number;
  readonly cacheBytes: number;
  /** A node that lets this much queue up falls behind and catches up later. */
  readonly nodeQueueBytes: number;
  /** A node that does not answer a write or a sync for so long is taken down. */
  readonly hungNodeMs: number;
  /** At start, a node that is not open after so long is left out; replaying a long log may take a while. */
  readonly openNodeMs: number;
  /** A node that is down is tried again this often. */
  readonly reopenIntervalMs: number;
  /** Directories, inodes and free space are looked at this often. */
  readonly checkIntervalMs: number;
  /** Pause between two scrubs; 0 scrubs only when asked. */
  readonly scrubIntervalMs: number;
  /** Writes are refused while a level node's disk has less than this free. */
  readonly reserveFreeBytes: number;
  /** Transactions that wait for the disk, together. */
  readonly maxInFlightBytes: number;
  readonly maxTransactionBytes: number;
  /** Only the simulator's own tests set this: a bug that it must find. */
  readonly plantedFault: PlantedFault | undefined;
}

export type PlantedFault =
  | 'acknowledge-at-two'
  | 'skip-sync'
  | 'write-on-after-failure'
  | 'join-without-epochs'
  | 'skip-entry-in-catch-up'
  | 'copy-without-clearing';

const MiB = 2 ** 20;

export const defaultStoreSettings: StoreSettings = {
  segmentBytes: 16 * MiB,
  logRetentionBytes: 512 * MiB,
  memtableBytes: 16 * MiB,
  applyIntervalMs: 2_000,
  cacheBytes: 256 * MiB,
  nodeQueueBytes: 128 * MiB,
  hungNodeMs: 5_000,
  openNodeMs: 120_000,
  reopenIntervalMs: 1_000,
  checkIntervalMs: 1_000,
  scrubIntervalMs: 3_000,
  reserveFreeBytes: 64 * MiB,
  maxInFlightBytes: 64 * MiB,
  maxTransactionBytes: 16 * MiB,
  plantedFault: undefined,
};
