// Each number once, with its source. Sizes that operators may change are settings whose defaults stand here.
// "limits" is Microsoft's concepts-limits page, "partitioning" its partitioning page (docs of 2026-05-15).

const GB = 2 ** 30;

/** Data and index of one partition key value; limits. */
export const MAX_LOGICAL_PARTITION_BYTES: number = 20 * GB;

/**
 * partitioning.
 * @public
 */
export const MAX_PHYSICAL_PARTITION_BYTES: number = 50 * GB;

/**
 * The same for CQL tables; Cosmos' Cassandra API, cassandra/partitioning.
 * @public
 */
export const MAX_CQL_PHYSICAL_PARTITION_BYTES: number = 30 * GB;

/** RU/s that one physical partition, and so one logical partition, can be given; limits. */
export const MAX_PHYSICAL_PARTITION_RU: number = 10_000;

/** What a new physical partition is planned for under manual throughput; scaling-provisioned-throughput-best-practices. */
export const INITIAL_MANUAL_PARTITION_RU: number = 6_000;

/** UTF-8 bytes of a NoSQL partition key value; limits. */
export const MAX_PARTITION_KEY_BYTES: number = 2_048;

/** UTF-16 units of a string that a V1 key keeps: large-partition-keys, and the SDKs' encoders. */
export const MAX_V1_STRING_UNITS: number = 100;

/** Paths of a hierarchical key; hierarchical-partition-keys. */
export const MAX_HIERARCHY_LEVELS: number = 3;

/** The same when the last path is /id; hierarchical-partition-keys-unlimited-scale (2026-03). */
export const MAX_HIERARCHY_LEVELS_ENDING_IN_ID: number = 4;

/** One primary and three secondaries; sdk-connection-modes, partitioning. */
export const REPLICA_COUNT: number = 4;
