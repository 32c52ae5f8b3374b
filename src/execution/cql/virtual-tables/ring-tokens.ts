/** Several, because tools that cut the ring along tokens read as many ranges at once as there are. */
const COUNT = 16;

const span = 2n ** 64n / BigInt(COUNT);
const lowest = -(2n ** 63n);

/** The tokens of the one host that clients see, spread evenly; the last is the highest there is. */
export const ringTokens: readonly bigint[] = Array.from(
  { length: COUNT },
  (_, at) => lowest + BigInt(at + 1) * span - 1n,
);

export interface TokenRange {
  /** Excluded. */
  readonly start: bigint;
  /** Included. */
  readonly end: bigint;
}

/** Those between the tokens. None wraps around the end of the ring. */
export const ringTokenRanges: readonly TokenRange[] = ringTokens.map((end, at) => ({
  start: ringTokens[at - 1] ?? lowest,
  end,
}));
