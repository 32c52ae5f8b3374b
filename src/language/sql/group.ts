// One group of rows: the keys that it goes by, and what its aggregates have come to.

import { invalidRequest } from '../../errors/invalid-request.ts';
import type { Accumulator } from './aggregates.ts';
import type { CompiledSelect, Grouping } from './compile-select.ts';
import type { Frame } from './frame.ts';
import type { SqlValue } from './sql-value.ts';
import { checkResult } from './value-limits.ts';

export interface Group {
  readonly keys: readonly SqlValue[];
  readonly accumulators: readonly Accumulator[];
}

/** What grouping or making distinct may keep; a query that needs more is refused rather than the server endangered. */
export const mostKeptBytes: number = 64 * 1024 * 1024;

export function tooMuchKept(): Error {
  return invalidRequest(
    'The query needs more memory than a query may have: it has too many groups, distinct values or sorted rows of a sub-query.',
  );
}

/** Of the row in the frame. */
export function groupKeysOf({ keys }: Grouping, frame: Frame): readonly SqlValue[] {
  const values = keys.map(({ value }) => value(frame));
  checkResult(values);
  return values;
}

export function startGroup({ aggregates }: Grouping, keys: readonly SqlValue[]): Group {
  return { keys, accumulators: aggregates.map(({ start }) => start()) };
}

/** The row in the frame. Answers by how many bytes the group has grown. */
export function addToGroup({ accumulators }: Group, { aggregates }: Grouping, frame: Frame): number {
  let grown = 0;
  for (const [at, accumulator] of accumulators.entries()) {
    const value = aggregates[at]?.input(frame);
    if (value === undefined) continue;
    const before = accumulator.sizeBytes;
    accumulator.add(value);
    grown += accumulator.sizeBytes - before;
  }
  return grown;
}

/** Undefined for a group that has no result. */
export function resultOfGroup(
  { keys, accumulators }: Group,
  grouping: Grouping,
  { project }: CompiledSelect,
  frame: Frame,
): SqlValue {
  for (const [at, { slot }] of grouping.keys.entries()) frame.slots[slot] = keys[at];
  for (const [at, { slot }] of grouping.aggregates.entries()) frame.slots[slot] = accumulators[at]?.result();
  const value = project(frame);
  checkResult(value);
  return value;
}
