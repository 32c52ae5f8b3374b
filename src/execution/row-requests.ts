// Rows by hand, as admin JSON serves them: both keys are texts, placed as CQL would place a text partition key. They pass the governor and
// are charged as any request is, so throughput can be tried before the doors exist.

import { RingfoldError } from '../errors/ringfold-error.ts';
import { assert } from '../foundation/assert.ts';
import {
  type ByteString,
  byteStringOf,
  bytesOf,
  concatBytes,
  endOfPrefix,
} from '../foundation/byte-string.ts';
import { LogicalPartition } from '../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../partitioning/partition-key.ts';
import { whereverItIs } from '../routing/find-partition.ts';
import type { RequestTraits } from '../routing/governed-partition.ts';
import { runGoverned } from '../routing/governed-request.ts';
import type {
  Operation,
  OperationKind,
  Outcome,
  PartitionAddress,
  ReadOutcome,
  ScanOutcome,
} from '../storage/partition-store.ts';
import { ChargeExplanation, type ChargePart } from '../throughput/charge-explanation.ts';
import { RequestMeter } from '../throughput/request-meter.ts';
import type { RequestUnits } from '../throughput/request-units.ts';
import type { ItemWrite } from '../throughput/work-done.ts';
import type { ThroughputParts } from './throughput-parts.ts';

export interface RowPlace {
  readonly container: number;
  readonly partitionKey: string;
  readonly rowKey: string;
}

/** What a client may say of its request. */
export type RowTraits = Pick<RequestTraits, 'priority' | 'bucket'>;

export interface Charged<T> {
  readonly value: T;
  readonly chargeRu: RequestUnits;
  readonly parts: readonly ChargePart[];
}

export interface WrittenRow extends PartitionAddress {
  readonly mark: string;
}

export interface ListedRow {
  readonly rowKey: string;
  readonly value: Buffer;
}

type Parts = Pick<ThroughputParts, 'store' | 'governor' | 'clock' | 'prices'>;

/** A page, as a query would have it. */
const page = { maxRows: 1_000, maxBytes: 2 ** 20, reverse: false };

export function readRow(parts: Parts, place: RowPlace, traits: RowTraits): Promise<Charged<Buffer | null>> {
  const key = keyOf(place);
  return charged(parts, place, { ...traits, operation: 'read-item' }, async (address, meter) => {
    const outcome = await parts.store.read(address, key);
    if (!isRead(outcome)) return undefined;
    meter.add({
      kind: 'read-item',
      itemBytes: outcome.value === null ? 0 : sizeOf(outcome.value),
      consistencyMultiplier: 1,
    });
    return { result: outcome.value };
  });
}

/** Null removes the row. */
export function writeRow(
  parts: Parts,
  place: RowPlace,
  value: Buffer | null,
  traits: RowTraits,
): Promise<Charged<WrittenRow>> {
  const key = keyOf(place);
  const logicalPartition = logicalPartitionOf(place);
  const operation = value === null ? 'delete-item' : 'upsert-item';
  return charged(parts, place, { ...traits, operation }, async (address, meter) => {
    const outcome = await new Promise<Outcome>((done) =>
      parts.store.transact(address, logicalPartition, replaceRow(key, value), done),
    );
    switch (outcome.kind) {
      case 'committed': {
        const { bytesBefore } = outcome.answer as ReplaceAnswer;
        meter.add(writeWork(operation, bytesBefore, value, value !== null || bytesBefore > 0));
        return { result: { ...address, mark: outcome.mark } };
      }
      case 'refused':
        throw outcome.error;
      case 'unknown':
        // It was handed to replicas, so it is charged; what was there before nobody told.
        meter.add(writeWork(operation, 0, value, true));
        throw new RingfoldError('outcome-unknown', { transactionId: outcome.transactionId });
      case 'moved':
        return undefined;
    }
  });
}

/** The first page of a logical partition's rows, which is a query in one physical partition. */
export function listRows(
  parts: Parts,
  place: Omit<RowPlace, 'rowKey'>,
  traits: RowTraits,
): Promise<Charged<{ readonly rows: readonly ListedRow[]; readonly complete: boolean }>> {
  const { prefix: from } = logicalPartitionOf(place);
  const to = endOfPrefix(from);
  assert(to !== undefined, 'a logical partition is not the last of all');
  return charged(parts, place, { ...traits, operation: 'query' }, async (address, meter) => {
    const outcome = await parts.store.scan(address, { from, to, ...page });
    if (!isRead(outcome)) return undefined;
    const { rows, complete } = outcome.page;
    const bytes = rows.reduce((sum, { value }) => sum + sizeOf(value), 0);
    meter.add({
      kind: 'query',
      partitionsVisited: 1,
      itemsLoaded: rows.length,
      bytesLoaded: bytes,
      itemsReturned: rows.length,
      bytesReturned: bytes,
      extraSeeks: 0,
      indexTermsScanned: 0,
      joinTuples: 0,
      udfCalls: 0,
      consistencyMultiplier: 1,
    });
    const listed = rows.map(({ key, value }) => ({
      rowKey: bytesOf(key.slice(from.length) as ByteString).toString('utf8'),
      value,
    }));
    return { result: { rows: listed, complete } };
  });
}

/** Finds the physical partition, anew while it moves, and runs the attempt there; undefined means that it has moved. */
async function charged<T>(
  parts: Parts,
  place: Omit<RowPlace, 'rowKey'>,
  traits: RequestTraits,
  attempt: (address: PartitionAddress, meter: RequestMeter) => Promise<{ readonly result: T } | undefined>,
): Promise<Charged<T>> {
  const { store, governor, clock, prices } = parts;
  const { partitionKey } = place;
  const explanation = new ChargeExplanation();
  const meter = new RequestMeter(prices, explanation);
  const { result } = await whereverItIs(store, logicalPartitionOf(place), (address) =>
    runGoverned(governor, clock, { address, traits, logicalPartition: partitionKey, meter }, () =>
      attempt(address, meter),
    ),
  );
  return { value: result, chargeRu: meter.chargeRu, parts: explanation.parts };
}

/** False when it has moved. */
function isRead<T extends ReadOutcome | ScanOutcome>(outcome: T): outcome is Extract<T, { kind: 'read' }> {
  if (outcome.kind === 'refused') throw outcome.error;
  return outcome.kind === 'read';
}

interface ReplaceBody {
  readonly key: ByteString;
  readonly value: Buffer | null;
}

interface ReplaceAnswer {
  readonly bytesBefore: number;
}

const replaceKind = 'replace-row';

function replaceRow(key: ByteString, value: Buffer | null): Operation {
  const body: ReplaceBody = { key, value };
  return { kind: replaceKind, body, reads: { keys: [key], ranges: [] } };
}

/** What the store must know: writes a row and answers how large the one before it was, which the charge depends on. */
export const rowOperationKinds: ReadonlyMap<string, OperationKind> = new Map<string, OperationKind>([
  [
    replaceKind,
    (body, rows) => {
      const { key, value } = body as ReplaceBody;
      const before = rows.get(key);
      const answer: ReplaceAnswer = { bytesBefore: before === null ? 0 : sizeOf(before) };
      return { kind: 'write', writes: [{ key, value }], answer };
    },
  ],
]);

function writeWork(
  kind: 'upsert-item' | 'delete-item',
  bytesBefore: number,
  value: Buffer | null,
  isApplied: boolean,
): ItemWrite {
  return {
    kind,
    bytesBefore,
    bytesAfter: value === null ? 0 : sizeOf(value),
    indexTermsRemoved: 0,
    indexTermsAdded: 0,
    properties: 0,
    patchOperations: 0,
    isLightweightTransaction: false,
    isApplied,
  };
}

/** In work done, 0 bytes mean that there is no row. */
function sizeOf(value: Buffer): number {
  return Math.max(1, value.length);
}

function logicalPartitionOf({ container, partitionKey }: Omit<RowPlace, 'rowKey'>): LogicalPartition {
  return new LogicalPartition(container, cqlPartitionKey([Buffer.from(partitionKey)]));
}

function keyOf(place: RowPlace): ByteString {
  return concatBytes(logicalPartitionOf(place).prefix, byteStringOf(Buffer.from(place.rowKey)));
}
