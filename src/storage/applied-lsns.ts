// How far a row store has got with each partition, kept in the row store itself, in the batch that got it there. The keys
// begin with container 0, which no container ever is.

import { crc32 } from 'node:zlib';
import { type ByteString, byteStringOf, bytesOf, endOfPrefix } from '../foundation/byte-string.ts';
import { containerPrefix } from '../partitioning/logical-partition.ts';
import type { EngineWrite, StorageEngine } from './storage-engine.ts';

const prefix = containerPrefix(0);

export function appliedLsnWrite(partition: number, lsn: number): EngineWrite {
  const value = Buffer.allocUnsafe(10);
  const key = keyOf(partition);
  value.writeUIntBE(lsn, 0, 6);
  value.writeUInt32BE(crc32(value.subarray(0, 6), crc32(key)), 6);
  return { key, value };
}

export function appliedLsnRemoval(partition: number): EngineWrite {
  return { key: keyOf(partition), value: undefined };
}

/** A record that fails its checksum is left out: its partition is then applied from as far back as the log goes. */
export async function readAppliedLsns(engine: StorageEngine): Promise<Map<number, number>> {
  const lsns = new Map<number, number>();
  const iterator = engine.iterate({ from: prefix, to: endOfPrefix(prefix) as ByteString });
  try {
    for (
      let rows = await iterator.next(1_000, 2 ** 20);
      rows.length > 0;
      rows = await iterator.next(1_000, 2 ** 20)
    ) {
      for (const { key, value } of rows) {
        const keyBytes = bytesOf(key);
        if (keyBytes.length !== prefix.length + 6 || value.length !== 10) continue;
        if (crc32(value.subarray(0, 6), crc32(keyBytes)) !== value.readUInt32BE(6)) continue;
        lsns.set(keyBytes.readUIntBE(prefix.length, 6), value.readUIntBE(0, 6));
      }
    }
  } finally {
    await iterator.close();
  }
  return lsns;
}

function keyOf(partition: number): Buffer {
  const suffix = Buffer.allocUnsafe(6);
  suffix.writeUIntBE(partition, 0, 6);
  return bytesOf((prefix + byteStringOf(suffix)) as ByteString);
}
