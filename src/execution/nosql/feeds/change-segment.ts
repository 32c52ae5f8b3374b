// Changes that are older than what memory remembers are found by a scan: each row says where its last write stands.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { type ByteString, keyAfter } from '../../../foundation/byte-string.ts';
import { prefixLengthIn } from '../../../partitioning/logical-partition.ts';
import type { PartitionAddress, PartitionStore } from '../../../storage/partition-store.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import { storedKindOf } from '../item-keys.ts';
import type { KeyRange } from './feed-scope.ts';
import type { Change } from './recent-changes.ts';

/** Newest versions of items, or every change that is kept. */
export type ChangeKind = 'item' | 'change';

/** All changes after `from` and up to `to`, oldest first. */
export interface ChangeSegment {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly Change[];
}

const maxChanges = 20_000;
const chunk = { maxRows: 1_000, maxBytes: 2 ** 20, reverse: false };

/** Undefined when the partition has moved. `pause` is waited for between chunks. */
export async function findChanges(
  store: Pick<PartitionStore, 'scan' | 'committedLsn'>,
  address: PartitionAddress,
  container: ContainerDefinition,
  keys: KeyRange,
  kind: ChangeKind,
  after: number,
  pause: (examined: number) => Promise<void>,
): Promise<ChangeSegment | undefined> {
  // Before the scan: what is written while it goes on may be seen or not, and belongs to the next segment.
  const end = store.committedLsn(address);
  if (end === undefined) return undefined;
  let found: Change[] = [];
  let to = end;
  let examined = 0;
  for (let from = keys.from; ; ) {
    const outcome = await store.scan(address, { from, to: keys.to, ...chunk });
    if (outcome.kind === 'refused') throw outcome.error;
    if (outcome.kind === 'moved') return undefined;
    const { rows, complete } = outcome.page;
    for (const { key, value } of rows) {
      if (storedKindOf(key, container) !== kind) continue;
      const lsn = kind === 'change' ? lsnOfChangeKey(key, container) : (decodeStoredItem(value).lsn ?? 0);
      if (lsn > after && lsn <= to) found.push({ lsn, key });
    }
    if (found.length > 2 * maxChanges) {
      found = oldest(found);
      to = found.at(-1)?.lsn ?? to;
    }
    const last = rows.at(-1);
    if (complete || last === undefined) break;
    examined += rows.length;
    await pause(examined);
    from = keyAfter(last.key);
  }
  return { from: after, to, changes: found.sort(inOrder) };
}

export function lsnOfChangeKey(key: ByteString, { partitionKey }: ContainerDefinition): number {
  const at = prefixLengthIn(key, partitionKey) + 1;
  return Number(Buffer.from(key.slice(at, at + 8), 'latin1').readBigUInt64BE());
}

/** As many as a segment holds, and never a part of a transaction. */
function oldest(found: Change[]): Change[] {
  const sorted = found.sort(inOrder);
  const lsn = sorted[maxChanges]?.lsn ?? Number.POSITIVE_INFINITY;
  const end = sorted.findIndex((change) => change.lsn > lsn);
  return end < 0 ? sorted : sorted.slice(0, end);
}

function inOrder(left: Change, right: Change): number {
  return left.lsn - right.lsn || (left.key < right.key ? -1 : 1);
}
