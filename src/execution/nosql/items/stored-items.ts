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
  /** As it is stored; undefined if it is not. */
  readonly stored: StoredItem | undefined;
  /** The same, if clients can see it. */
  readonly item: StoredItem | undefined;
}

const nothing: FoundItem = { stored: undefined, item: undefined };

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
    return Array.from(this.#writes, ([key, value]) => ({ key, value }));
  }

  /** Asked for and not declared: whatever was decided without them does not count. */
  get missing(): readonly ByteString[] {
    return [...this.#missing];
  }

  find(id: string): FoundItem {
    const row = this.#row(itemKey(this.#surroundings, id));
    if (row === null) return nothing;
    const stored = decodeStoredItem(row);
    return { stored, item: isVisible(stored, this.#surroundings.visibility) ? stored : undefined };
  }

  /** False, with nothing changed, if a unique key would be there twice. */
  put(found: FoundItem, draft: ItemDraft, rid: number, timestamp: number): StoredItem | undefined {
    const { container } = this.#surroundings;
    const owners = this.#ownersOf(draft);
    if (owners.some(({ item }) => item !== undefined)) return undefined;
    for (const { id, stored } of owners) if (stored !== undefined) this.#remove(id, stored, timestamp);
    const { stored } = found;
    if (stored !== undefined && found.item === undefined) this.#remove(draft.id, stored, timestamp);
    else if (stored !== undefined) this.#removeUniqueKeys(stored);
    const item: StoredItem = {
      kind: 'json-item',
      timestamp,
      ttlSeconds: draft.ttlSeconds,
      rid,
      lsn: this.#lsn,
      payload: draft.text,
    };
    this.#writes.set(itemKey(this.#surroundings, draft.id), encodeStoredItem(item));
    if (found.item === undefined)
      this.#writes.set(ridKey(this.#surroundings, rid), pointerTo('rid', draft.id));
    for (const [constraint, values] of draft.uniqueKeys.entries()) {
      const key = uniqueKeyKey(this.#surroundings, constraint, values);
      this.#writes.set(key, pointerTo('unique-key', draft.id));
    }
    if (container.changeFeedRetentionMinutes > 0) this.#change(item, found.item, timestamp);
    return item;
  }

  /** The item, whether clients can see it or not, and all that belongs to it. */
  remove(id: string, { stored }: FoundItem, timestamp: number): void {
    assert(stored !== undefined, 'what is removed is there');
    this.#remove(id, stored, timestamp);
  }

  #remove(id: string, stored: StoredItem, timestamp: number): void {
    const { container } = this.#surroundings;
    this.#removeUniqueKeys(stored);
    this.#writes.set(itemKey(this.#surroundings, id), null);
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
  #ownersOf({ id, uniqueKeys }: ItemDraft): (FoundItem & { readonly id: string })[] {
    const owners = new Map<string, FoundItem & { readonly id: string }>();
    for (const [constraint, values] of uniqueKeys.entries()) {
      const row = this.#row(uniqueKeyKey(this.#surroundings, constraint, values));
      if (row === null) continue;
      const owner = decodeStoredItem(row).payload.toString('utf8');
      if (owner !== id) owners.set(owner, { id: owner, ...this.find(owner) });
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
