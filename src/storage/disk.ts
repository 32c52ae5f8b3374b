/**
 * The files a storage node keeps: its superblock, its log and its runs of rows. Behind an interface so that a
 * simulated disk can be slow, hung, full, torn, or forget what was never synced. Callers treat every rejection as
 * the end of the handle: nothing is retried on it.
 */
export interface Disk {
  /** Names of the files in the node's directory below `folder`, sorted; undefined when the folder is not there. */
  list(folder: string): Promise<string[] | undefined>;
  /** The whole file, or so much of its beginning; undefined when it is not there. */
  read(path: string, maxBytes?: number): Promise<Buffer | undefined>;
  /** How long the file is; undefined when it is not there. */
  sizeOf(path: string): Promise<number | undefined>;
  /** Writes, syncs and renames into place, then syncs the folder: a crash leaves the old file or the new one. */
  replace(path: string, content: Buffer): Promise<void>;
  /** Creates a file that must not exist, and syncs its folder. `isLog`: it will be synced after every append. */
  createAppendFile(path: string, isLog?: boolean): Promise<AppendFile>;
  /** Opens a file that must exist, for reading. */
  openReadFile(path: string): Promise<ReadFile>;
  remove(path: string): Promise<void>;
  /** Free bytes for this process. */
  freeBytes(): Promise<number>;
  /** False when the node's directory is no longer the one that was opened, or a file's length is below what was written. */
  isIntact(path: string, minimumBytes: number): Promise<boolean>;
  /** Lets go of the directory. Files opened through it are closed by themselves. */
  close(): Promise<void>;
}

export interface ReadFile {
  /** Rejects with `corrupt-data` where the file ends too early or cannot be read any more. */
  readAt(position: number, length: number): Promise<Buffer>;
  /** Waits for the reads under way. */
  close(): Promise<void>;
}

export interface AppendFile extends ReadFile {
  /** Appends all parts in order, at once or by the next sync; which of the two does it rejects when not all was written. */
  append(parts: readonly Buffer[]): Promise<void>;
  /** Everything appended before this call is durable when it resolves. */
  sync(): Promise<void>;
  /** Bytes written so far. */
  readonly sizeBytes: number;
}
