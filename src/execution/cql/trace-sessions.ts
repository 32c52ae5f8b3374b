// Traces that clients asked for, as `system_traces` shows them. They are kept in memory only, the latest of them: drivers
// read a trace right after the request, and nobody after a restart.

import type { Clock } from '../../foundation/clock.ts';
import type { TimeUuids } from '../../values/time-uuids.ts';
import type { StatementTrace } from './statement-trace.ts';

export interface TraceEvent {
  /** A version 1 UUID; later events have later ones. */
  readonly id: Buffer;
  readonly activity: string;
  /** Since the session began. */
  readonly elapsedMicros: number;
}

/** What is known when a request arrives. */
export interface TraceStart {
  /** In Cassandra's words: `Execute CQL3 query`. */
  readonly request: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly client: string;
  readonly coordinator: string;
  readonly coordinatorPort: number;
}

export interface TraceSession extends TraceStart {
  readonly id: Buffer;
  readonly startedAtMs: number;
  /** Undefined while it runs. */
  readonly durationMicros: number | undefined;
  readonly events: readonly TraceEvent[];
}

/** Beyond these the oldest sessions, and the rest of a session's events, are forgotten. */
const maxSessions = 1_000;
const maxEvents = 500;
const maxTextLength = 10_000;

export class TraceSessions {
  readonly #clock: Clock;
  readonly #uuids: TimeUuids;
  readonly #sessions = new Map<string, RunningTrace>();

  constructor(clock: Clock, uuids: TimeUuids) {
    this.#clock = clock;
    this.#uuids = uuids;
  }

  begin(start: TraceStart): RunningTrace {
    const trace = new RunningTrace(start, this.#clock, this.#uuids);
    this.#sessions.set(keyOf(trace.id), trace);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= maxSessions) break;
      this.#sessions.delete(oldest);
    }
    return trace;
  }

  /** Oldest first. */
  sessions(): Iterable<TraceSession> {
    return this.#sessions.values();
  }

  find(id: Buffer): TraceSession | undefined {
    return this.#sessions.get(keyOf(id));
  }
}

export class RunningTrace implements StatementTrace, TraceSession {
  readonly id: Buffer;
  readonly request: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly client: string;
  readonly coordinator: string;
  readonly coordinatorPort: number;
  readonly startedAtMs: number;
  readonly #startedAt: number;
  readonly #clock: Clock;
  readonly #uuids: TimeUuids;
  readonly #events: TraceEvent[] = [];
  #durationMicros: number | undefined;

  constructor(start: TraceStart, clock: Clock, uuids: TimeUuids) {
    this.request = start.request;
    this.parameters = new Map(Array.from(start.parameters, ([name, text]) => [name, cut(text)]));
    this.client = start.client;
    this.coordinator = start.coordinator;
    this.coordinatorPort = start.coordinatorPort;
    this.#clock = clock;
    this.#uuids = uuids;
    this.startedAtMs = clock.now();
    this.#startedAt = clock.monotonic();
    this.id = uuids.next(this.startedAtMs);
  }

  get durationMicros(): number | undefined {
    return this.#durationMicros;
  }

  get events(): readonly TraceEvent[] {
    return this.#events;
  }

  event(activity: string): void {
    if (this.#events.length >= maxEvents) return;
    this.#events.push({
      id: this.#uuids.next(this.#clock.now()),
      activity: cut(activity),
      elapsedMicros: this.#elapsedMicros(),
    });
  }

  finish(): void {
    this.#durationMicros ??= this.#elapsedMicros();
  }

  #elapsedMicros(): number {
    return Math.round((this.#clock.monotonic() - this.#startedAt) * 1_000);
  }
}

/** A statement may be as long as a frame. */
function cut(text: string): string {
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`;
}

function keyOf(id: Buffer): string {
  return id.toString('latin1');
}
