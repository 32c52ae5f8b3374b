// Item operations as the store runs them: pure, all steps or none.

import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { Decision, DeclaredRows } from '../../../storage/partition-store.ts';
import type { ItemWrite } from '../../../throughput/work-done.ts';
import { etagOf } from '../../../values/etag.ts';
import type { StoredItem } from '../../../values/stored-item.ts';
import { MAX_ANSWER_BYTES } from '../answer-limit.ts';
import { itemKey, uniqueKeyKey } from '../item-keys.ts';
import { applyPatch } from './apply-patch.ts';
import { draftItem, factsOfStored, type ItemDraft } from './item-draft.ts';
import { isSameKey } from './item-partition-key.ts';
import {
  answerTooLarge,
  etagMismatch,
  itemExists,
  itemNotFound,
  keyNotOfItem,
  patchConditionFailed,
  uniqueKeyViolation,
} from './item-refusals.ts';
import type {
  EtagCondition,
  ItemStep,
  ItemsAnswer,
  ItemsTransaction,
  StepOutcome,
  StepResult,
} from './item-step.ts';
import { shownBytesOf, textOfItem } from './item-text.ts';
import { type FoundItem, StoredItems } from './stored-items.ts';

/** What the steps are known to look at before any row has been seen. */
export function keysOfSteps(
  { prefix }: Pick<ItemsTransaction, 'prefix'>,
  steps: readonly ItemStep[],
): Set<ByteString> {
  const keys = new Set<ByteString>();
  for (const step of steps) {
    keys.add(itemKey({ prefix }, idOfStep(step)));
    if (!('draft' in step)) continue;
    for (const [constraint, values] of step.draft.uniqueKeys.entries())
      keys.add(uniqueKeyKey({ prefix }, constraint, values));
  }
  return keys;
}

function idOfStep(step: ItemStep): string {
  return 'id' in step ? step.id : step.draft.id;
}

export function applyItems(transaction: ItemsTransaction, rows: DeclaredRows, lsn: number): Decision {
  const items = new StoredItems(transaction, rows, lsn);
  const run = new ItemsRun(transaction, items);
  const results: StepResult[] = [];
  let isApplied = true;
  let shownBytes = 0;
  for (const [at, step] of transaction.steps.entries()) {
    let result = run.step(step, transaction.timestamp + at);
    if (result.item !== undefined) shownBytes += shownBytesOf(result.item);
    if (shownBytes > MAX_ANSWER_BYTES && at > 0)
      result = { ...result, outcome: 'refused', error: answerTooLarge() };
    results.push(result);
    if (result.outcome !== 'refused') continue;
    isApplied = false;
    break;
  }
  const { missing } = items;
  const answer: ItemsAnswer = { results, isApplied: isApplied && missing.length === 0, missing };
  return { kind: 'write', writes: answer.isApplied ? items.writes : [], answer };
}

class ItemsRun {
  readonly #transaction: ItemsTransaction;
  readonly #items: StoredItems;

  constructor(transaction: ItemsTransaction, items: StoredItems) {
    this.#transaction = transaction;
    this.#items = items;
  }

  step(step: ItemStep, timestamp: number): StepResult {
    const found = this.#items.find(idOfStep(step));
    try {
      switch (step.kind) {
        case 'create':
          if (found.item !== undefined) throw itemExists();
          return this.#put(step, found, step.draft, step.rid, timestamp);
        case 'upsert':
          if (found.item !== undefined) refuseOther(found.item, step.ifMatch);
          return this.#put(step, found, step.draft, found.item?.rid ?? step.rid, timestamp);
        case 'replace': {
          const item = existing(found, step.ifMatch);
          return this.#put(step, found, step.draft, item.rid ?? 0, timestamp);
        }
        case 'patch': {
          const item = existing(found, step.ifMatch);
          return this.#put(step, found, this.#patched(step, item), item.rid ?? 0, timestamp);
        }
        case 'delete':
          return this.#delete(step, found, existing(found, step.ifMatch), timestamp);
        case 'read':
          return read(existing(found, undefined), step.ifNoneMatch);
      }
    } catch (error) {
      if (!(error instanceof RingfoldError)) throw error;
      return refused(step, found, error);
    }
  }

  #put(step: ItemStep, found: FoundItem, draft: ItemDraft, rid: number, timestamp: number): StepResult {
    const item = this.#items.put(found, draft, rid, timestamp);
    if (item === undefined) throw uniqueKeyViolation();
    const outcome: StepOutcome = found.item === undefined ? 'created' : 'replaced';
    return { outcome, error: undefined, item, work: this.#work(step, found.item, item, draft) };
  }

  #delete(step: ItemStep, found: FoundItem, item: StoredItem, timestamp: number): StepResult {
    this.#items.remove(found, timestamp);
    const work = this.#work(step, item, undefined, undefined);
    return { outcome: 'deleted', error: undefined, item: undefined, work };
  }

  #patched({ patch, id }: Extract<ItemStep, { kind: 'patch' }>, item: StoredItem): ItemDraft {
    const { container, partitionKey } = this.#transaction;
    const { condition, operations } = patch;
    if (condition !== undefined && !condition(JSON.parse(textOfItem(container, item).toString('utf8'))))
      throw patchConditionFailed();
    const draft = draftItem(container, Buffer.from(applyPatch(item.payload.toString('utf8'), operations)));
    if (draft.id !== id || !isSameKey(draft.partitionKey, partitionKey)) throw keyNotOfItem();
    return draft;
  }

  #work(
    step: ItemStep,
    before: StoredItem | undefined,
    after: StoredItem | undefined,
    draft: ItemDraft | undefined,
  ): ItemWrite {
    const { container } = this.#transaction;
    const facts = before === undefined ? undefined : factsOfStored(container, before);
    return {
      kind: workKinds[step.kind as keyof typeof workKinds],
      bytesBefore: before === undefined ? 0 : shownBytesOf(before),
      bytesAfter: after === undefined ? 0 : shownBytesOf(after),
      indexTermsRemoved: facts?.indexTerms ?? 0,
      indexTermsAdded: draft?.indexTerms ?? 0,
      properties: (draft ?? facts)?.properties ?? 0,
      patchOperations: step.kind === 'patch' ? step.patch.operations.length : 0,
      isLightweightTransaction: false,
      isApplied: true,
    };
  }
}

const workKinds = {
  create: 'create-item',
  upsert: 'upsert-item',
  replace: 'replace-item',
  patch: 'patch-item',
  delete: 'delete-item',
} as const;

function existing({ item }: FoundItem, ifMatch: EtagCondition): StoredItem {
  if (item === undefined) throw itemNotFound();
  refuseOther(item, ifMatch);
  return item;
}

function refuseOther(item: StoredItem, ifMatch: EtagCondition): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === etagOf(item.timestamp ?? 0)) return;
  throw etagMismatch();
}

function read(item: StoredItem, ifNoneMatch: EtagCondition): StepResult {
  const isKnown =
    ifNoneMatch !== undefined && (ifNoneMatch === '*' || ifNoneMatch === etagOf(item.timestamp ?? 0));
  return {
    outcome: isKnown ? 'not-modified' : 'read',
    error: undefined,
    item,
    work: { kind: 'read-item', itemBytes: isKnown ? 0 : shownBytesOf(item), consistencyMultiplier: 1 },
  };
}

/** What was looked at is charged, though nothing came of it. */
function refused(step: ItemStep, { item }: FoundItem, error: RingfoldError): StepResult {
  if (step.kind === 'read') {
    const work = { kind: 'read-item', itemBytes: 0, consistencyMultiplier: 1 } as const;
    return { outcome: 'refused', error, item: undefined, work };
  }
  return { outcome: 'refused', error, item: undefined, work: notApplied(workKinds[step.kind], item) };
}

export function notApplied(kind: ItemWrite['kind'], item: StoredItem | undefined): ItemWrite {
  return {
    kind,
    bytesBefore: item === undefined ? 0 : shownBytesOf(item),
    bytesAfter: 0,
    indexTermsRemoved: 0,
    indexTermsAdded: 0,
    properties: 0,
    patchOperations: 0,
    isLightweightTransaction: false,
    isApplied: false,
  };
}
