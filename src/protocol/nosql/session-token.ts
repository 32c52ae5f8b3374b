// `{range}:{version}#{lsn}`, several joined by commas: how far the client has seen each partition key range. Servers of one region
// send the short form with the version -1; `#{region}={lsn}` may follow in what clients kept from elsewhere.

import { invalidRequest } from '../../errors/invalid-request.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';

export function sessionToken(partitionKeyRange: number, lsn: string): string {
  return `${partitionKeyRange}:-1#${lsn}`;
}

/**
 * The LSN that the range must have reached: the greatest that the token has for it or for one of those it came from, since LSNs go
 * on rising through splits and merges. Undefined when the token says nothing of it.
 */
export function lsnInSessionToken(
  token: string,
  partitionKeyRange: number,
  ancestors: readonly number[] = [],
): number | undefined {
  let greatest: number | undefined;
  for (const part of token.split(',')) {
    const [, range = '', lsn = ''] = partPattern.exec(part) ?? malformed(token);
    const number = Number(range);
    if (number !== partitionKeyRange && !ancestors.includes(number)) continue;
    greatest = Math.max(greatest ?? 0, Number(lsn));
  }
  return greatest;
}

/** A token of a state that the partition has not reached is refused, and the client tries again or elsewhere. */
export function refuseUnreached(wanted: number | undefined, committedLsn: number): void {
  if (wanted === undefined || wanted <= committedLsn) return;
  throw new RingfoldError('session-not-available', { wanted, committedLsn });
}

// The version may be missing in what old clients kept: `0:12`.
const partPattern = /^\s*(\d+):(?:-?\d+#)?(\d+)(?:#\d+=-?\d+)*\s*$/;

function malformed(token: string): never {
  throw invalidRequest(`The session token provided '${token.slice(0, 200)}' is invalid.`);
}
