// Each number of throughput settings once, with its source; what concerns partitions is in partitioning/partition-limits.ts: Microsoft's pages of 2026-05-15. "limits" is concepts-limits,
// "scaling" scaling-provisioned-throughput-best-practices, "redistribution" how-to-redistribute-throughput-across-partitions.

/** limits. */
export const MIN_MANUAL_RU: number = 400;

/** limits; 4,000 until April 2022, autoscale-faq. */
export const MIN_AUTOSCALE_MAX_RU: number = 1_000;

/** request-units. */
export const MANUAL_STEP_RU: number = 100;

/** provision-throughput-autoscale. */
export const AUTOSCALE_STEP_RU: number = 1_000;

/** Of a container or of a database that shares its throughput; limits. */
export const MAX_RU: number = 1_000_000;

/** What can be asked for one physical partition: above MAX_PHYSICAL_PARTITION_RU it is split; redistribution. */
export const MAX_REDISTRIBUTION_RU: number = 20_000;

/** Targets, and sources, in one redistribution; distribute-throughput-across-partitions-faq. */
export const MAX_REDISTRIBUTED_PARTITIONS: number = 20;

/** What each physical partition of a serverless container may spend in a second; serverless-performance. */
export const SERVERLESS_PARTITION_RU: number = 5_000;

/** Containers that share their database's throughput; set-throughput. */
export const MAX_SHARED_CONTAINERS: number = 25;

/** The least that autoscale goes down to, as a part of its maximum; provision-throughput-autoscale. */
export const AUTOSCALE_FLOOR: number = 0.1;

/** How long a partition must be used fully before autoscale reaches its maximum; monitor-normalized-request-units. */
export const AUTOSCALE_WINDOW_SECONDS: number = 5;
