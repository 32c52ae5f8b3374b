// How throughput is spelled in admin JSON. Figures are passed on as they are: what is wrong with them is said by those who know Cosmos' words.

import type { ThroughputRequest } from '../../throughput/throughput-request.ts';
import { badRequest } from './admin-message.ts';

export const throughputFields: readonly (keyof ThroughputRequest)[] = [
  'ruPerSecond',
  'maxRuPerSecond',
  'incrementPercent',
];

export function throughputIn(body: Readonly<Record<string, unknown>>): ThroughputRequest {
  const given = throughputFields.filter((field) => body[field] !== undefined);
  return Object.fromEntries(
    given.map((field) => {
      const value = body[field];
      if (typeof value !== 'number') throw badRequest(`"${field}" is a number`);
      return [field, value];
    }),
  );
}

/** As Cosmos has it: 1 to 255 characters without / \ # ? */
export function databaseNameIn(value: unknown): string {
  if (typeof value !== 'string' || !/^[^/\\#?]{1,255}$/.test(value))
    throw badRequest('"database" is a text of 1 to 255 characters without / \\ # ?');
  return value;
}
