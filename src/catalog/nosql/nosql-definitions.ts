// What exists for NoSQL clients. Everything is immutable: a change makes a new object, and whoever holds the old one sees the old one.

import type { PartitionKeyDefinition } from '../../partitioning/partition-key.ts';

/** JSON as it is shown to clients, without system properties. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What every definition has. */
export interface ResourceIdentity {
  readonly id: string;
  /** `_rid`. */
  readonly rid: string;
  /** `_etag`, without its quotes. */
  readonly etag: string;
  /** `_ts`, seconds. */
  readonly ts: number;
  /** The server timestamp of its making: feeds are in this order. */
  readonly createdAt: number;
}

export interface DatabaseDefinition extends ResourceIdentity {
  readonly containers: ReadonlyMap<string, ContainerDefinition>;
  readonly users: ReadonlyMap<string, UserDefinition>;
  readonly clientEncryptionKeys: ReadonlyMap<string, PlainDefinition>;
  /** Of its throughput, if it has any to share. */
  readonly offerRid: string;
  /** The `_ts` of its throughput, once that has been replaced. */
  readonly offerTs?: number;
  /** Whether its containers may share throughput that is set on it. */
  readonly hasSharedThroughput: boolean;
}

export interface ContainerDefinition extends ResourceIdentity {
  /** The container's number in the store: its generation. */
  readonly container: number;
  readonly databaseId: string;
  readonly databaseRid: string;
  /** Of its throughput, if it has its own. */
  readonly offerRid: string;
  /** The `_ts` of its throughput, once that has been replaced. */
  readonly offerTs?: number;
  readonly partitionKey: PartitionKeyDefinition;
  /** Paths as lists of property names, in the order of `partitionKey.paths`. */
  readonly partitionKeyPaths: readonly (readonly string[])[];
  /** Whether it has a partition key that clients did not choose: containers of old API versions (`/_partitionKey`). */
  readonly hasSystemKey: boolean;
  /** As TTL is stored with items: undefined is off, -1 on without a default. */
  readonly defaultTtlSeconds: number | undefined;
  /** Each constraint: its paths as lists of property names. */
  readonly uniqueKeys: readonly (readonly (readonly string[])[])[];
  readonly indexingPolicy: IndexingPolicy;
  /** Minutes for which all versions and deletes are kept; 0 for none. */
  readonly changeFeedRetentionMinutes: number;
  /** Of coordinates: on the globe, or on a plane. */
  readonly isGeography: boolean;
  readonly computedProperties: readonly ComputedProperty[];
  /** Of vectors, by the paths at which they stand. */
  readonly vectorDistances: ReadonlyMap<string, DistanceFunction>;
  /** The whole definition as clients see it, without system properties, and with what the service fills in. */
  readonly shown: JsonObject;
  readonly storedProcedures: ReadonlyMap<string, PlainDefinition>;
  readonly triggers: ReadonlyMap<string, PlainDefinition>;
  readonly userDefinedFunctions: ReadonlyMap<string, PlainDefinition>;
}

/** `SELECT VALUE … FROM c` over each item. */
export interface ComputedProperty {
  readonly name: string;
  readonly query: string;
}

export type DistanceFunction = 'cosine' | 'dotproduct' | 'euclidean';

/** Which paths of an item count as indexed. Checked when it was set. */
export interface IndexingPolicy {
  readonly mode: 'consistent' | 'none';
  readonly automatic: boolean;
  readonly includedPaths: readonly string[];
  readonly excludedPaths: readonly string[];
  readonly compositeIndexes: readonly (readonly {
    readonly path: string;
    readonly order: 'ascending' | 'descending';
  }[])[];
}

/** A definition of which the server only keeps what is shown: a script, a permission, an encryption key. */
export interface PlainDefinition extends ResourceIdentity {
  readonly shown: JsonObject;
}

export interface UserDefinition extends PlainDefinition {
  readonly permissions: ReadonlyMap<string, PlainDefinition>;
}
