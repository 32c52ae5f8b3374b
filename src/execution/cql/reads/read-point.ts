// One row by its whole primary key: what most requests are. From memory it is answered in the same turn, and nothing is decoded that was
// not asked for.

import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { secondsNow } from '../../../foundation/clock.ts';
import { nextTurn } from '../../../foundation/scheduler.ts';
import { addressAt, movedAgain } from '../../../routing/find-partition.ts';
import type { GovernedPartition } from '../../../routing/governed-partition.ts';
import type { PartitionAddress, ReadOutcome } from '../../../storage/partition-store.ts';
import { explainedText } from '../../../throughput/charge-explanation.ts';
import { chargedFailure } from '../../../throughput/charged-failure.ts';
import { fromHundredths, type RequestUnits } from '../../../throughput/request-units.ts';
import type { ConsistencyMultiplier } from '../../../throughput/work-done.ts';
import type { ColumnSpec } from '../column-spec.ts';
import type { CqlParts } from '../cql-parts.ts';
import { refusedRequest } from '../named-partition.ts';
import { printKeyValues } from '../print-partition-key.ts';
import { headerKey, rowKeyOf } from '../row-keys.ts';
import type { StatementAnswer, StatementRequest } from '../statement-request.ts';
import { deletionOver, hasHeaders, loadStatics, viewHeader } from './header-view.ts';
import { PlainRows } from './plain-rows.ts';
import { chargeOfPointRead, pointReadTraits } from './read-charges.ts';
import { readMultiplier, refuseUncertain } from './read-consistency.ts';
import type { RowSelection } from './read-plan.ts';
import { ringPositionIn } from './stored-key.ts';
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
const noValues: Buffer = Buffer.alloc(0);
const noWarnings: readonly string[] = [];
const noCharge = fromHundredths(0);

export interface PointKey {
  readonly partitionKey: readonly Buffer[];
  readonly clusteringKey: ByteString;
}

/** The selection is asked for only where there are no plain columns. */
export function readPoint(
  parts: CqlParts,
  read: PointRead,
  key: PointKey,
  request: StatementRequest,
  selection: (() => RowSelection) | undefined,
): StatementAnswer | Promise<StatementAnswer> {
  return new PointRun(parts, read, key, request, selection).run();
}

/** What one run looks for, and with what. */
class PointRun {
  readonly #parts: CqlParts;
  readonly #read: PointRead;
  readonly #key: PointKey;
  readonly #request: StatementRequest;
  readonly #selection: (() => RowSelection) | undefined;
  readonly #multiplier: ConsistencyMultiplier;
  readonly #rowKey: ByteString;
  /** Of the logical partition. */
  readonly #prefix: ByteString;
  /** Where it was admitted; undefined while the map and the governor do not agree. */
  #address: PartitionAddress | undefined;
  #governed: GovernedPartition | undefined;
  #nowMs = 0;

  constructor(
    parts: CqlParts,
    read: PointRead,
    key: PointKey,
    request: StatementRequest,
    selection: (() => RowSelection) | undefined,
  ) {
    this.#parts = parts;
    this.#read = read;
    this.#key = key;
    this.#request = request;
    this.#selection = selection;
    this.#multiplier = readMultiplier(request.consistency);
    this.#rowKey = rowKeyOf(read.container, key.partitionKey, key.clusteringKey);
    this.#prefix = this.#rowKey.slice(0, -1 - key.clusteringKey.length) as ByteString;
  }

  run(): StatementAnswer | Promise<StatementAnswer> {
    this.#enter();
    const address = this.#address;
    if (address === undefined) return this.#readStored();
    const { store } = this.#parts.throughput;
    const stored = store.readCached(address, this.#rowKey);
    if (stored === undefined) return this.#readStored();
    if (!hasHeaders(this.#read.table)) return this.#answer(address, stored, null);
    const header = store.readCached(address, headerKey({ prefix: this.#prefix }));
    return header === undefined ? this.#readStored() : this.#answer(address, stored, header);
  }

  /** From the disk, and from wherever the partition is by now. It was looked for once already. */
  async #readStored(): Promise<StatementAnswer> {
    const { store, clock } = this.#parts.throughput;
    const prefix = this.#prefix;
    for (let moves = 0; ; moves = movedAgain(moves)) {
      const address = this.#address;
      if (address !== undefined) {
        const reading = store.read(address, this.#rowKey);
        const header = hasHeaders(this.#read.table)
          ? await store.read(address, headerKey({ prefix }))
          : undefined;
        const row = await reading;
        this.#nowMs = clock.monotonic();
        const refused = row.kind === 'refused' ? row : header?.kind === 'refused' ? header : undefined;
        if (refused !== undefined) {
          const { code } = refused.error;
          this.#governed?.spend(this.#nowMs, pointReadTraits, code, prefix, noCharge);
          throw refused.error;
        }
        if (row.kind === 'read' && header?.kind !== 'moved') {
          this.#refuseUncertain(row, address);
          return this.#answer(address, row.value, header?.kind === 'read' ? header.value : null);
        }
      }
      await nextTurn(this.#parts.scheduler);
      this.#enter();
    }
  }

  /** One replica was asked in vain: that is charged. */
  #refuseUncertain(read: Extract<ReadOutcome, { kind: 'read' }>, address: PartitionAddress): void {
    try {
      refuseUncertain(read, this.#multiplier, address);
    } catch (error) {
      const charge = chargeOfPointRead(this.#parts.throughput.prices, read.value?.length ?? 0, 1);
      this.#governed?.spend(this.#nowMs, pointReadTraits, 'too-few-replicas', this.#prefix, charge);
      throw chargedFailure(error, charge);
    }
  }

  /** Throws where no request units are left. */
  #enter(): void {
    const { container } = this.#read;
    const { store, governor, clock } = this.#parts.throughput;
    const address = addressAt(store, container, ringPositionIn(this.#rowKey));
    this.#governed = governor.partition(container, address.physicalPartition);
    this.#address = this.#governed === undefined ? undefined : address;
    this.#nowMs = clock.monotonic();
    const refusal = this.#governed?.admit(this.#nowMs, pointReadTraits);
    if (refusal !== undefined) throw refusedRequest(this.#parts, container, refusal);
  }

  #answer(address: PartitionAddress, stored: Buffer | null, header: Buffer | null): StatementAnswer {
    const { table, columns, plainColumns, row } = this.#read;
    const { prices } = this.#parts.throughput;
    const isThere = stored !== null && this.#show(stored, header);
    const charge = chargeOfPointRead(prices, stored === null ? 0 : stored.length, this.#multiplier);
    this.#governed?.spend(this.#nowMs, pointReadTraits, 'ok', this.#prefix, charge);
    this.#request.trace?.event(
      `Read ${isThere ? 1 : 0} rows of ${table.name}, partition ${printKeyValues(table.partitionKey, this.#key.partitionKey)}, from physical partition ${address.physicalPartition} for ${charge} request units${explainedText({ kind: 'read-item', itemBytes: stored?.length ?? 0, consistencyMultiplier: this.#multiplier }, prices)}`,
    );
    if (plainColumns !== undefined) {
      const answer = encodedAnswer(columns, isThere ? new PlainRows(plainColumns, row) : undefined, charge);
      row.letGo();
      return answer;
    }
    const selection = this.#selection?.();
    const rows = isThere && selection !== undefined ? [selection.rowOf(row)] : noRows;
    row.letGo();
    return { kind: 'rows', columns, rows, pagingState: undefined, chargeRu: charge, warnings: noWarnings };
  }

  /** Through the statement's row. False if there is none to see. */
  #show(stored: Buffer, header: Buffer | null): boolean {
    const { row, readsStatics } = this.#read;
    const { partitionKey, clusteringKey } = this.#key;
    const nowSeconds = this.#request.nowInSeconds ?? secondsNow(this.#parts.throughput.clock);
    const view = viewHeader(header);
    row.setPartition(partitionKey);
    row.setClustering(clusteringKey, 0);
    const deletion = deletionOver(view, row);
    if (!row.regulars.load(stored, rowStart(stored, 0), stored.length, deletion, nowSeconds)) return false;
    if (view === undefined || view.staticRowAt === 0) row.statics.clear();
    else if (readsStatics) loadStatics(row.statics, view, nowSeconds);
    return true;
  }
}

function encodedAnswer(
  columns: readonly ColumnSpec[],
  plain: PlainRows | undefined,
  chargeRu: RequestUnits,
): StatementAnswer {
  plain?.add();
  return {
    kind: 'encoded-rows',
    columns,
    rowCount: plain === undefined ? 0 : 1,
    values: plain?.take() ?? noValues,
    whenCopied: () => plain?.giveBack(),
    pagingState: undefined,
    chargeRu,
    warnings: noWarnings,
  };
}
