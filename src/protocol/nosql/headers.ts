// Headers that several kinds of answers have.

import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { textOfLsn, toldLsn } from '../../catalog/nosql/told-lsn.ts';
import { type PriceList, requestCharge } from '../../throughput/request-charge.ts';
import type { WorkDone } from '../../throughput/work-done.ts';
import type { NosqlContext } from './nosql-context.ts';
import { sessionToken } from './session-token.ts';

export function chargeHeader(work: WorkDone, prices: PriceList): { 'x-ms-request-charge': string } {
  return { 'x-ms-request-charge': String(requestCharge(work, prices)) };
}

/**
 * Which partition answered and how far it is: from the content path and the session token a client knows what it has seen. The LSN
 * is the partition's last unless the answer is of a transaction, which has one of its own.
 */
export function partitionHeaders(
  { parts }: NosqlContext,
  container: ContainerDefinition,
  physicalPartition: number | undefined,
  lsn?: number,
): Record<string, string> {
  const headers: Record<string, string> = {
    'x-ms-alt-content-path': altContentPath(container),
    'x-ms-content-path': container.rid,
  };
  if (physicalPartition === undefined) return headers;
  const reached =
    lsn ?? parts.throughput.store.committedLsn({ container: container.container, physicalPartition });
  headers['x-ms-documentdb-partitionkeyrangeid'] = String(physicalPartition);
  if (reached === undefined) return headers;
  const told = textOfLsn(toldLsn(container, reached));
  headers['x-ms-session-token'] = sessionToken(physicalPartition, told);
  headers['lsn'] = told;
  return headers;
}

const altContentPaths = new WeakMap<ContainerDefinition, string>();

/** By names, as clients write them. */
function altContentPath(container: ContainerDefinition): string {
  let path = altContentPaths.get(container);
  if (path === undefined) {
    path = inHeader(`dbs/${container.databaseId}/colls/${container.id}`);
    altContentPaths.set(container, path);
  }
  return path;
}

/** What is not ASCII cannot stand in a header and is percent-encoded. */
export function inHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/gu, encodeURIComponent);
}
