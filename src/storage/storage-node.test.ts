import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ByteString, bytesOf } from '../foundation/byte-string.ts';
import { systemClock } from '../foundation/clock.ts';
import { silentLog } from '../foundation/log.ts';
import { systemScheduler } from '../foundation/scheduler.ts';
import type { NodeId } from '../partitioning/replica-set.ts';
import { TurnEnds } from './log/turn-ends.ts';
import { MemoryDisk } from './memory/memory-disk.ts';
import { MemoryEngine } from './memory/memory-engine.ts';
import { NodeDownError, StorageNode, type StorageNodeParts } from './storage-node.ts';

const superblock = {
  clusterId: '0123456789abcdef0123456789abcdef',
  nodeId: 2,
  memberIds: [0, 1, 2, 3],
  createdAtMs: 5,
};
const settings = { segmentBytes: 10 ** 6, skipSync: false, writeOnAfterFailure: false };
const key = 'key' as ByteString;

/** Files that outlive the node, and a row store that is new each time and tells what is asked of it. */
class Parts implements StorageNodeParts {
  readonly nodeId = 2 as NodeId;
  readonly disk = new MemoryDisk();
  engine = new MemoryEngine();
  readonly events: string[] = [];

  async openDisk(): Promise<MemoryDisk> {
    this.events.push('open disk');
    return this.disk;
  }

  async openEngine(): Promise<MemoryEngine> {
    this.events.push('open engine');
    this.engine = new MemoryEngine();
    const close = this.engine.close.bind(this.engine);
    this.engine.close = async () => {
      this.events.push('close engine');
      await close();
    };
    return this.engine;
  }

  async destroyEngine(): Promise<void> {
    this.events.push('destroy engine');
  }

  node(onDown: () => void = () => {}): StorageNode {
    return new StorageNode(this, systemClock, new TurnEnds(systemScheduler), silentLog, settings, onDown);
  }

  /** A node that takes part. */
  async openNode(onDown?: () => void): Promise<StorageNode> {
    const node = this.node(onDown);
    await node.open(superblock);
    node.admit(0);
    return node;
  }
}

function put(text: string) {
  return [{ key: bytesOf(key), value: Buffer.from(text) }];
}

test('a node that was initialised knows who it is', async () => {
  const node = new Parts().node();
  assert.deepEqual(await node.identify(), { status: 'empty' });
  await node.initialise(superblock);
  assert.deepEqual(await node.identify(), { status: 'ok', superblock, isWhole: true });
});

test('a node takes part only once it was admitted, and no more when it failed', async () => {
  const parts = new Parts();
  const node = parts.node();
  assert.throws(() => node.handles, NodeDownError);
  await node.open(superblock);
  assert.equal(node.isUp, false);
  node.admit(3);
  assert.deepEqual([node.isUp, node.appliedGeneration], [true, 3]);
  node.fail(new Error('some reason'));
  assert.equal(node.state, 'down');
  assert.throws(() => node.handles, NodeDownError);
  assert.throws(() => node.admit(4), NodeDownError);
  await node.stop(false);
});

test('a node that fails says so once, and its rows and log take nothing more', async () => {
  let downs = 0;
  const parts = new Parts();
  const node = await parts.openNode(() => {
    downs += 1;
  });
  const { commit } = node.handles;
  node.fail(new Error('first'));
  node.fail(new Error('second'));
  assert.deepEqual([downs, (node.downReason as Error).message], [1, 'first']);
  await assert.rejects(node.writeRows(put('late'), true), NodeDownError);
  await assert.rejects(
    commit.note(Buffer.alloc(0), () => {}),
    /closed/,
  );
  await node.stop(false);
});

test('rows are written in the order they were asked for, however long one takes', async () => {
  const parts = new Parts();
  const node = await parts.openNode();
  const write = parts.engine.write.bind(parts.engine);
  let delayMs = 10;
  parts.engine.write = async (batch, sync) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    delayMs -= 4;
    await write(batch, sync);
  };
  await Promise.all(['one', 'two', 'three'].map((text) => node.writeRows(put(text), false)));
  assert.equal((await parts.engine.get(key))?.toString(), 'three');
  await node.stop(true);
});

test('a row write that fails takes the node down, and those behind it are not tried', async () => {
  const parts = new Parts();
  const node = await parts.openNode();
  let writes = 0;
  parts.engine.write = async () => {
    writes += 1;
    throw new Error('EIO');
  };
  const outcomes = await Promise.allSettled(['one', 'two'].map((text) => node.writeRows(put(text), false)));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.deepEqual([node.state, writes], ['down', 1]);
  await node.stop(false);
});

test('a row is repaired only if it is still the one that was seen', async () => {
  const parts = new Parts();
  const node = await parts.openNode();
  const [seen, truth] = [Buffer.from('seen'), Buffer.from('truth')];
  assert.equal(await node.repairRow(key, seen, truth), false);
  await node.writeRows(put('newer'), false);
  assert.equal(await node.repairRow(key, seen, truth), false);
  assert.equal(await node.repairRow(key, undefined, truth), false);
  assert.equal((await parts.engine.get(key))?.toString(), 'newer');
  await node.writeRows(put('seen'), false);
  assert.equal(await node.repairRow(key, seen, truth), true);
  assert.equal((await parts.engine.get(key))?.toString(), 'truth');
  assert.equal(await node.repairRow(key, truth, undefined), true);
  assert.equal(await parts.engine.get(key), undefined);
  await node.stop(true);
});

test('a node knows whether it was stopped in order, and only the next time', async () => {
  const parts = new Parts();
  const first = await parts.openNode();
  assert.equal(first.wasStopped, false);
  await first.stop(true);
  const second = await parts.openNode();
  assert.equal(second.wasStopped, true);
  await second.stop(false);
  const third = await parts.openNode();
  assert.equal(third.wasStopped, false);
  third.fail(new Error('down when it is stopped'));
  await third.stop(true);
  const fourth = await parts.openNode();
  assert.equal(fourth.wasStopped, false);
  await fourth.stop(true);
});

test('a node whose row store has a journal empties that before it counts as stopped in order', async () => {
  for (const isFlushed of [true, false]) {
    const parts = new Parts();
    const node = await parts.openNode();
    const { engine } = parts;
    Object.defineProperty(engine, 'losable', { value: { bytes: 100, withHoles: true } });
    engine.flush = async () => {
      parts.events.push('flush');
      if (!isFlushed) throw new Error('EIO');
    };
    await node.stop(true);
    assert.deepEqual(parts.events.slice(2, 4), ['flush', 'close engine']);
    const later = await parts.openNode();
    assert.equal(later.wasStopped, isFlushed);
    await later.stop(false);
  }
});

test('a node is opened again only when all that was open is closed', async () => {
  const parts = new Parts();
  const node = await parts.openNode();
  parts.events.length = 0;
  let release = (): void => {};
  const write = new Promise<void>((resolve) => {
    release = resolve;
  });
  parts.engine.write = () => write;
  const hanging = node.writeRows(put('slow'), false).catch(() => 'down');
  await Promise.resolve();
  node.fail(new Error('hung'));
  const opening = node.open(superblock);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(parts.events, []);
  release();
  assert.equal(await hanging, 'down');
  await opening;
  assert.deepEqual(parts.events, ['close engine', 'open disk', 'open engine']);
  await node.stop(true);
});

test('an opening waits for the one before it, however long a disk holds that up', async () => {
  const parts = new Parts();
  const node = parts.node();
  const list = parts.disk.list.bind(parts.disk);
  let giveUp = (): void => {};
  parts.disk.list = () =>
    new Promise((_, reject) => {
      giveUp = () => reject(new Error('EIO'));
    });
  const first = node.open(superblock);
  const second = node.open(superblock);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(parts.events, ['open disk']);
  parts.disk.list = list;
  giveUp();
  await assert.rejects(first, /EIO/);
  await second;
  assert.deepEqual(parts.events, ['open disk', 'open disk', 'open engine']);
  await node.stop(true);
});

test('a rebuilt node has an empty log but for what marks it, and one whose rebuild was cut off is not opened', async () => {
  const parts = new Parts();
  const node = await parts.openNode();
  node.fail(new Error('broken'));
  await assert.rejects(
    node.rebuild(superblock, () => Promise.reject(new Error('cut off'))),
    /cut off/,
  );
  assert.equal(node.state, 'down');
  await assert.rejects(node.open(superblock), { code: 'corrupt-data' });
  assert.equal(node.isBroken, true);
  let isMarked = false;
  await node.rebuild(superblock, async () => {
    isMarked = true;
  });
  assert.equal(isMarked, true);
  assert.equal(node.isBroken, false);
  await node.stop(false);
  await node.open(superblock);
  await node.stop(true);
  assert(parts.events.includes('destroy engine'));
});

test('a node that cannot be opened is down with the reason, and leaves nothing open', async () => {
  const parts = new Parts();
  const node = parts.node();
  parts.disk.createAppendFile = () => Promise.reject(new Error('EROFS'));
  await assert.rejects(node.open(superblock), /EROFS/);
  assert.deepEqual([node.state, (node.downReason as Error).message], ['down', 'EROFS']);
  assert.equal(parts.events.at(-1), 'close engine');
});

test('a full disk is told from a broken one', async () => {
  const parts = new Parts();
  const node = await parts.openNode();
  node.fail(Object.assign(new Error('write failed'), { code: 'ENOSPC' }));
  assert.deepEqual([node.isFull, node.isBroken], [true, false]);
  await node.stop(false);
});
