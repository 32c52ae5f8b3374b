import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ByteString } from '../../foundation/byte-string.ts';
import { encodedParts } from './encoded-rows.ts';
import { BlockPlace, IndexBlock } from './index-block.ts';
import { IndexCache, IndexSlot } from './index-cache.ts';
import { crcOf } from './row-block.ts';

function blockOf(valueBytes: number): IndexBlock {
  const [encoded] = [
    ...encodedParts([{ key: 'k' as ByteString, value: Buffer.alloc(valueBytes) }], 16),
  ].flat();
  assert.ok(encoded !== undefined);
  return new IndexBlock(encoded.bytes, crcOf(encoded.bytes));
}

const slotAt = (position: number): IndexSlot => new IndexSlot(new BlockPlace(Buffer.alloc(14, position)));

test('a block is found under the slot it was put in, not under one that only looks like it', () => {
  const cache = new IndexCache(1000);
  const slot = slotAt(0);
  const block = blockOf(1);
  cache.put(slot, block);
  assert.equal(cache.get(slot), block);
  assert.equal(cache.get(slotAt(0)), undefined);
  cache.drop(slot);
  cache.drop(slot);
  assert.equal(cache.get(slot), undefined);
});

test('what was used least lately makes room', () => {
  const size = blockOf(100).sizeBytes;
  const cache = new IndexCache(2 * size);
  const [one, two, three] = [slotAt(1), slotAt(2), slotAt(3)];
  cache.put(one, blockOf(100));
  cache.put(two, blockOf(100));
  cache.get(one);
  cache.put(three, blockOf(100));
  assert.ok(cache.get(one) !== undefined && cache.get(three) !== undefined);
  assert.equal(cache.get(two), undefined);
});

test('a block larger than the cache is kept until the next one comes', () => {
  const cache = new IndexCache(0);
  const [one, two] = [slotAt(1), slotAt(2)];
  cache.put(one, blockOf(10));
  assert.ok(cache.get(one) !== undefined);
  cache.put(two, blockOf(10));
  assert.equal(cache.get(one), undefined);
  assert.ok(cache.get(two) !== undefined);
});

test('after any calls it holds the blocks used last, as many as fit', () => {
  const calls = fc.array(
    fc.record({ what: fc.constantFrom('get', 'put', 'drop'), slot: fc.nat(5), bytes: fc.nat(60) }),
  );
  const property = fc.property(calls, fc.nat(300), (list, maxBytes) => {
    const slots = Array.from({ length: 6 }, (_, n) => slotAt(n));
    const cache = new IndexCache(maxBytes);
    let model: { slot: number; block: IndexBlock }[] = [];
    for (const { what, slot, bytes } of list) {
      const known = model.find((entry) => entry.slot === slot);
      const others = model.filter((entry) => entry !== known);
      const key = slots[slot] as IndexSlot;
      if (what === 'get') {
        assert.equal(cache.get(key), known?.block);
        model = known === undefined ? others : [...others, known];
      } else if (what === 'drop') {
        cache.drop(key);
        model = others;
      } else {
        const block = blockOf(bytes);
        cache.put(key, block);
        model = [...others, { slot, block }];
        const sizeBytes = () => model.reduce((sum, entry) => sum + entry.block.sizeBytes, 0);
        while (model.length > 1 && sizeBytes() > maxBytes) model.shift();
      }
    }
    // Least lately used first, so that looking does not change the order.
    for (const { slot, block } of model) assert.equal(cache.get(slots[slot] as IndexSlot), block);
    const held = new Set(model.map(({ slot }) => slot));
    for (const [n, slot] of slots.entries()) assert.equal(cache.get(slot) !== undefined, held.has(n));
  });
  fc.assert(property);
});
