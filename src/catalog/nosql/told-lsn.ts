import type { ContainerDefinition } from './nosql-definitions.ts';

/**
 * An LSN as clients are told it: counted from the server timestamp at which the container was made, in microseconds. Clients keep what they
 * have seen by a container's name and take the greatest, so a container that is made again under the name must begin above all that was told of
 * the one before. Timestamps rise over restarts and no partition writes a million times a second, so it does; and so does one on an empty data directory.
 */
export function toldLsn({ createdAt }: Pick<ContainerDefinition, 'createdAt'>, lsn: number): number {
  return createdAt + lsn;
}

const halfDigits = 1e8;

/** What `String` gives. It takes five times as long for numbers beyond 31 bits, so they are told by halves. */
export function textOfLsn(told: number): string {
  const high = Math.floor(told / halfDigits);
  if (high === 0) return String(told);
  return `${high}${String(told - high * halfDigits + halfDigits).slice(1)}`;
}
