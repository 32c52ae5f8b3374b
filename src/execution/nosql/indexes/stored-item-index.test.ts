import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachElement } from '../../../catalog/nosql/property-path.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { SortedMap } from '../../../foundation/sorted-map.ts';
import { MemoryEngine } from '../../../storage/memory/memory-engine.ts';
import type { WriteBatch } from '../../../storage/storage-engine.ts';
import { IndexStore, KeptDirectory } from './index-store.samples.ts';
import type { IndexedOrder } from './item-index.ts';

const orders: readonly IndexedOrder[] = [
  { kind: 'path', path: [] },
  { kind: 'path', path: ['id'] },
  { kind: 'path', path: ['n'] },
  { kind: 'path', path: ['o', 's'] },
  { kind: 'path', path: ['tags', eachElement] },
  { kind: 'path', path: ['_ts'] },
];

function directory(): KeptDirectory {
  let rows = new SortedMap<Buffer>();
  const kept = new KeptDirectory(() => new MemoryEngine(rows));
  kept.onDestroy = () => {
    rows = new SortedMap();
  };
  return kept;
}

async function agrees(store: IndexStore, some: readonly IndexedOrder[] = orders): Promise<void> {
  for (const { id } of store.map.partitions) {
    const index = await store.ready(id);
    assert(index !== undefined, `partition ${id} has an index`);
    for (const order of some) {
      if (!index.has(order)) continue;
      const expected = await store.expected(id, order);
      assert.deepEqual(await store.walked(index, order, 7), expected, JSON.stringify(order));
    }
  }
}

test('what was acknowledged before a query begins is found', async () => {
  const store = new IndexStore({ directory: directory() });
  await store.open();
  try {
    for (let n = 0; n < 25; n++) {
      await store.put(`p${n % 7}`, [{ id: `i${n}`, n, o: { s: `text ${n % 3}` }, tags: [n % 2, 'a', 'a'] }]);
      await agrees(store, [orders[2] as IndexedOrder]);
    }
    await store.put('p1', [{ id: 'i1', n: 'another' }]);
    await store.delete('p2', 'i2');
    await store.remove('p3', ['i3', 'i10']);
    await agrees(store);
  } finally {
    await store.stop();
  }
});

test('after a clean stop nothing is looked through again', async () => {
  const kept = directory();
  const store = new IndexStore({ directory: kept });
  await store.open();
  for (let n = 0; n < 20; n++) await store.put(`p${n}`, [{ id: `i${n}`, n }]);
  await store.stop();
  await store.open();
  try {
    assert.equal(
      (await store.index.ready({ container: store.container.container, physicalPartition: 0 })).kind,
      'ready',
    );
    await agrees(store);
  } finally {
    await store.stop();
  }
});

test('children of a split go on with the index of their parent, and have one of their own in the end', async () => {
  const store = new IndexStore({ directory: directory() });
  await store.open();
  try {
    for (let n = 0; n < 40; n++) await store.put(`p${n}`, [{ id: `i${n}`, n }]);
    const writes = Array.from({ length: 20 }, (_, n) => store.put(`p${n}`, [{ id: `i${n}`, n: n + 100 }]));
    await store.split(0);
    const readiness = await Promise.all(store.map.partitions.map(({ id }) => store.ready(id)));
    assert(
      readiness.every((index) => index !== undefined),
      'the index answers right after the split',
    );
    await Promise.all(writes);
    await agrees(store);
    await store.untilBuilt();
    await agrees(store);
    await store.split(1);
    await agrees(store);
    await store.merge(0);
    await store.untilBuilt();
    await agrees(store);
  } finally {
    await store.stop();
  }
});

test('another policy is answered by when all items were looked at, and what both have is answered all the time', async () => {
  const store = new IndexStore({ directory: directory() });
  await store.open();
  try {
    store.setPolicy({ includedPaths: ['/n/?', '/o/*'], excludedPaths: ['/*'] });
    const items = Array.from({ length: 100 }, (_, n) => ({ id: `i${n}`, n, o: { s: n % 5 }, tags: [n] }));
    for (let n = 0; n < 6; n++) await store.put(`p${n}`, items);
    await agrees(store);
    const [kept, gone, added] = [orders[3], orders[2], orders[4]] as [
      IndexedOrder,
      IndexedOrder,
      IndexedOrder,
    ];
    store.setPolicy({ includedPaths: ['/o/*', '/tags/*'], excludedPaths: ['/*'] });
    assert(store.index.progressOf(store.container.container) < 100);
    const index = await store.ready(0);
    assert(index !== undefined);
    assert.deepEqual(
      [kept, gone, added].map((order) => index.has(order)),
      [true, false, false],
    );
    assert.deepEqual(await store.walked(index, kept, 1_000), await store.expected(0, kept));
    await store.untilBuilt();
    assert.deepEqual(
      [kept, gone, added].map((order) => index.has(order)),
      [true, false, true],
    );
    await agrees(store);
  } finally {
    await store.stop();
  }
});

test('whoever writes faster than the index follows is not held up: the index lets go and looks at the rows later', async () => {
  const store = new IndexStore({ directory: directory(), maxPendingBytes: 2_000 });
  await store.open();
  try {
    await Promise.all(Array.from({ length: 100 }, (_, n) => store.put(`p${n}`, [{ id: 'i', n }])));
    assert.equal(await store.ready(0), undefined, 'queries scan meanwhile');
    await store.untilBuilt();
    await agrees(store);
  } finally {
    await store.stop();
  }
});

test('the entries of a container that is dropped go with it', async () => {
  let rows = new SortedMap<Buffer>();
  const store = new IndexStore({ directory: new KeptDirectory(() => new MemoryEngine(rows)) });
  await store.open();
  try {
    for (let n = 0; n < 20; n++) await store.put(`p${n}`, [{ id: 'i', n }]);
    await agrees(store);
    assert(rows.size > 20);
    store.isDropped = true;
    for (let looks = 0; rows.size > 1 && looks < 3_000; looks++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(rows.size, 1, 'what the store is');
    assert.equal(
      (await store.index.ready({ container: store.container.container, physicalPartition: 0 })).kind,
      'moved',
    );
  } finally {
    await store.stop();
    rows = new SortedMap();
  }
});

test('while there is an item with too many values, only what every item has is answered', async () => {
  const store = new IndexStore({ directory: directory() });
  await store.open();
  try {
    await store.put('p', [{ id: 'small', n: 1 }]);
    await store.put('q', [{ id: 'large', n: 2, list: Array.from({ length: 20_000 }, (_, n) => n) }]);
    const index = await store.ready(0);
    assert(index !== undefined);
    assert.deepEqual(
      orders.map((order) => index.has(order)),
      [true, true, false, false, false, true],
    );
    await agrees(store);
    await store.put('q', [{ id: 'large', n: 2 }]);
    assert((await store.ready(0))?.has({ kind: 'path', path: ['n'] }));
    await agrees(store);
  } finally {
    await store.stop();
  }
});

/** Holds up whoever passes, until it is opened. */
class Gate {
  #open: () => void = () => {};
  #passing: Promise<void> = Promise.resolve();

  readonly pass = (): Promise<void> => this.#passing;

  close(): void {
    this.#passing = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

test('that it has fallen behind is on record before it follows again', async () => {
  let rows = new SortedMap<Buffer>();
  const gate = new Gate();
  const kept = new KeptDirectory(() => new MemoryEngine(rows));
  const store = new IndexStore({ directory: kept, maxPendingBytes: 2_000 });
  store.whenScanned = gate.pass;
  await store.open();
  try {
    await store.put('p', [{ id: 'first', n: 0 }]);
    await agrees(store);
    gate.close();
    await Promise.all(Array.from({ length: 30 }, (_, n) => store.put(`p${n}`, [{ id: 'i', n }])));
    await pause(30);
    await store.put('p', [{ id: 'last', n: 1 }]);
    await pause(30);
    const left = new SortedMap<Buffer>();
    const cursor = rows.cursor('' as ByteString, undefined);
    for (let row = cursor.next(); row !== undefined; row = cursor.next()) left.set(row.key, row.value);
    gate.open();
    await store.index.stop();
    rows = left;
    await store.openIndex();
    await store.untilBuilt();
    await agrees(store);
  } finally {
    await store.stop();
  }
});

test('what was removed while nobody looked has no entries in the end', async () => {
  const store = new IndexStore({ directory: directory() });
  await store.open();
  try {
    for (let n = 0; n < 10; n++) await store.put(`p${n}`, [{ id: 'i', n }]);
    await store.index.stop();
    await store.delete('p3', 'i');
    await store.put('p4', [{ id: 'i', n: 40 }]);
    await store.openIndex();
    assert.equal(await store.ready(0), undefined, 'it knows that it has not seen everything');
    await store.untilBuilt();
    await agrees(store);
  } finally {
    await store.stop();
  }
});

test('what a partition had not taken in when it was split, its children take in', async () => {
  const gate = new Gate();
  class HeldEngine extends MemoryEngine {
    override async write(batch: WriteBatch, sync: boolean): Promise<void> {
      await gate.pass();
      await super.write(batch, sync);
    }
  }
  const store = new IndexStore({ directory: new KeptDirectory(() => new HeldEngine()) });
  await store.open();
  try {
    await store.put('p', [{ id: 'first', n: 0 }]);
    await agrees(store);
    gate.close();
    await Promise.all(Array.from({ length: 300 }, (_, n) => store.put(`p${n}`, [{ id: 'i', n }])));
    await store.split(0);
    const asked = agrees(store, orders.slice(0, 3));
    await pause(5);
    gate.open();
    await asked;
  } finally {
    gate.open();
    await store.stop();
  }
});

test('what a partition was writing when it was split is there once', async () => {
  const gate = new Gate();
  let held = 0;
  class HeldEngine extends MemoryEngine {
    override async write(batch: WriteBatch, sync: boolean): Promise<void> {
      held++;
      await gate.pass();
      await super.write(batch, sync);
    }
  }
  const store = new IndexStore({ directory: new KeptDirectory(() => new HeldEngine()) });
  await store.open();
  try {
    gate.close();
    held = 0;
    await Promise.all(Array.from({ length: 40 }, (_, n) => store.put(`p${n}`, [{ id: 'i', n: 1 }])));
    while (held === 0) await pause(5);
    await store.split(0);
    const asked = agrees(store, orders.slice(0, 3));
    await pause(5);
    gate.open();
    await asked;
  } finally {
    gate.open();
    await store.stop();
  }
});

test('an item that changes while its page is read keeps its newest entries', async () => {
  const gate = new Gate();
  const store = new IndexStore({ directory: directory() });
  store.whenScanned = gate.pass;
  await store.open();
  try {
    for (let n = 0; n < 10; n++) await store.put(`p${n}`, [{ id: 'i', n }]);
    gate.close();
    store.setPolicy({ excludedPaths: ['/o/*'] });
    assert((await store.ready(0)) !== undefined);
    await pause(20);
    await store.put('p3', [{ id: 'i', n: 'newer' }]);
    await store.delete('p4', 'i');
    assert((await store.ready(0)) !== undefined);
    gate.open();
    await store.untilBuilt();
    await agrees(store);
  } finally {
    gate.open();
    await store.stop();
  }
});

/** Reads of single rows, and writes, can be held up. */
class GatedEngine extends MemoryEngine {
  readonly #reads: Gate;
  readonly #writes: Gate;

  constructor(reads: Gate, writes: Gate) {
    super();
    this.#reads = reads;
    this.#writes = writes;
  }

  override async get(key: ByteString): Promise<Buffer | undefined> {
    await this.#reads.pass();
    return super.get(key);
  }

  override async write(batch: WriteBatch, sync: boolean): Promise<void> {
    await this.#writes.pass();
    await super.write(batch, sync);
  }
}

test('an item that was being taken in when the index fell behind has its newest entries in the end', async () => {
  const [reads, writes] = [new Gate(), new Gate()];
  const store = new IndexStore({
    directory: new KeptDirectory(() => new GatedEngine(reads, writes)),
    maxPendingBytes: 5_000,
  });
  await store.open();
  try {
    await store.put('p', [{ id: 'i', n: 1 }]);
    await agrees(store);
    reads.close();
    await store.put('p', [{ id: 'i', n: 2 }]);
    await pause(30);
    await store.put('p', [{ id: 'i', n: 3, o: { s: 'x'.repeat(6_000) } }]);
    await pause(5);
    reads.open();
    await store.untilBuilt();
    await agrees(store);
  } finally {
    reads.open();
    await store.stop();
  }
});

test('an item whose entries are being written when a look begins is counted once', async () => {
  const [reads, writes] = [new Gate(), new Gate()];
  const store = new IndexStore({ directory: new KeptDirectory(() => new GatedEngine(reads, writes)) });
  await store.open();
  try {
    await store.put('p', [{ id: 'has', n: 1 }, { id: 'lacks' }, { id: 'gets' }]);
    await agrees(store);
    writes.close();
    await store.put('p', [{ id: 'gets', n: 2 }]);
    await pause(30);
    store.setPolicy({ excludedPaths: ['/o/*'] });
    store.index.progressOf(store.container.container);
    await pause(20);
    writes.open();
    await store.untilBuilt();
    await agrees(store);
    assert.equal((await store.ready(0))?.countAt(['n']), 2);
    assert.equal((await store.ready(0))?.isEverywhere(['n']), false);
  } finally {
    writes.open();
    await store.stop();
  }
});

test('who waits for an index whose store is lost, and cannot be made anew, is told to scan', async () => {
  let isBroken = false;
  class BrokenEngine extends MemoryEngine {
    override async write(batch: WriteBatch, sync: boolean): Promise<void> {
      if (isBroken) throw new Error('the disk is full');
      await super.write(batch, sync);
    }
  }
  const store = new IndexStore({ directory: new KeptDirectory(() => new BrokenEngine()) });
  await store.open();
  try {
    await store.put('p', [{ id: 'i', n: 1 }]);
    await agrees(store);
    isBroken = true;
    await store.put('p', [{ id: 'i', n: 2 }]);
    assert.equal(await store.ready(0), undefined);
  } finally {
    isBroken = false;
    await store.stop();
  }
});
