import type { Principal } from './principal.ts';
import type { ResourcePath } from './resource-path.ts';

/** A request as handlers see it: its path taken apart, its sender known, its body read to its end and not yet believed. */
export interface NosqlRequest {
  readonly method: string;
  readonly path: ResourcePath;
  /** By name in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  readonly principal: Principal;
  readonly activityId: string;
  /** What the client dialled: `http://localhost:8081`, without a slash at its end. */
  readonly origin: string;
}

export interface NosqlResponse {
  readonly status: number;
  /** Those that this answer alone has; what every answer has is added by the server. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; undefined for none. */
  readonly body: Buffer | string | undefined;
}

/** A promise only where something is waited for: a point read that memory can answer is answered in the same turn. */
export type NosqlHandler<Context> = (
  request: NosqlRequest,
  context: Context,
) => NosqlResponse | Promise<NosqlResponse>;
