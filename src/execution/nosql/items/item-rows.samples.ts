// A container in a map, with one logical partition, for the tests of item operations beside it.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { assert } from '../../../foundation/assert.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { partitionKeyDefinition } from '../../../partitioning/partition-key.ts';
import type { Decision, DeclaredRows } from '../../../storage/partition-store.ts';
import { kindOfKey } from '../item-keys.ts';
import type { Visibility } from '../visibility.ts';
import { applyItems, keysOfSteps } from './apply-items.ts';
import { logicalPartitionOf } from './item-partition-key.ts';
import type { ItemStep, ItemsAnswer } from './item-step.ts';
import { applyRemoval } from './remove-items.ts';

export function sampleContainer(own: Partial<ContainerDefinition> = {}): ContainerDefinition {
  return {
    id: 'c',
    rid: 'RWTlAIAAAAI=',
    etag: 'e',
    ts: 1,
    createdAt: 1_000,
    offerRid: 'RWTl',
    container: 7,
    databaseId: 'd',
    databaseRid: 'RWTlAA==',
    partitionKey: partitionKeyDefinition('v2', ['/pk']),
    partitionKeyPaths: [['pk']],
    hasSystemKey: false,
    defaultTtlSeconds: undefined,
    uniqueKeys: [],
    indexingPolicy: {
      mode: 'consistent',
      automatic: true,
      includedPaths: ['/*'],
      excludedPaths: ['/"_etag"/?'],
      compositeIndexes: [],
    },
    changeFeedRetentionMinutes: 0,
    isGeography: true,
    computedProperties: [],
    vectorDistances: new Map(),
    shown: {},
    storedProcedures: new Map(),
    triggers: new Map(),
    userDefinedFunctions: new Map(),
    ...own,
  };
}

const microseconds = 1_000_000;

/** The rows of the logical partition `p`. */
export class ItemRows {
  readonly container: ContainerDefinition;
  readonly prefix: ByteString;
  readonly rows: Map<ByteString, Buffer> = new Map();
  nowSeconds = 1_000;
  deletedThrough = 0;
  #timestamp = 0;
  #lsn = 0;

  constructor(container: ContainerDefinition) {
    this.container = container;
    this.prefix = logicalPartitionOf(container, ['p']).prefix;
  }

  get lsn(): number {
    return this.#lsn;
  }

  get timestamp(): number {
    return this.#timestamp;
  }

  run(...steps: ItemStep[]): ItemsAnswer {
    const keys = keysOfSteps(this, steps);
    for (let looks = 0; looks < 20; looks++) {
      this.#timestamp = Math.max(this.#timestamp + steps.length, this.nowSeconds * microseconds);
      const transaction = {
        container: this.container,
        prefix: this.prefix,
        partitionKey: ['p'],
        steps,
        timestamp: this.#timestamp,
        visibility: this.#visibility,
        keys,
      };
      const decision = applyItems(transaction, this.#declared(keys), this.#lsn + 1);
      const answer = this.#take(decision) as ItemsAnswer;
      this.#timestamp += steps.length;
      if (answer.missing.length === 0) return answer;
      for (const key of answer.missing) keys.add(key);
    }
    throw new Error('it never knows enough');
  }

  /** Those of items and changes, as a background pass would name them. */
  remove(keys: readonly ByteString[]): void {
    this.#timestamp = Math.max(this.#timestamp + 1, this.nowSeconds * microseconds);
    const set = new Set(keys);
    const removal = {
      container: this.container,
      prefix: this.prefix,
      keys: set,
      timestamp: this.#timestamp,
      visibility: this.#visibility,
    };
    this.#take(applyRemoval(removal, this.#declared(set), this.#lsn + 1));
  }

  keysOf(kind: 'item' | 'unique-key' | 'change' | 'rid'): ByteString[] {
    return [...this.rows.keys()].filter((key) => kindOfKey(key, this.prefix.length) === kind).sort();
  }

  get #visibility(): Visibility {
    const { nowSeconds, deletedThrough } = this;
    return { nowSeconds, deletedThrough, defaultTtlSeconds: this.container.defaultTtlSeconds };
  }

  #declared(keys: ReadonlySet<ByteString>): DeclaredRows {
    return {
      get: (key) => {
        assert(keys.has(key), 'only what was declared is read');
        return this.rows.get(key) ?? null;
      },
      range: () => [],
    };
  }

  #take(decision: Decision): unknown {
    assert(decision.kind === 'write', 'items are refused in the answer');
    if (decision.writes.length > 0) this.#lsn++;
    for (const { key, value } of decision.writes) {
      assert(key.startsWith(this.prefix), 'every row is of the logical partition');
      if (value === null) this.rows.delete(key);
      else this.rows.set(key, Buffer.from(value));
    }
    return decision.answer;
  }
}
