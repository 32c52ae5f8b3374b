// Carries out a read of a stored table: in the same turn while memory can answer, by promises from the first thing on that it cannot.

import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { secondsNow } from '../../../foundation/clock.ts';
import type { Scheduler } from '../../../foundation/scheduler.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import type { ReplicatedPartitionStore } from '../../../replication/replicated-partition-store.ts';
import { currentMap, movedAgain } from '../../../routing/find-partition.ts';
import type { ConsistencyMultiplier } from '../../../throughput/work-done.ts';
import { readTurnsOf } from '../../read-turns.ts';
import type { CqlParts } from '../cql-parts.ts';
import { printKeyValues } from '../print-partition-key.ts';
import type { StatementAnswer, StatementRequest } from '../statement-request.ts';
import { answerAgain, keepAnswer, takesAllRows } from './noted-answer.ts';
import { decodePageState, encodePageState } from './page-state.ts';
import { PartitionConsumer } from './partition-consumer.ts';
import { PartitionsWalk } from './partitions-walk.ts';
import { PlainRows } from './plain-rows.ts';
import { ReadCharges } from './read-charges.ts';
import { readMultiplier, refuseUncertain } from './read-consistency.ts';
import { pageOf, type ReadPlan } from './read-plan.ts';
import { type ReadPosition, ResultPage } from './result-page.ts';
import { RingWalk } from './ring-walk.ts';
import type { RowWalk, StoreRequest } from './row-walk.ts';
import type { SpareRow } from './spare-row.ts';
import type { TableRow } from './table-row.ts';

export interface TableRead {
  readonly plan: ReadPlan;
  readonly rows: SpareRow;
  readonly warnings: readonly string[];
}

interface RunningRead extends TableRead {
  readonly store: ReplicatedPartitionStore;
  readonly scheduler: Scheduler;
  readonly container: number;
  readonly page: ResultPage;
  readonly walk: RowWalk;
  readonly row: TableRow;
  readonly plain: PlainRows | undefined;
  readonly multiplier: ConsistencyMultiplier;
  readonly charges: ReadCharges;
  readonly request: StatementRequest;
}

/** For people who trace a statement. */
function targetText({ table, target }: ReadPlan): string {
  if (target.kind === 'ring') return `${table.name} in the order of the ring`;
  const keys = target.keys.slice(0, 3).map((key) => printKeyValues(table.partitionKey, key));
  const others = target.keys.length - keys.length;
  return `${table.name}, partition ${keys.join(', ')}${others > 0 ? ` and ${others} others` : ''}`;
}

/** Rows that are looked at before others may go first: a few milliseconds' worth. */
const rowsInOneTurn = 2_000;

export function runRead(
  parts: CqlParts,
  read: TableRead,
  container: number,
  request: StatementRequest,
): StatementAnswer | Promise<StatementAnswer> {
  const { throughput, scheduler } = parts;
  const { plan } = read;
  const { target } = plan;
  const { store, clock } = throughput;
  const nowSeconds = request.nowInSeconds ?? secondsNow(clock);
  const position =
    request.pagingState === null ? undefined : decodePageState(plan, container, request.pagingState);
  const only = target.kind === 'partitions' && target.keys.length === 1 ? target.keys[0] : undefined;
  const first = only === undefined ? undefined : new LogicalPartition(container, cqlPartitionKey(only));
  const multiplier = readMultiplier(request.consistency);
  const charges = new ReadCharges(parts, multiplier, first?.prefix, request.trace);
  request.trace?.event(`Reading ${targetText(plan)}`);
  const noted = first !== undefined && takesAllRows(plan, request) ? first : undefined;
  if (noted !== undefined) {
    const again = answerAgain(store, read, noted, charges, request);
    if (again !== undefined) return again;
  }
  const row = read.rows.take();
  row.regulars.hasSeenExpiry = false;
  row.statics.hasSeenExpiry = false;
  const plain = plan.plainColumns === undefined ? undefined : new PlainRows(plan.plainColumns, row);
  const whenGiven = (valueBytes: number) => charges.returned(valueBytes);
  const page = new ResultPage(plan, pageOf(request.pageSize), position, whenGiven, plain);
  const consumer = new PartitionConsumer(plan, page, row, charges, nowSeconds);
  const walk =
    target.kind === 'partitions'
      ? new PartitionsWalk(plan, container, { keys: target.keys, first }, page, consumer, position)
      : new RingWalk(plan, container, target.ranges, page, consumer, position);
  const { rows, warnings } = read;
  const running = {
    plan,
    rows,
    warnings,
    row,
    plain,
    multiplier,
    store,
    scheduler,
    container,
    page,
    walk,
    charges,
    request,
  };
  try {
    if (!walkInMemory(running)) return walkOn(running);
    const { figures } = charges;
    const answer = finish(running);
    if (noted !== undefined) keepAnswer(running, noted, figures, answer);
    return answer;
  } catch (error) {
    throw charges.failure(error);
  }
}

/** False when the disk must be asked, or the read has had its turn. */
function walkInMemory({ store, container, page, walk, charges }: RunningRead): boolean {
  const last = page.examined + rowsInOneTurn;
  while (page.examined < last) {
    const asked = walk.next(currentMap(store, container));
    if (asked === undefined) return true;
    if (!charges.enter(asked.address) || !takeCached(store, walk, asked)) return false;
  }
  return page.isEnded;
}

function takeCached(store: ReplicatedPartitionStore, walk: RowWalk, asked: StoreRequest): boolean {
  if (asked.kind === 'read') {
    const stored = store.readCached(asked.address, asked.key);
    if (stored === undefined) return false;
    walk.takeRow(stored);
    return true;
  }
  const { visitor } = walk;
  if (visitor !== undefined) {
    const isComplete = store.visitCached(asked.address, asked.scan, visitor);
    if (isComplete !== undefined) {
      walk.endVisit(isComplete);
      return true;
    }
  }
  const found = store.scanCached(asked.address, asked.scan);
  if (found === undefined) return false;
  walk.takePage(found);
  return true;
}

async function walkOn(running: RunningRead): Promise<StatementAnswer> {
  const { store, container, walk, page, charges, scheduler, request } = running;
  const turn = await readTurnsOf(scheduler).begin();
  try {
    for (let moves = 0; ; ) {
      if (request.exchange?.isAnswered === true)
        throw new RingfoldError('too-much-in-flight', { reason: 'nobody waits any more' });
      const asked = walk.next(currentMap(store, container));
      if (asked === undefined) break;
      const isThere = charges.enter(asked.address) && (await takeStored(running, asked));
      moves = isThere ? 0 : movedAgain(moves);
      if (isThere && walkInMemory(running)) break;
      await turn.next(page.examined);
    }
    return finish(running);
  } catch (error) {
    throw charges.failure(error);
  } finally {
    turn.end();
  }
}

/** False when what was asked has moved. */
async function takeStored({ store, walk, multiplier }: RunningRead, asked: StoreRequest): Promise<boolean> {
  const { address } = asked;
  if (asked.kind === 'read') {
    const outcome = await store.read(address, asked.key);
    if (outcome.kind === 'refused') throw outcome.error;
    if (outcome.kind === 'moved') return false;
    refuseUncertain(outcome, multiplier, address);
    walk.takeRow(outcome.value);
    return true;
  }
  const outcome = await store.scan(address, asked.scan);
  if (outcome.kind === 'refused') throw outcome.error;
  if (outcome.kind === 'moved') return false;
  refuseUncertain(outcome, multiplier, address);
  walk.takePage(outcome.page);
  return true;
}

function finish(running: RunningRead): StatementAnswer {
  const { plan, row, plain, page, charges, request, container, warnings } = running;
  const { columns } = plan;
  const { rows, position } = page.finish();
  charges.leave('ok');
  running.rows.giveBack(row);
  const { chargeRu } = charges;
  request.trace?.event(`Read ${plain?.count ?? rows.length} rows for ${chargeRu} request units`);
  const pagingState =
    position === undefined || isLast(plan, container, position) ? undefined : encodePageState(plan, position);
  return plain === undefined
    ? { kind: 'rows', columns, rows, pagingState, chargeRu, warnings }
    : {
        kind: 'encoded-rows',
        columns,
        rowCount: plain.count,
        values: plain.take(),
        whenCopied: () => plain.giveBack(),
        pagingState,
        chargeRu,
        warnings,
      };
}

/** Nothing can follow: the last of the partitions that are looked up is done with. After a group Cassandra does not know it yet. */
function isLast(
  { target, grouping }: ReadPlan,
  container: number,
  { prefix, clusteringKey, rowsLeftInPartition }: ReadPosition,
): boolean {
  if (target.kind !== 'partitions' || clusteringKey !== undefined) return false;
  if (typeof grouping === 'function' && rowsLeftInPartition > 0) return false;
  const last = target.keys.at(-1);
  return last === undefined || new LogicalPartition(container, cqlPartitionKey(last)).prefix === prefix;
}
