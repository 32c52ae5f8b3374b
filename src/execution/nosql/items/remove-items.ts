// Items that are there for nobody any more, because their time is over or their partition key was deleted, are removed some at a time;
// so are changes that are older than they are kept.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { bytesOf } from '../../../foundation/byte-string.ts';
import type { Decision, DeclaredRows } from '../../../storage/partition-store.ts';
import { kindOfKey } from '../item-keys.ts';
import type { Visibility } from '../visibility.ts';
import { StoredItems } from './stored-items.ts';

export interface ItemsRemoval {
  readonly container: ContainerDefinition;
  readonly prefix: ByteString;
  /** Of items and of changes that may go. */
  readonly keys: ReadonlySet<ByteString>;
  readonly timestamp: number;
  readonly visibility: Visibility;
}

/** Items are looked at anew: one that was written meanwhile is there again, and stays. Changes are never written again. */
export function applyRemoval(removal: ItemsRemoval, rows: DeclaredRows, lsn: number): Decision {
  const { prefix, keys, timestamp } = removal;
  const items = new StoredItems(removal, rows, lsn);
  const writes = [];
  for (const key of keys) {
    if (kindOfKey(key, prefix.length) === 'change') {
      writes.push({ key, value: null });
      continue;
    }
    const id = bytesOf(key.slice(prefix.length + 1) as ByteString).toString('utf8');
    const found = items.find(id);
    if (found.stored !== undefined && found.item === undefined) items.remove(found, timestamp);
  }
  return { kind: 'write', writes: [...writes, ...items.writes] };
}
