// One row by its whole primary key: what most requests are. From memory it is answered in the same turn, and nothing is decoded that was
// not asked for.

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { nextTurn } from '../../../foundation/scheduler.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import type { GovernedPartition } from '../../../routing/governed-partition.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';
import { fromHundredths } from '../../../throughput/request-units.ts';
import type { ConsistencyMultiplier } from '../../../throughput/work-done.ts';
import type { ColumnSpec } from '../column-spec.ts';
import type { CqlParts } from '../cql-parts.ts';
import { refusedRequest } from '../named-partition.ts';
import { headerKey, rowKey } from '../row-keys.ts';
import type { StatementAnswer, StatementRequest } from '../statement-request.ts';
import { deletionOver, viewHeader } from './header-view.ts';
import { partitionKeyText } from './partition-key-text.ts';
import { plainRow } from './plain-selection.ts';
import { chargeOfPointRead, pointReadTraits } from './read-charges.ts';
import { readMultiplier, refuseUncertain } from './read-consistency.ts';
import type { RowSelection } from './read-plan.ts';
import { rowStart } from './stored-row.ts';
import type { TableRow } from './table-row.ts';

export interface PointRead {
  readonly table: TableSchema;
  readonly container: number;
  readonly columns: readonly ColumnSpec[];
  readonly plainColumns: readonly ColumnSchema[] | undefined;
  readonly readsStatics: boolean;
  /** Used again for each run: nothing of it outlives the call. */
  readonly row: TableRow;
}

const noRows: readonly never[] = [];
const noWarnings: readonly string[] = [];
const noCharge = fromHundredths(0);

/** What one run looks for, and with what. */
interface PointRun {
  readonly parts: CqlParts;
  readonly read: PointRead;
  readonly key: PointKey;
  readonly logicalPartition: LogicalPartition;
  readonly request: StatementRequest;
  readonly multiplier: ConsistencyMultiplier;
  readonly selection: () => RowSelection;
}

export interface PointKey {
  readonly partitionKey: readonly Buffer[];
  readonly clusteringKey: ByteString;
}

interface Place {
  readonly address: PartitionAddress;
  readonly governed: GovernedPartition;
}

/** Each is a split or a merge that happened between looking at the map and using it. */
const maxMoves = 10;

export function readPoint(
  parts: CqlParts,
  read: PointRead,
  key: PointKey,
  request: StatementRequest,
  selection: () => RowSelection,
): StatementAnswer | Promise<StatementAnswer> {
  const multiplier = readMultiplier(request.consistency);
  const logicalPartition = new LogicalPartition(read.container, cqlPartitionKey(key.partitionKey));
  const run = { parts, read, key, logicalPartition, request, multiplier, selection };
  const place = enter(run);
  if (place === undefined) return readStored(run, undefined);
  const { store } = parts.throughput;
  const stored = store.readCached(place.address, rowKey(logicalPartition, key.clusteringKey));
  if (stored === undefined) return readStored(run, place);
  const header = store.readCached(place.address, headerKey(logicalPartition));
  if (header === undefined) return readStored(run, place);
  return answer(run, place, stored, header);
}

/** From the disk, and from wherever the partition is by now. */
async function readStored(run: PointRun, entered: Place | undefined): Promise<StatementAnswer> {
  const { parts, key, logicalPartition } = run;
  const { store, clock } = parts.throughput;
  let place = entered ?? enter(run);
  for (let moves = 0; moves < maxMoves; moves++) {
    if (place !== undefined) {
      const [row, header] = await Promise.all([
        store.read(place.address, rowKey(logicalPartition, key.clusteringKey)),
        store.read(place.address, headerKey(logicalPartition)),
      ]);
      const refused = row.kind === 'refused' ? row : header.kind === 'refused' ? header : undefined;
      if (refused !== undefined) {
        const { code } = refused.error;
        place.governed.spend(clock.monotonic(), pointReadTraits, code, logicalPartition.prefix, noCharge);
        throw refused.error;
      }
      if (row.kind === 'read' && header.kind === 'read') {
        refuseUncertain(row, run.multiplier, place.address);
        return answer(run, place, row.value, header.value);
      }
    }
    await nextTurn(parts.scheduler);
    place = enter(run);
  }
  throw new RingfoldError('partition-busy', { moves: maxMoves });
}

/** Undefined if the map and the governor do not agree just now. Throws where no request units are left. */
function enter({ parts, read, logicalPartition }: PointRun): Place | undefined {
  const { container } = read;
  const { store, governor, clock } = parts.throughput;
  const map = store.mapOf(container);
  if (map === undefined) throw new RingfoldError('container-not-found', { container });
  const physicalPartition = map.ownerOf(logicalPartition.ringPosition).id;
  const governed = governor.partition(container, physicalPartition);
  if (governed === undefined) return undefined;
  const refusal = governed.admit(clock.monotonic(), pointReadTraits);
  if (refusal !== undefined) throw refusedRequest(parts, container, refusal);
  return { address: { container, physicalPartition }, governed };
}

function answer(run: PointRun, place: Place, stored: Buffer | null, header: Buffer | null): StatementAnswer {
  const { parts, read, key, logicalPartition, request, multiplier } = run;
  const { clock, prices } = parts.throughput;
  const rows = stored === null ? noRows : rowsOf(run, stored, header);
  const charge = chargeOfPointRead(prices, stored === null ? 0 : stored.length, multiplier);
  place.governed.spend(clock.monotonic(), pointReadTraits, 'ok', logicalPartition.prefix, charge);
  request.trace?.event(
    `Read ${rows.length} rows of ${read.table.name}, partition ${partitionKeyText(read.table, key.partitionKey)}, from physical partition ${place.address.physicalPartition} for ${charge} request units`,
  );
  return {
    kind: 'rows',
    columns: read.columns,
    rows,
    pagingState: undefined,
    chargeRu: charge,
    warnings: noWarnings,
  };
}

function rowsOf(
  { parts, read, key, request, selection }: PointRun,
  stored: Buffer,
  header: Buffer | null,
): readonly (readonly (Buffer | null)[])[] {
  const { row, plainColumns } = read;
  const nowSeconds = request.nowInSeconds ?? Math.floor(parts.throughput.clock.now() / 1_000);
  const view = viewHeader(header);
  const deletion = deletionOver(view, key.clusteringKey);
  if (!row.regulars.load(stored, rowStart(stored), deletion, nowSeconds)) return noRows;
  row.setPartition(key.partitionKey);
  row.setClustering(key.clusteringKey);
  if (view === undefined || view.staticRowAt === 0) row.statics.clear();
  else if (read.readsStatics) row.statics.load(view.bytes, view.staticRowAt, view.deletion, nowSeconds);
  return [plainColumns === undefined ? selection().rowOf(row) : plainRow(row, plainColumns)];
}
