// What the supervisor and the server it started say to one another, over the channel that ends when either dies.

import type { Config } from '../src/config.ts';
import type { ErrorCode } from '../src/errors/error-codes.ts';

export type ToServer =
  | { readonly kind: 'serve'; readonly config: Config; readonly ownerName: string }
  | { readonly kind: 'stop' };

/** Where a server is found that has started, and the key its NoSQL clients sign with. */
export interface ReadyServer {
  readonly port: number;
  readonly cqlPort: number;
  readonly key: string;
}

export type FromServer =
  | ({ readonly kind: 'ready' } & ReadyServer)
  /** It cannot start, and would not if it were tried again. */
  | { readonly kind: 'refused'; readonly code: ErrorCode | undefined; readonly text: string };

/** The exit code of a server that refused to start: not to be restarted. */
export const refusedExitCode = 2;
