// Which partitions a run of a SELECT reads.

import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { ReadTarget } from '../../../execution/cql/reads/read-plan.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import {
  positionAfterToken,
  positionOfToken,
  ringEnd,
  ringStart,
} from '../../../partitioning/ring-position.ts';
import { type RingRange, ringRange, wholeRing } from '../../../partitioning/ring-range.ts';
import { minimumToken, serializePartitionKey, type Token, tokenOf } from '../../../partitioning/token.ts';
import { encodeClusteringKey } from '../../../values/ordered-key.ts';
import type { Bindings } from '../expressions/typed-term.ts';
import { extendByEach } from './bind-values.ts';
import type { SelectRestrictions } from './select-restrictions.ts';
import type { TokenRestriction } from './token-restriction.ts';

export function bindTarget(
  { partitionKey, token, isKeyRange }: SelectRestrictions,
  table: TableSchema,
  bindings: Bindings,
): ReadTarget {
  const tokens = token === undefined ? undefined : bindTokens(token, bindings);
  if (isKeyRange) return { kind: 'ring', ranges: tokens === undefined ? [wholeRing] : ringRanges(tokens) };
  let keys: readonly (readonly Buffer[])[] = [[]];
  for (const restriction of partitionKey.all) {
    // Once there is no key, nobody looks at the rest.
    if (keys.length === 0) break;
    if (restriction.kind === 'equal' || restriction.kind === 'in') {
      keys = extendByEach(keys, restriction, bindings);
    }
  }
  if (keys.length > 1) keys = inOrder(keys, table);
  if (tokens !== undefined) {
    keys = keys.filter((key) => isWithin(tokens, tokenOf(serializePartitionKey(key))));
  }
  return { kind: 'partitions', keys };
}

/** In the order of the values, not of the ring, and each once; of two forms of one value the first counts. */
function inOrder(
  keys: readonly (readonly Buffer[])[],
  { partitionKey }: TableSchema,
): readonly (readonly Buffer[])[] {
  const byOrder = new Map<ByteString, readonly Buffer[]>();
  for (const key of keys) {
    const ordered = encodeClusteringKey(partitionKey, key);
    if (!byOrder.has(ordered)) byOrder.set(ordered, key);
  }
  return [...byOrder]
    .sort(([left], [right]) => (left < right ? -1 : Number(left > right)))
    .map(([, key]) => key);
}

const longestKey = 65_535;

export function validateKey(key: readonly Buffer[]): void {
  const [only] = key;
  const length = key.length === 1 ? (only?.length ?? 0) : key.reduce((sum, part) => sum + part.length + 3, 0);
  if (length === 0) throw invalidRequest('Key may not be empty');
  if (length > longestKey) {
    throw invalidRequest(`Key length of ${length} is longer than maximum of ${longestKey}`);
  }
}

interface TokenRange {
  readonly hasStart: boolean;
  readonly hasEnd: boolean;
  readonly start: Token;
  readonly includesStart: boolean;
  readonly end: Token;
  readonly includesEnd: boolean;
}

function bindTokens({ start, end }: TokenRestriction, bindings: Bindings): TokenRange {
  const tokenAt = (bound: TokenRestriction['start']): Token => {
    if (bound === undefined) return minimumToken;
    const value = bound.term.evaluate(bindings);
    if (value?.length !== 8) throw invalidRequest('Invalid null token value');
    return value.readBigInt64BE() as Token;
  };
  return {
    hasStart: start !== undefined,
    hasEnd: end !== undefined,
    start: tokenAt(start),
    includesStart: start?.isInclusive ?? true,
    end: tokenAt(end),
    includesEnd: end?.isInclusive ?? true,
  };
}

/** The lowest token, which no key has, is the start of the ring as a start, and its end as an end: so drivers ask for the last stretch. */
function ringRanges({ start, includesStart, end, includesEnd }: TokenRange): readonly RingRange[] {
  const min =
    start === minimumToken ? ringStart : includesStart ? positionOfToken(start) : positionAfterToken(start);
  const max = end === minimumToken ? ringEnd : includesEnd ? positionAfterToken(end) : positionOfToken(end);
  return min < max ? [ringRange(min, max)] : [];
}

/** Of keys that are looked up: a range that ends before it begins goes around, and the lowest token is a token as any. */
function isWithin(range: TokenRange, token: Token): boolean {
  const { hasStart, start, includesStart, hasEnd, end, includesEnd } = range;
  const isAfterStart = !hasStart || token > start || (includesStart && token === start);
  const isBeforeEnd = !hasEnd || token < end || (includesEnd && token === end);
  const goesAround = hasStart && hasEnd && start > end;
  return goesAround ? isAfterStart || isBeforeEnd : isAfterStart && isBeforeEnd;
}
