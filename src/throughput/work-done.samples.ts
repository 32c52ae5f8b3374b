// Work for tests: what a test does not say is nothing.

import type { ConsistencyMultiplier, ItemRead, ItemWrite, QueryWork } from './work-done.ts';

export function kilobytes(kb: number): number {
  return Math.round(kb * 1024);
}

export function readOf(kb: number, consistencyMultiplier: ConsistencyMultiplier = 1): ItemRead {
  return { kind: 'read-item', itemBytes: kilobytes(kb), consistencyMultiplier };
}

export function writeOf(write: Partial<ItemWrite>): ItemWrite {
  return {
    kind: 'upsert-item',
    bytesBefore: 0,
    bytesAfter: 0,
    indexTermsRemoved: 0,
    indexTermsAdded: 0,
    properties: 0,
    patchOperations: 0,
    isLightweightTransaction: false,
    isApplied: true,
    ...write,
  };
}

export function createOf(kb: number, indexTermsAdded = 0): ItemWrite {
  return writeOf({ kind: 'create-item', bytesAfter: kilobytes(kb), indexTermsAdded });
}

export function replaceOf(kb: number, indexTermsChanged = 0): ItemWrite {
  return writeOf({
    kind: 'replace-item',
    bytesBefore: kilobytes(kb),
    bytesAfter: kilobytes(kb),
    indexTermsRemoved: indexTermsChanged,
    indexTermsAdded: indexTermsChanged,
  });
}

export function deleteOf(kb: number, indexTermsRemoved = 0): ItemWrite {
  return writeOf({ kind: 'delete-item', bytesBefore: kilobytes(kb), indexTermsRemoved });
}

export function queryOf(query: Partial<QueryWork>): QueryWork {
  return {
    kind: 'query',
    partitionsVisited: 1,
    itemsLoaded: 0,
    bytesLoaded: 0,
    itemsReturned: 0,
    bytesReturned: 0,
    extraSeeks: 0,
    indexTermsScanned: 0,
    joinTuples: 0,
    udfCalls: 0,
    consistencyMultiplier: 1,
    ...query,
  };
}

/** A query in one partition that finds its items by the index and returns them whole. */
export function queryReturning(items: number, kb: number): QueryWork {
  const bytes = items * kilobytes(kb);
  return queryOf({ itemsLoaded: items, bytesLoaded: bytes, itemsReturned: items, bytesReturned: bytes });
}
