// The rows of a logical partition's items as a transaction changes them. Every stored item, also one that is there for nobody any more,
// has its number's row and the rows of its unique keys, and no such row is without its item; so whoever removes an item knows
// what else to remove.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { assert } from '../../../foundation/assert.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { DeclaredRows, RowWrite } from '../../../storage/partition-store.ts';
import {
  decodeStoredItem,
  encodeStoredItem,
  isExpired,
  type StoredItem,
} from '../../../values/stored-item.ts';
import { changeKey, itemKey, ridKey, uniqueKeyKey } from '../item-keys.ts';
import { isVisible, type Visibility } from '../visibility.ts';
import { encodeChange } from './change-entry.ts';
import { factsOfStored, type ItemDraft } from './item-draft.ts';

interface Surroundings {
  readonly container: ContainerDefinition;
  readonly prefix: ByteString;
  readonly visibility: Visibility;
  /** What the rows may be asked for. */
  readonly keys: ReadonlySet<ByteString>;
}

export interface FoundItem {
  readonly key: ByteString;
  /** As it is stored; undefined if it is not. */
  readonly stored: StoredItem | undefined;
  /** The same, if clients can see it. */
  readonly item: StoredItem | undefined;
}

const nobody: readonly FoundItem[] = [];

export class StoredItems {
  readonly #surroundings: Surroundings;
  readonly #rows: DeclaredRows;
  readonly #lsn: number;
  readonly #writes = new Map<ByteString, Buffer | null>();
  readonly #missing = new Set<ByteString>();
  #changes = 0;

  constructor(surroundings: Surroundings, rows: DeclaredRows, lsn: number) {
    this.#surroundings = surroundings;
    this.#rows = rows;
    this.#lsn = lsn;
  }

  get writes(): readonly RowWrite[] {
    const writes: RowWrite[] = [];
    for (const [key, value] of this.#writes) writes.push({ key, value });
    return writes;
  }

  /** Asked for and not declared: whatever was decided without them does not count. */
  get missing(): readonly ByteString[] {
    return [...this.#missing];
  }

  find(id: string): FoundItem {
    const key = itemKey(this.#surroundings, id);
    const row = this.#row(key);
    if (row === null) return { key, stored: undefined, item: undefined };
    const stored = decodeStoredItem(row);
    return { key, stored, item: isVisible(stored, this.#surroundings.visibility) ? stored : undefined };
  }

  /** In the place of what was found under the same id. False, with nothing changed, if a unique key would be there twice. */
  put(found: FoundItem, draft: ItemDraft, rid: number, timestamp: number): StoredItem | undefined {
    const { container } = this.#surroundings;
    const owners = this.#ownersOf(draft);
    if (owners.some(({ item }) => item !== undefined)) return undefined;
    for (const { key, stored } of owners) if (stored !== undefined) this.#remove(key, stored, timestamp);
    const { key, stored } = found;
    if (stored !== undefined && found.item === undefined) this.#remove(key, stored, timestamp);
    else if (stored !== undefined) this.#removeUniqueKeys(stored);
    const item: StoredItem = {
      kind: 'json-item',
      timestamp,
      ttlSeconds: draft.ttlSeconds,
      rid,
      lsn: this.#lsn,
      payload: draft.text,
    };
    this.#writes.set(key, encodeStoredItem(item));
    if (found.item === undefined)
      this.#writes.set(ridKey(this.#surroundings, rid), pointerTo('rid', draft.id));
    for (const [constraint, values] of draft.uniqueKeys.entries()) {
      const uniqueKey = uniqueKeyKey(this.#surroundings, constraint, values);
      this.#writes.set(uniqueKey, pointerTo('unique-key', draft.id));
    }
    if (container.changeFeedRetentionMinutes > 0) this.#change(item, found.item, timestamp);
    return item;
  }

  /** The item, whether clients can see it or not, and all that belongs to it. */
  remove({ key, stored }: FoundItem, timestamp: number): void {
    assert(stored !== undefined, 'what is removed is there');
    this.#remove(key, stored, timestamp);
  }

  #remove(key: ByteString, stored: StoredItem, timestamp: number): void {
    const { container } = this.#surroundings;
    this.#removeUniqueKeys(stored);
    this.#writes.set(key, null);
    this.#writes.set(ridKey(this.#surroundings, stored.rid ?? 0), null);
    if (container.changeFeedRetentionMinutes > 0) this.#change(undefined, stored, timestamp);
  }

  #removeUniqueKeys(stored: StoredItem): void {
    const { container } = this.#surroundings;
    if (container.uniqueKeys.length === 0) return;
    for (const [constraint, values] of factsOfStored(container, stored).uniqueKeys.entries())
      this.#writes.set(uniqueKeyKey(this.#surroundings, constraint, values), null);
  }

  /** Other items that have one of the draft's unique keys. */
  #ownersOf({ id, uniqueKeys }: ItemDraft): readonly FoundItem[] {
    if (uniqueKeys.length === 0) return nobody;
    const owners = new Map<string, FoundItem>();
    for (const [constraint, values] of uniqueKeys.entries()) {
      const row = this.#row(uniqueKeyKey(this.#surroundings, constraint, values));
      if (row === null) continue;
      const owner = decodeStoredItem(row).payload.toString('utf8');
      if (owner !== id) owners.set(owner, this.find(owner));
    }
    return [...owners.values()];
  }

  #change(current: StoredItem | undefined, previous: StoredItem | undefined, timestamp: number): void {
    const { container, visibility } = this.#surroundings;
    const isExpiry =
      previous !== undefined && isExpired(previous, container.defaultTtlSeconds, visibility.nowSeconds);
    const change = { current, previous, isExpiry, lsn: this.#lsn, timestamp };
    const key = changeKey(this.#surroundings, this.#lsn, this.#changes++);
    this.#writes.set(key, encodeChange(container, change));
  }

  #row(key: ByteString): Buffer | null {
    const written = this.#writes.get(key);
    if (written !== undefined) return written;
    if (this.#surroundings.keys.has(key)) return this.#rows.get(key);
    this.#missing.add(key);
    return null;
  }
}

function pointerTo(kind: 'rid' | 'unique-key', id: string): Buffer {
  return encodeStoredItem({
    kind,
    timestamp: undefined,
    ttlSeconds: undefined,
    rid: undefined,
    payload: Buffer.from(id),
  });
}
