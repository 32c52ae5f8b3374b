import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageEngineContract } from '../../../test/contract/storage-engine.contract.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { MemoryEngine } from './memory-engine.ts';

storageEngineContract('the memory engine', async () => ({
  engine: new MemoryEngine(),
  cleanUp: async () => {},
}));

test('the size of a range is its keys and values', async () => {
  const engine = new MemoryEngine();
  await engine.write([{ key: Buffer.from('ab'), value: Buffer.alloc(10) }], false);
  assert.equal(await engine.approximateSize({ from: 'a' as ByteString, to: 'b' as ByteString }), 12);
});
