// Brings a lane to where the rows are by looking at all of them: to build it, after commits that it did not see, and when the policy has
// changed. Rows and records are walked side by side in key order; what agrees is passed over, so only the difference is written. Commits
// go on meanwhile and are taken in as ever; an item that changes while its page is read is left to them.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { type ByteString, concatBytes, keyAfter } from '../../../foundation/byte-string.ts';
import { containerPrefix, keyRangeOf } from '../../../partitioning/logical-partition.ts';
import type { PartitionStore, RowPage } from '../../../storage/partition-store.ts';
import type { EngineRow } from '../../../storage/storage-engine.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import { storedKindOf } from '../item-keys.ts';
import type { IndexLane } from './index-lane.ts';
import type { FoundItem, IndexWriter } from './index-writer.ts';
import { isRecordOf } from './item-record.ts';
import type { PartitionIndex } from './partition-index.ts';

/** Of one page. */
const maxRows = 400;
const maxBytes = 2 ** 20;
const maxRecords = 400;
/** Of one batch. */
const maxFound = 64;
/** How much of what was looked through a crash may have looked through again. */
const pagesBetweenSaves = 50;

const CONTAINER_BYTES = 4;

export type LookOutcome = 'done' | 'moved' | 'refused' | 'stopped';

export interface LookSurroundings {
  readonly store: Pick<PartitionStore, 'scan'>;
  readonly writer: IndexWriter;
  readonly container: () => ContainerDefinition | undefined;
  /** Waited for between two pieces of work; false when it is to stop. */
  readonly pause: () => Promise<boolean>;
}

/** Goes on where the lane stands, to the end. */
export async function lookThrough(
  partition: PartitionIndex,
  lane: IndexLane,
  around: LookSurroundings,
): Promise<LookOutcome> {
  for (let pages = 1; ; pages++) {
    const { rest, round } = lane;
    if (rest === undefined) return 'done';
    if (partition.isGone || !partition.lanes.includes(lane)) return 'moved';
    const isWanted = (): boolean =>
      lane.round === round && partition.lanes.includes(lane) && !partition.isGone;
    const container = around.container();
    if (container === undefined) return 'moved';
    lane.beginPage();
    try {
      const page = await readPage(partition, lane, container, rest, around);
      if (page === 'moved' || page === 'refused') return page;
      for (let at = 0; at < page.found.length; at += maxFound) {
        if (!isWanted()) break;
        const found = page.found.slice(at, at + maxFound);
        await around.writer.inTurn(async () => {
          // A split may have come first: its children write to the segment too, and tell their own lanes which items they touch.
          if (isWanted()) await around.writer.takeFound(partition, lane, found);
        });
        if (!(await around.pause())) return 'stopped';
      }
      if (!isWanted() || lane.isPageLost) continue;
      await around.writer.inTurn(async () => {
        if (!isWanted()) return;
        lane.lookedUpTo(page.next, partition.seenLsn);
        if (page.next === undefined || pages % pagesBetweenSaves === 0)
          await around.writer.saveState(partition);
      });
    } finally {
      lane.endPage();
    }
    if (!(await around.pause())) return 'stopped';
  }
}

interface FoundPage {
  readonly found: readonly FoundItem[];
  /** Where the next page begins. */
  readonly next: ByteString | undefined;
}

async function readPage(
  { address, range }: PartitionIndex,
  lane: IndexLane,
  container: ContainerDefinition,
  rest: ByteString,
  { store, writer }: LookSurroundings,
): Promise<FoundPage | 'moved' | 'refused'> {
  const start = rest > range.min ? rest : (range.min as ByteString);
  const prefix = containerPrefix(address.container);
  const { to } = keyRangeOf(address.container, range);
  const scan = { from: concatBytes(prefix, start), to, maxRows, maxBytes, reverse: false };
  const outcome = await store.scan(address, scan);
  if (outcome.kind !== 'read') return outcome.kind;
  if (outcome.certainty !== 'settled') return 'refused';
  const endOfRows = endOf(outcome.page);
  const { keys } = lane.segment;
  // In turn, because what is being written now was touched before the page began: it is read as it will be.
  const records = await writer.inTurn(() =>
    read(writer, keys.record(start), keys.record(endOfRows ?? range.max)),
  );
  const lastRecord = records.length < maxRecords ? undefined : records.at(-1);
  const next = lastRecord === undefined ? endOfRows : keyAfter(keys.itemKeyOf(lastRecord.key));
  const recordOf = new Map(records.map(({ key, value }) => [keys.itemKeyOf(key), value]));
  const found: FoundItem[] = [];
  for (const { key, value } of outcome.page.rows) {
    const itemKey = key.slice(CONTAINER_BYTES) as ByteString;
    if (next !== undefined && itemKey >= next) break;
    if (storedKindOf(key, container) !== 'item') continue;
    const record = recordOf.get(itemKey) ?? null;
    recordOf.delete(itemKey);
    const isKnown =
      record !== null && isRecordOf(record, decodeStoredItem(value).timestamp ?? 0, lane.policyTag);
    if (!isKnown) found.push({ itemKey, value, record });
  }
  for (const [itemKey, record] of recordOf) found.push({ itemKey, value: null, record });
  return { found, next };
}

/** The key behind the last row; undefined when it is the last of all. */
function endOf({ rows, complete }: RowPage): ByteString | undefined {
  const last = rows.at(-1);
  return complete || last === undefined ? undefined : keyAfter(last.key.slice(CONTAINER_BYTES) as ByteString);
}

async function read({ engine }: IndexWriter, from: ByteString, to: ByteString): Promise<EngineRow[]> {
  const iterator = engine.iterate({ from, to });
  const rows: EngineRow[] = [];
  try {
    while (rows.length < maxRecords) {
      const some = await iterator.next(maxRecords - rows.length, maxBytes);
      if (some.length === 0) break;
      rows.push(...some);
    }
  } finally {
    await iterator.close();
  }
  return rows;
}
