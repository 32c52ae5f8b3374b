import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useItems } from '../../../../test/support/nosql-items.ts';
import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { silentLog } from '../../../foundation/log.ts';
import { NO_BUCKET } from '../../../throughput/control-buckets.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { deletePartition } from './delete-partition.ts';
import { DeletedPartitionsCare } from './deleted-partitions-care.ts';
import { draftItem } from './item-draft.ts';
import { logicalPartitionOf } from './item-partition-key.ts';
import type { ItemStep } from './item-step.ts';
import { type FoundOne, type ItemRequest, readItem } from './read-item.ts';
import { type ItemsOutcome, transactItems } from './transact-items.ts';

const traits = { operation: 'read-item', priority: 'high', bucket: NO_BUCKET } as const;

function readOf(container: ContainerDefinition, id: string, own: Partial<ItemRequest> = {}): ItemRequest {
  return {
    container,
    logicalPartition: logicalPartitionOf(container, ['p']),
    id,
    traits,
    consistencyMultiplier: 1,
    isKnown: () => false,
    refuseUnreached: () => {},
    ...own,
  };
}

function write(
  parts: NosqlParts,
  container: ContainerDefinition,
  ...steps: ItemStep[]
): Promise<ItemsOutcome> {
  const partitionKey = ['p'];
  const logicalPartition = logicalPartitionOf(container, partitionKey);
  return transactItems(parts, { container, logicalPartition, partitionKey, steps, traits, isBatch: false });
}

async function create(
  parts: NosqlParts,
  container: ContainerDefinition,
  item: object,
): Promise<ItemsOutcome> {
  const draft = draftItem(container, Buffer.from(JSON.stringify({ pk: 'p', ...item })));
  return write(parts, container, { kind: 'create', draft, rid: await parts.catalog.nextRid(container) });
}

/** Fails if it had to be waited for. */
function atOnce(found: FoundOne | Promise<FoundOne>): FoundOne {
  assert.ok(!(found instanceof Promise), 'it is answered in the same turn');
  return found;
}

test('what memory has is read in the same turn, and what it knows to be absent too', () =>
  useItems({}, 10_000, async (parts, container) => {
    const { lsn } = await create(parts, container, { id: 'a' });
    const found = atOnce(readItem(parts, readOf(container, 'a')));
    assert.equal(found.item?.payload.toString(), '{"pk":"p","id":"a"}');
    assert.deepEqual([found.lsn, found.chargeRu, found.isKnown], [lsn, 1, false]);
    await write(parts, container, { kind: 'delete', id: 'a', ifMatch: undefined });
    const { item, chargeRu } = await readItem(parts, readOf(container, 'a'));
    assert.deepEqual([item, chargeRu], [undefined, 1]);
  }));

test('a read of two replicas costs twice, and one of a known version what finding nothing costs', () =>
  useItems({}, 10_000, async (parts, container) => {
    await create(parts, container, { id: 'a', text: 'x'.repeat(20_000) });
    const charge = async (own: Partial<ItemRequest>) =>
      (await readItem(parts, readOf(container, 'a', own))).chargeRu;
    const once = await charge({});
    assert.ok(once > 1);
    assert.equal(await charge({ consistencyMultiplier: 2 }), 2 * once);
    assert.equal(await charge({ isKnown: () => true }), 1);
  }));

test('reads and writes are refused when the request units are spent, and nothing is stored', () =>
  useItems({}, 400, async (running, container) => {
    // Time stands still, so that nothing is given back however slow the machine is.
    const standing = running.throughput.clock.monotonic();
    const clock = { ...running.throughput.clock, monotonic: () => standing };
    const parts = { ...running, throughput: { ...running.throughput, clock } };
    const isRefused = (error: unknown) =>
      error instanceof RingfoldError && error.code === 'throughput-exceeded';
    let refusal: unknown;
    for (let n = 0; refusal === undefined && n < 5_000; n++)
      await create(parts, container, { id: `i${n}`, text: 'x'.repeat(100_000) }).catch((error: unknown) => {
        refusal = error;
      });
    assert.ok(isRefused(refusal));
    assert.throws(() => readItem(parts, readOf(container, 'i0')), isRefused);
    await assert.rejects(create(parts, container, { id: 'late' }), isRefused);
  }));

test('a session that is ahead is refused and charged', () =>
  useItems({}, 10_000, async (parts, container) => {
    await create(parts, container, { id: 'a' });
    const refuseUnreached = () => {
      throw new RingfoldError('session-not-available');
    };
    assert.throws(
      () => readItem(parts, readOf(container, 'a', { refuseUnreached })),
      (error) => error instanceof RingfoldError && error.details['chargeRu'] === 1,
    );
  }));

test('a write that must see more rows looks again, and is charged for one look', () =>
  useItems({ uniqueKeys: [[['u']]], defaultTtlSeconds: 1_000 }, 10_000, async (parts, container) => {
    await create(parts, container, { id: 'a', u: 1 });
    const refused = await create(parts, container, { id: 'b', u: 1 });
    assert.deepEqual(
      refused.results.map(({ error }) => error?.code),
      ['unique-key-violation'],
    );
    assert.equal(refused.chargeRu, 1);
  }));

test('a deleted partition key hides what was written before it, and its care removes that and nothing else', () =>
  useItems({ uniqueKeys: [[['u']]] }, 10_000, async (parts, container) => {
    await Promise.all(Array.from({ length: 250 }, (_, u) => create(parts, container, { id: `i${u}`, u })));
    const logicalPartition = logicalPartitionOf(container, ['p']);
    await deletePartition(parts, container, logicalPartition, traits);
    assert.equal((await readItem(parts, readOf(container, 'i7'))).item, undefined);
    await create(parts, container, { id: 'i7', u: 8 });
    const care = new DeletedPartitionsCare(parts, silentLog);
    care.start();
    while (parts.deletions.first !== undefined) await new Promise((resolve) => setTimeout(resolve, 2));
    await care.stop();
    assert.ok((await readItem(parts, readOf(container, 'i7'))).item);
    const limits = { maxRows: 10_000, maxBytes: 2 ** 24, reverse: false };
    const from = logicalPartition.prefix;
    const page = await parts.throughput.store.scan(
      { container: container.container, physicalPartition: 0 },
      { from, to: `${from}\xff` as typeof from, ...limits },
    );
    assert.equal(page.kind === 'read' && page.page.rows.length, 3);
  }));
