import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { storedKindOf } from '../item-keys.ts';
import type { PendingChange } from './partition-index.ts';

interface CommittedRow {
  readonly key: ByteString;
  readonly value: Buffer | null;
}

const CONTAINER_BYTES = 4;

/** What a transaction did to items. The row of an item's number is written when the item is made, and then only. */
export function changesIn(
  definition: ContainerDefinition,
  lsn: number,
  rows: readonly CommittedRow[],
): readonly PendingChange[] {
  const items: CommittedRow[] = [];
  let made = 0;
  let removed = 0;
  for (const row of rows) {
    const kind = storedKindOf(row.key, definition);
    if (kind === 'item') items.push(row);
    else if (kind === 'rid') {
      if (row.value === null) removed++;
      else made++;
    }
  }
  // Where some are made and others are not, it is not worth while to tell which.
  const areNew = removed === 0 && made === items.length;
  return items.map(({ key, value }) => ({
    lsn,
    itemKey: key.slice(CONTAINER_BYTES) as ByteString,
    value,
    isNew: areNew,
  }));
}
