import type { CqlParts } from '../../execution/cql/cql-parts.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Log } from '../../foundation/log.ts';
import type { Scheduler } from '../../foundation/scheduler.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import type { RequestMemory } from './request-memory.ts';

export interface CqlSettings {
  /** Of one request, header and body; Cassandra's native_transport_max_frame_size. */
  readonly maxFrameBytes: number;
  /** Of one connection; beyond it nothing more is read. */
  readonly maxInFlightRequests: number;
  /** Answers that a client has not read; beyond it nothing more of its requests is. */
  readonly maxUnreadBytes: number;
  readonly readTimeoutMs: number;
  readonly writeTimeoutMs: number;
  /** Ask for a login on loopback too. */
  readonly alwaysAsksLogin: boolean;
  /** Requests refused for want of request units wait here, and not at the client (Cosmos: server-side retry). */
  readonly retriesRefused: boolean;
  /** What clients are told that the server's address is; undefined for the one they dialled. */
  readonly broadcastAddress: string | undefined;
}

export const defaultCqlSettings: CqlSettings = {
  maxFrameBytes: 16 * 2 ** 20,
  maxInFlightRequests: 1_024,
  maxUnreadBytes: 2 ** 20,
  readTimeoutMs: 10_000,
  writeTimeoutMs: 10_000,
  alwaysAsksLogin: false,
  retriesRefused: false,
  broadcastAddress: undefined,
};

/** What all connections of a server share. */
export interface CqlContext {
  readonly parts: CqlParts;
  readonly statements: PreparedStatements;
  readonly memory: RequestMemory;
  readonly settings: CqlSettings;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}
