import type { ColumnOperation } from './column-operation.ts';
import type { PreparedCondition } from './prepare-conditions.ts';
import type { WriteKind } from './prepare-where.ts';

/** A DELETE that names no columns deletes rows, and so their regular columns. */
export function touchesRegulars(kind: WriteKind, operations: readonly ColumnOperation[]): boolean {
  return (
    operations.some(({ column }) => column.kind === 'regular') ||
    (kind === 'DELETE' && operations.length === 0)
  );
}

/** Whether neither what it writes nor what it looks at belongs to a row: then it needs no clustering columns. */
export function isOnStaticsOnly(
  kind: WriteKind,
  operations: readonly ColumnOperation[],
  condition: PreparedCondition | undefined,
): boolean {
  const tests = typeof condition === 'object' ? condition : { regulars: [], statics: [] };
  return (
    !touchesRegulars(kind, operations) &&
    tests.regulars.length === 0 &&
    (operations.length > 0 || tests.statics.length > 0)
  );
}
