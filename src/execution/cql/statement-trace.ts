/** What is told of a statement while it runs, for `system_traces`. */
export interface StatementTrace {
  /** A version 1 UUID. */
  readonly id: Buffer;
  /** In words, as people will read it: which partition, how many rows, what it cost. */
  event(activity: string): void;
}
