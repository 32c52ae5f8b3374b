// A storage node that a test can cut off, hang, damage behind the store's back and copy as a crash would leave it.

import assert from 'node:assert/strict';
import { type ByteString, bytesOf } from '../../src/foundation/byte-string.ts';
import type { NodeId } from '../../src/partitioning/replica-set.ts';
import type { AppendFile, Disk } from '../../src/storage/disk.ts';
import { MemoryDisk } from '../../src/storage/memory/memory-disk.ts';
import { MemoryEngine } from '../../src/storage/memory/memory-engine.ts';
import type { KeyRange, StorageEngine } from '../../src/storage/storage-engine.ts';
import type { StorageNodeParts } from '../../src/storage/storage-node.ts';

const everyKey = { from: '' as ByteString, to: '\xff\xff\xff\xff' as ByteString };

/** What a node's disk does with the next call: answer, fail, never answer until it is told otherwise, or take no more bytes. */
type DiskMood = 'well' | 'failing' | 'hung' | 'full';

/** A storage node whose files and rows outlive the store that has it open. */
export class TestNode implements StorageNodeParts {
  readonly nodeId: NodeId;
  files: MemoryDisk = new MemoryDisk();
  rows: MemoryEngine = new MemoryEngine();
  /** Paths of its files, so that all can be copied in one instant. */
  readonly paths: Set<string> = new Set();
  freeBytes: number = Number.MAX_SAFE_INTEGER;
  /** What its row store may have lost after an unclean stop; it never does. */
  losable: StorageEngine['losable'] = { bytes: 0, withHoles: false };
  /** What the row store says of a range's size is so many times the truth. */
  sizeFactor = 1;
  /** Called before anything is appended to its log. */
  beforeAppend: () => void = () => {};
  /** Row stores that are open: a real one would not be opened twice. */
  openEngines = 0;
  mostOpenEngines = 0;
  /** How often the row store was removed: a node that is rebuilt begins with that. */
  rebuilds = 0;
  #mood: DiskMood = 'well';
  #waiting: (() => void)[] = [];

  constructor(nodeId: number) {
    this.nodeId = nodeId as NodeId;
  }

  get mood(): DiskMood {
    return this.#mood;
  }

  set mood(mood: DiskMood) {
    this.#mood = mood;
    if (mood !== 'hung') for (const goOn of this.#waiting.splice(0)) goOn();
  }

  async openDisk(): Promise<Disk> {
    await this.answer();
    return new MoodyDisk(this, this.files);
  }

  async openEngine(): Promise<StorageEngine> {
    this.openEngines += 1;
    this.mostOpenEngines = Math.max(this.mostOpenEngines, this.openEngines);
    return new LentEngine(this, this.rows);
  }

  async destroyEngine(): Promise<void> {
    this.rows = new MemoryEngine();
    this.rebuilds += 1;
  }

  async answer(): Promise<void> {
    if (this.#mood === 'hung') await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#mood === 'failing') throw new Error('EIO');
  }

  async takeBytes(): Promise<void> {
    await this.answer();
    if (this.#mood === 'full') throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  }

  /** The node as a crash at this moment would leave it: on this disk nothing is ever unsynced. */
  async copy(): Promise<TestNode> {
    const copy = new TestNode(this.nodeId);
    // Nothing is awaited before all of it was asked for, so that it is all of one moment.
    const contents = [...this.paths].map((path) => ({ path, content: this.files.read(path) }));
    const rows = this.allRows();
    for (const { path, content } of contents) {
      copy.paths.add(path);
      await copy.files.replace(path, (await content) ?? Buffer.alloc(0));
    }
    await copy.rows.write(await rows, false);
    return copy;
  }

  async allRows(): Promise<{ key: Buffer; value: Buffer }[]> {
    const rows = await this.rows.iterate(everyKey).next(10 ** 6, 10 ** 9);
    return rows.map(({ key, value }) => ({ key: bytesOf(key), value }));
  }

  /** Damages a byte near the beginning of the oldest segment of its log: what is behind it was durable once. */
  async damageLog(): Promise<void> {
    const [name] = (await this.files.list('log')) ?? [];
    const path = `log/${name}`;
    const file = await this.files.read(path);
    assert(file !== undefined);
    file.writeUInt8(file.readUInt8(80) ^ 1, 80);
    await this.files.replace(path, file);
  }
}

/** Closing it leaves the rows where they are. */
class LentEngine implements StorageEngine {
  readonly #node: TestNode;
  readonly #rows: MemoryEngine;

  constructor(node: TestNode, rows: MemoryEngine) {
    this.#node = node;
    this.#rows = rows;
  }

  readonly isChecked = false;
  get losable(): StorageEngine['losable'] {
    return this.#node.losable;
  }

  get: StorageEngine['get'] = (key) => this.#rows.get(key);
  lacks: StorageEngine['lacks'] = (key) => this.#rows.lacks(key);
  write: StorageEngine['write'] = (batch, sync) => this.#rows.write(batch, sync);
  writeSorted: StorageEngine['writeSorted'] = (slices, marks) => this.#rows.writeSorted(slices, marks);
  iterate: StorageEngine['iterate'] = (range) => this.#rows.iterate(range);
  clear: StorageEngine['clear'] = (range) => this.#rows.clear(range);
  flush: StorageEngine['flush'] = () => this.#rows.flush();
  isIntact: StorageEngine['isIntact'] = () => this.#rows.isIntact();

  async close(): Promise<void> {
    this.#node.openEngines -= 1;
  }

  async approximateSize(range: KeyRange): Promise<number> {
    return this.#node.sizeFactor * (await this.#rows.approximateSize(range));
  }
}

class MoodyDisk implements Disk {
  readonly #node: TestNode;
  readonly #files: MemoryDisk;

  constructor(node: TestNode, files: MemoryDisk) {
    this.#node = node;
    this.#files = files;
  }

  list: Disk['list'] = (folder) => this.#do(() => this.#files.list(folder));
  read: Disk['read'] = (path, maxBytes) => this.#do(() => this.#files.read(path, maxBytes));
  sizeOf: Disk['sizeOf'] = (path) => this.#do(() => this.#files.sizeOf(path));
  freeBytes: Disk['freeBytes'] = () =>
    this.#do(async () => (this.#node.mood === 'full' ? 0 : this.#node.freeBytes));
  isIntact: Disk['isIntact'] = (path, bytes) => this.#do(() => this.#files.isIntact(path, bytes));
  openReadFile: Disk['openReadFile'] = (path) => this.#do(() => this.#files.openReadFile(path));
  close: Disk['close'] = async () => {};

  async replace(path: string, content: Buffer): Promise<void> {
    await this.#node.takeBytes();
    await this.#files.replace(path, content);
    this.#node.paths.add(path);
  }

  async remove(path: string): Promise<void> {
    await this.#do(() => this.#files.remove(path));
    this.#node.paths.delete(path);
  }

  async createAppendFile(path: string): Promise<AppendFile> {
    await this.#node.takeBytes();
    const file = await this.#files.createAppendFile(path);
    this.#node.paths.add(path);
    return {
      append: async (parts) => {
        this.#node.beforeAppend();
        await this.#node.takeBytes();
        await file.append(parts);
      },
      sync: () => this.#do(() => file.sync()),
      get sizeBytes() {
        return file.sizeBytes;
      },
      readAt: (position, length) => this.#do(() => file.readAt(position, length)),
      close: () => file.close(),
    };
  }

  async #do<T>(work: () => Promise<T>): Promise<T> {
    await this.#node.answer();
    return work();
  }
}

export function testNodes(count: number): TestNode[] {
  return Array.from({ length: count }, (_, nodeId) => new TestNode(nodeId));
}
