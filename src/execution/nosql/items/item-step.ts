// What a transaction on the items of one logical partition does, as data, and what it answers.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { JsonKeyComponent } from '../../../partitioning/json-key-component.ts';
import type { ItemRead, ItemWrite } from '../../../throughput/work-done.ts';
import type { StoredItem } from '../../../values/stored-item.ts';
import type { Visibility } from '../visibility.ts';
import type { ItemDraft } from './item-draft.ts';
import type { ItemPatch } from './item-patch.ts';

/** An etag without its quotes, or `*`; undefined for no condition. */
export type EtagCondition = string | undefined;

export type ItemStep =
  | { readonly kind: 'create'; readonly draft: ItemDraft; readonly rid: number }
  | {
      readonly kind: 'upsert';
      readonly draft: ItemDraft;
      /** For an item that is not there yet. */
      readonly rid: number;
      readonly ifMatch: EtagCondition;
    }
  | {
      readonly kind: 'replace';
      readonly id: string;
      readonly draft: ItemDraft;
      readonly ifMatch: EtagCondition;
    }
  | {
      readonly kind: 'patch';
      readonly id: string;
      readonly patch: ItemPatch;
      readonly ifMatch: EtagCondition;
    }
  | { readonly kind: 'delete'; readonly id: string; readonly ifMatch: EtagCondition }
  | { readonly kind: 'read'; readonly id: string; readonly ifNoneMatch: EtagCondition };

export interface ItemsTransaction {
  readonly container: ContainerDefinition;
  readonly prefix: ByteString;
  readonly partitionKey: readonly JsonKeyComponent[];
  readonly steps: readonly ItemStep[];
  /** Of the first step; each has one of its own, so that no two versions of an item have the same etag. */
  readonly timestamp: number;
  readonly visibility: Visibility;
  /** What it may look at. */
  readonly keys: ReadonlySet<ByteString>;
}

export type StepOutcome = 'created' | 'replaced' | 'deleted' | 'read' | 'not-modified';

export interface StepResult {
  readonly outcome: StepOutcome | 'refused';
  readonly error: RingfoldError | undefined;
  /** As it is now; undefined where there is none to show. */
  readonly item: StoredItem | undefined;
  readonly work: ItemRead | ItemWrite;
}

export interface ItemsAnswer {
  /** As far as it came: the last one is the one that was refused, if any was. */
  readonly results: readonly StepResult[];
  readonly isApplied: boolean;
  /** Rows that it must see and did not declare: then nothing was decided. */
  readonly missing: readonly ByteString[];
}
