/** A broken invariant stops the request with a stack; it is never handled. */
export function assert(condition: unknown, mustHold: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${mustHold}`);
}
