// The whole price list, and the only file that knows a price: work done -> request units. The same work always costs the
// same. docs/request-units.md holds every published figure against what comes out here.

import { free, hundredth, type Price, plus, priceInRu, roundedHundredths, times } from './price.ts';
import { fromHundredths, type RequestUnits } from './request-units.ts';
import { priceOfSize, type SizeCurve, steppedCurve, straightCurve } from './size-curve.ts';
import type { FeedPage, ItemRead, ItemWrite, QueryWork, WorkDone } from './work-done.ts';

/** A curve is a price by the size of one item. */
export interface PriceList {
  readonly read: SizeCurve;
  readonly create: SizeCurve;
  /** A replace costs two prices: removing the old item, by its size, and storing the new one, by its own. */
  readonly replaceOld: SizeCurve;
  readonly replaceNew: SizeCurve;
  readonly delete: SizeCurve;
  readonly indexTerm: Price;
  readonly property: Price;
  readonly patchOperation: Price;
  readonly partitionVisit: Price;
  readonly itemLoaded: Price;
  readonly kbLoaded: Price;
  readonly itemReturned: Price;
  readonly kbReturned: Price;
  readonly extraSeek: Price;
  readonly indexTermScanned: Price;
  readonly joinTuple: Price;
  readonly udfCall: Price;
  readonly programCall: Price;
  readonly rejectedRequest: Price;
}

// Both tables: understand-request-unit-consumption (2026-04-21). The row for 100 KB is ours: other pages say 10 and 50 RU
// there, where a straight line from 64 to 128 KB would give 7.7 and 37.
const docsWrite = straightCurve(
  [1, 4.95],
  [2, 6.29],
  [4, 6.67],
  [8, 7.04],
  [16, 9.52],
  [32, 11.23],
  [64, 22.67],
  [100, 48],
  [128, 48.19],
  [256, 98.29],
  [512, 184.57],
  [1024, 625],
  [2048, 1250],
);
const docsRead = straightCurve(
  [1, 1],
  [2, 1.04],
  [4, 1.14],
  [8, 1.33],
  [16, 1.67],
  [32, 2.19],
  [64, 4.76],
  [100, 9.9],
  [128, 9.95],
  [256, 20.28],
  [512, 40.95],
  [1024, 145.9],
  [2048, 291.8],
);

/** What Microsoft's pages of 2026 publish; where they are silent, a fit to their samples, or an assumption. */
const docs2026: PriceList = {
  read: docsRead,
  create: docsWrite,
  replaceOld: docsWrite,
  replaceNew: docsWrite,
  delete: docsWrite,
  // understand-request-unit-consumption.
  indexTerm: priceInRu(0.2),
  property: free,
  patchOperation: priceInRu(0.4),
  // how-to-query-container.
  partitionVisit: priceInRu(2.5),
  // Fitted to the published samples of troubleshoot-query-performance, optimize-cost-reads-writes, model-partition-example.
  itemLoaded: priceInRu(0.04),
  kbLoaded: priceInRu(0.004),
  itemReturned: priceInRu(0.05),
  kbReturned: priceInRu(0.045),
  // Assumptions: named as factors by request-units, without figures.
  extraSeek: priceInRu(0.3),
  indexTermScanned: priceInRu(0.002),
  joinTuple: priceInRu(0.002),
  udfCall: priceInRu(0.1),
  // Assumptions. troubleshoot-request-rate-too-large says that a 400 is charged, and not how much.
  programCall: priceInRu(1),
  rejectedRequest: priceInRu(1),
};

const docsSimpleWrite = straightCurve([1, 5], [100, 50]);

/** The short tables of optimize-cost-reads-writes, key-value-store-cost and plan-manage-costs, which leave indexing out. */
const docsSimple: PriceList = {
  ...docs2026,
  read: straightCurve([1, 1], [100, 10]),
  create: docsSimpleWrite,
  replaceOld: docsSimpleWrite,
  replaceNew: docsSimpleWrite,
  delete: docsSimpleWrite,
  indexTerm: free,
  patchOperation: free,
};

/** Point operations as Microsoft's in-memory emulator charges them (its ru_model.rs): by KB, rounded up to a power of two. */
const msEmulator: PriceList = {
  ...docs2026,
  read: doubling(1),
  create: doubling(5.8),
  replaceOld: doubling(0),
  replaceNew: doubling(5.8 * 1.5),
  delete: doubling(5.8 * 1.5),
  indexTerm: free,
  property: priceInRu(0.3),
  patchOperation: free,
  programCall: free,
};

/** The price lists by the names under which they are chosen. */
export const priceLists: {
  readonly 'docs-2026': PriceList;
  readonly 'docs-simple': PriceList;
  readonly 'ms-emulator': PriceList;
} = { 'docs-2026': docs2026, 'docs-simple': docsSimple, 'ms-emulator': msEmulator };

export type ChargeProfile = keyof typeof priceLists;

/** What a charge can be made of. */
export type ChargePartName =
  | 'item-read'
  | 'nothing-read'
  | 'second-replica'
  | 'item-created'
  | 'old-item-removed'
  | 'new-item-stored'
  | 'item-deleted'
  | 'write-not-applied'
  | 'serial-read'
  | 'index-terms'
  | 'properties'
  | 'patch-operations'
  | 'partitions-visited'
  | 'items-loaded'
  | 'items-returned'
  | 'extra-seeks'
  | 'index-terms-scanned'
  | 'join-tuples'
  | 'udf-calls'
  | 'batch-call'
  | 'stored-procedure-call'
  | 'rejected-request';

/** Told each part of a charge that is not free. Together they differ from the charge by its rounding only. */
export interface PartListener {
  part(name: ChargePartName, count: number, bytes: number, price: Price): void;
}

/** Every request passes here, so nothing is allocated but the number that comes out. */
export function requestCharge(work: WorkDone, prices: PriceList): RequestUnits {
  return fromHundredths(roundedHundredths(priceOfWork(work, prices, undefined)));
}

export function priceOfWork(work: WorkDone, prices: PriceList, listener: PartListener | undefined): Price {
  switch (work.kind) {
    case 'read-item':
    case 'read-definition':
      return priceOfRead(work, prices, listener);
    case 'create-item':
    case 'replace-item':
    case 'upsert-item':
    case 'patch-item':
    case 'delete-item':
    case 'delete-range':
    case 'expire-item':
    case 'write-definition':
      return priceOfWrite(work, prices, listener);
    case 'query':
      return priceOfQuery(work, prices, listener);
    case 'read-feed':
    case 'change-feed':
      return priceOfFeed(work, prices, listener);
    case 'batch':
      return told(listener, 'batch-call', 1, 0, prices.programCall);
    case 'stored-procedure':
      return told(listener, 'stored-procedure-call', 1, 0, prices.programCall);
    case 'rejected-request':
      return told(listener, 'rejected-request', 1, 0, prices.rejectedRequest);
  }
}

// Finding nothing costs what the smallest item costs (an assumption): the looking is the work.
function priceOfRead(work: ItemRead, prices: PriceList, listener: PartListener | undefined): Price {
  const { itemBytes } = work;
  const name = itemBytes === 0 ? 'nothing-read' : 'item-read';
  const price = told(listener, name, 1, itemBytes, priceOfSize(prices.read, itemBytes));
  return atReplicas(work, price, listener);
}

function priceOfFeed(work: FeedPage, prices: PriceList, listener: PartListener | undefined): Price {
  const { itemBytes } = work;
  if (itemBytes.length === 0) {
    const price = told(listener, 'nothing-read', 1, 0, priceOfSize(prices.read, 0));
    return atReplicas(work, price, listener);
  }
  let bytes = 0;
  let price = free;
  for (const size of itemBytes) {
    bytes += size;
    price = plus(price, priceOfSize(prices.read, size));
  }
  told(listener, 'item-read', itemBytes.length, bytes, price);
  return atReplicas(work, price, listener);
}

function priceOfQuery(work: QueryWork, prices: PriceList, listener: PartListener | undefined): Price {
  const { partitionsVisited, itemsLoaded, bytesLoaded, itemsReturned, bytesReturned } = work;
  const { extraSeeks, indexTermsScanned, joinTuples, udfCalls } = work;
  const visits = times(prices.partitionVisit, partitionsVisited);
  const loaded = plus(times(prices.itemLoaded, itemsLoaded), times(prices.kbLoaded, bytesLoaded / 1024));
  const returned = plus(
    times(prices.itemReturned, itemsReturned),
    times(prices.kbReturned, bytesReturned / 1024),
  );
  const scanned = times(prices.indexTermScanned, indexTermsScanned);
  let price = told(listener, 'partitions-visited', partitionsVisited, 0, visits);
  price = plus(price, told(listener, 'items-loaded', itemsLoaded, bytesLoaded, loaded));
  price = plus(price, told(listener, 'items-returned', itemsReturned, bytesReturned, returned));
  price = plus(price, told(listener, 'extra-seeks', extraSeeks, 0, times(prices.extraSeek, extraSeeks)));
  price = plus(price, told(listener, 'index-terms-scanned', indexTermsScanned, 0, scanned));
  price = plus(price, told(listener, 'join-tuples', joinTuples, 0, times(prices.joinTuple, joinTuples)));
  price = plus(price, told(listener, 'udf-calls', udfCalls, 0, times(prices.udfCall, udfCalls)));
  return atReplicas(work, price, listener);
}

// A write costs the same at every consistency level (consistency-levels). What one costs that leaves the item as it was is
// not published: it is charged as the read that it was.
function priceOfWrite(work: ItemWrite, prices: PriceList, listener: PartListener | undefined): Price {
  const { bytesBefore } = work;
  if (!work.isLightweightTransaction) {
    if (work.isApplied) return priceOfChange(work, prices, listener);
    return told(listener, 'write-not-applied', 1, bytesBefore, priceOfSize(prices.read, bytesBefore));
  }
  // SERIAL asks two replicas.
  const look = told(listener, 'serial-read', 1, bytesBefore, times(priceOfSize(prices.read, bytesBefore), 2));
  return work.isApplied ? plus(look, priceOfChange(work, prices, listener)) : look;
}

function priceOfChange(work: ItemWrite, prices: PriceList, listener: PartListener | undefined): Price {
  const { properties, patchOperations } = work;
  const indexTerms = work.indexTermsRemoved + work.indexTermsAdded;
  const patches = times(prices.patchOperation, patchOperations);
  let price = priceOfItemChange(work, prices, listener);
  price = plus(price, told(listener, 'index-terms', indexTerms, 0, times(prices.indexTerm, indexTerms)));
  price = plus(price, told(listener, 'properties', properties, 0, times(prices.property, properties)));
  return plus(price, told(listener, 'patch-operations', patchOperations, 0, patches));
}

// A mark that rows are gone, with nothing known of them, costs as much as deleting the smallest item.
function priceOfItemChange(work: ItemWrite, prices: PriceList, listener: PartListener | undefined): Price {
  const { bytesBefore, bytesAfter } = work;
  if (bytesAfter === 0)
    return told(listener, 'item-deleted', 1, bytesBefore, priceOfSize(prices.delete, bytesBefore));
  if (bytesBefore === 0)
    return told(listener, 'item-created', 1, bytesAfter, priceOfSize(prices.create, bytesAfter));
  return plus(
    told(listener, 'old-item-removed', 1, bytesBefore, priceOfSize(prices.replaceOld, bytesBefore)),
    told(listener, 'new-item-stored', 1, bytesAfter, priceOfSize(prices.replaceNew, bytesAfter)),
  );
}

// Rounded before it is doubled: a strong read costs exactly twice what the client was told that a weak one costs.
function atReplicas(
  work: ItemRead | FeedPage | QueryWork,
  atOneReplica: Price,
  listener: PartListener | undefined,
): Price {
  if (work.consistencyMultiplier === 1) return atOneReplica;
  const once = times(hundredth, roundedHundredths(atOneReplica));
  return plus(once, told(listener, 'second-replica', 1, 0, once));
}

function told(
  listener: PartListener | undefined,
  name: ChargePartName,
  count: number,
  bytes: number,
  price: Price,
): Price {
  if (listener !== undefined && price !== free) listener.part(name, count, bytes, price);
  return price;
}

/** An item's price by its KB, rounded up to a power of two, as far as an item can grow. */
function doubling(ruPerKb: number): SizeCurve {
  return steppedCurve(
    ...Array.from({ length: 12 }, (_, power) => [2 ** power, ruPerKb * 2 ** power] as const),
  );
}
