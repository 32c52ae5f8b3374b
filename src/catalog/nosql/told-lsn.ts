import type { ContainerDefinition } from './nosql-definitions.ts';

/**
 * An LSN as clients are told it: counted from the server timestamp at which the container was made, in microseconds. Clients keep what they
 * have seen by a container's name and take the greatest, so a container that is made again under the name must begin above all that was told of
 * the one before. Timestamps rise over restarts and no partition writes a million times a second, so it does; and so does one on an empty data directory.
 */
export function toldLsn({ createdAt }: Pick<ContainerDefinition, 'createdAt'>, lsn: number): number {
  return createdAt + lsn;
}

/** Microseconds of 2001: no container was made before, and no partition has so many commits. */
const leastTold = 1e15;

/**
 * The LSN that a client was told. What was told of a container that is no more says nothing of this one, so that is before its first; and what an
 * older build told is what it says.
 */
export function heardLsn({ createdAt }: Pick<ContainerDefinition, 'createdAt'>, told: number): number {
  if (told < leastTold) return told;
  return Math.max(0, told - createdAt);
}

const halfDigits = 1e8;

/** What `String` gives. It takes five times as long for numbers beyond 31 bits, so they are told by halves. */
export function textOfLsn(told: number): string {
  const high = Math.floor(told / halfDigits);
  if (high === 0) return String(told);
  return `${high}${String(told - high * halfDigits + halfDigits).slice(1)}`;
}
