// What a request did, in counts that whoever does the work can take as it goes. Nothing here is a price: that is
// request-charge.ts alone. A request is charged for what it did and not for how it ended, so a request that fails half way
// reports the work it had done by then, and one that was throttled reports none.
//
// Bytes of an item are those of its stored UTF-8 JSON with system properties, or of its CQL row.

export type WorkDone = ItemRead | ItemWrite | QueryWork | FeedPage | ProgramCall | RejectedRequest;

export type OperationKind = WorkDone['kind'];

/**
 * How many replicas a read asked: two for strong and bounded staleness and for the CQL levels TWO, THREE, QUORUM,
 * LOCAL_QUORUM, ALL and SERIAL, one for every other.
 */
export type ConsistencyMultiplier = 1 | 2;

/**
 * Index terms of a scalar on an indexed path, each array element counting by itself. The published page charges by the term
 * and does not say what one is; with two, the four creates whose properties are published come out within 3 %. `id` counts,
 * other system properties do not. Each composite index entry and each unique key is one term more, each cell of a spatial
 * value likewise.
 * @public
 */
export const INDEX_TERMS_PER_SCALAR: number = 2;

/** One item, or one definition (database, container, user, throughput), found by its name. */
export interface ItemRead {
  readonly kind: 'read-item' | 'read-definition';
  /** 0 when nothing was sent back: not found, or not changed since the client's ETag. */
  readonly itemBytes: number;
  readonly consistencyMultiplier: ConsistencyMultiplier;
}

/** One item created, replaced or removed; or one definition. What it was can be seen from the bytes before and after. */
export interface ItemWrite {
  readonly kind:
    | 'create-item'
    | 'replace-item'
    | 'upsert-item'
    | 'patch-item'
    | 'delete-item'
    // CQL's DELETE of several rows, and NoSQL's of a partition key: what marks them as gone.
    | 'delete-range'
    // An item whose time to live is over, removed in the background.
    | 'expire-item'
    | 'write-definition';
  /** 0 if there was no item, or if the write did not have to know. */
  readonly bytesBefore: number;
  /** 0 if there is no item now. */
  readonly bytesAfter: number;
  readonly indexTermsRemoved: number;
  readonly indexTermsAdded: number;
  /** Those at the top level of the item written or removed; columns of a CQL row. */
  readonly properties: number;
  readonly patchOperations: number;
  /** CQL's IF: the row is read at SERIAL before it is written. */
  readonly isLightweightTransaction: boolean;
  /**
   * False if the item was looked at and left as it was: a conflict, a condition that did not hold, nothing to delete, a
   * batch that was rolled back. A write handed to replicas is applied, whatever became of it.
   */
  readonly isApplied: boolean;
}

/** One page of a query, in one physical partition or in several. */
export interface QueryWork {
  readonly kind: 'query';
  readonly partitionsVisited: number;
  readonly itemsLoaded: number;
  readonly bytesLoaded: number;
  readonly itemsReturned: number;
  readonly bytesReturned: number;
  /** Index lookups after the first: each further equality, each range, each value of an IN. */
  readonly extraSeeks: number;
  /** Distinct terms looked at when a predicate cannot seek: CONTAINS, ENDSWITH, LIKE, RegexMatch. */
  readonly indexTermsScanned: number;
  readonly joinTuples: number;
  readonly udfCalls: number;
  readonly consistencyMultiplier: ConsistencyMultiplier;
}

/** One page of items as they are stored, without a query. */
export interface FeedPage {
  readonly kind: 'read-feed' | 'change-feed';
  readonly itemBytes: readonly number[];
  readonly consistencyMultiplier: ConsistencyMultiplier;
}

/** A transactional batch or a stored procedure by itself. What its members read and write is work of their own. */
export interface ProgramCall {
  readonly kind: 'batch' | 'stored-procedure';
}

/** A request that was found to be wrong before it reached any item. */
export interface RejectedRequest {
  readonly kind: 'rejected-request';
}
