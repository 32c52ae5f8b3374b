import type { ResourceIdentity } from '../../../catalog/nosql/nosql-definitions.ts';
import { integerBetween, type Random } from '../../../foundation/random.ts';
import { etagOf } from '../../../values/etag.ts';
import type { NosqlParts } from '../nosql-parts.ts';

type Parts = Pick<NosqlParts, 'timestamps' | 'throughput'>;

export function freshIdentity(parts: Parts, id: string, rid: string): ResourceIdentity {
  const timestamp = parts.timestamps.next(parts.throughput.clock.microseconds());
  return { id, rid, createdAt: timestamp, ...marksOf(timestamp) };
}

/** Of what is written anew and stays the same resource. */
export function renewedIdentity(
  parts: Parts,
  { rid, createdAt }: Pick<ResourceIdentity, 'rid' | 'createdAt'>,
  id: string,
): ResourceIdentity {
  const timestamp = parts.timestamps.next(parts.throughput.clock.microseconds());
  return { id, rid, createdAt, ...marksOf(timestamp) };
}

function marksOf(timestamp: number): Pick<ResourceIdentity, 'etag' | 'ts'> {
  return { etag: etagOf(timestamp), ts: Math.floor(timestamp / 1_000_000) };
}

/** A rid made from a number that nobody has. */
export function freshRid(
  random: Random,
  bits: number,
  ridOf: (number: number) => string,
  isTaken: (rid: string) => boolean,
): string {
  for (;;) {
    const rid = ridOf(integerBetween(random, 1, 2 ** bits - 1));
    if (!isTaken(rid)) return rid;
  }
}
