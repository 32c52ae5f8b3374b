import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { Decision, Operation, OperationKind } from '../../../storage/partition-store.ts';
import { applyItems } from './apply-items.ts';
import type { ItemsTransaction } from './item-step.ts';
import { applyRemoval, type ItemsRemoval } from './remove-items.ts';

const itemsKind = 'nosql-items';
const removalKind = 'nosql-removal';
const noRanges: readonly never[] = [];

/** What the store must know of NoSQL items. */
export const nosqlOperationKinds: ReadonlyMap<string, OperationKind> = new Map<string, OperationKind>([
  [itemsKind, (body, rows, lsn) => decided(() => applyItems(body as ItemsTransaction, rows, lsn))],
  [removalKind, (body, rows, lsn) => decided(() => applyRemoval(body as ItemsRemoval, rows, lsn))],
]);

/** A row that cannot be read, or a bug in a condition, must not stop the partition: the transaction fails, and nothing else. */
function decided(decide: () => Decision): Decision {
  try {
    return decide();
  } catch (error) {
    const failure = error instanceof RingfoldError ? error : new RingfoldError('internal-error', {}, error);
    return { kind: 'refuse', error: failure };
  }
}

export function itemsOperation(transaction: ItemsTransaction): Operation {
  return { kind: itemsKind, body: transaction, reads: { keys: [...transaction.keys], ranges: noRanges } };
}

export function removalOperation(removal: ItemsRemoval): Operation {
  return { kind: removalKind, body: removal, reads: { keys: [...removal.keys], ranges: noRanges } };
}
