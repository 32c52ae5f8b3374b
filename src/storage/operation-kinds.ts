// The operations every store knows from the start. The languages above add theirs.

import type { ByteString } from '../foundation/byte-string.ts';
import type { Operation, OperationKind, RowWrite } from './partition-store.ts';
import { readsNothing } from './partition-store.ts';

interface PutIfEqual {
  readonly key: ByteString;
  readonly expected: Uint8Array | null;
  readonly writes: readonly RowWrite[];
}

/** Writes rows whatever was there. */
export function putRows(writes: readonly RowWrite[]): Operation {
  return { kind: 'put-rows', body: { writes }, reads: readsNothing };
}

/** Writes rows if the row at `key` is as expected (null: absent); the answer is `{ applied }`. */
export function putIfEqual(
  key: ByteString,
  expected: Uint8Array | null,
  writes: readonly RowWrite[],
): Operation {
  return { kind: 'put-if-equal', body: { key, expected, writes }, reads: { keys: [key], ranges: [] } };
}

export const basicOperationKinds: ReadonlyMap<string, OperationKind> = new Map<string, OperationKind>([
  ['put-rows', (body) => ({ kind: 'write', writes: (body as { writes: readonly RowWrite[] }).writes })],
  [
    'put-if-equal',
    (body, rows) => {
      const { key, expected, writes } = body as PutIfEqual;
      const found = rows.get(key);
      const applied = found === null || expected === null ? found === expected : found.equals(expected);
      return { kind: 'write', writes: applied ? writes : [], answer: { applied } };
    },
  ],
]);
