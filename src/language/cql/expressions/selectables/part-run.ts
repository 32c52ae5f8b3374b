import type { ReadRow } from '../../../../execution/cql/read-row.ts';
import type { TimesOfCells } from './times-of-cells.ts';
import type { SelectorRun } from './untyped-selectable.ts';

/** Selectors whose output is made of the outputs of others. */
export function composedRun(
  parts: readonly SelectorRun[],
  output: (values: readonly (Buffer | null)[]) => Buffer | null,
): SelectorRun {
  return {
    add(row) {
      for (const part of parts) part.add(row);
    },
    output: () => output(parts.map((part) => part.output())),
    reset() {
      for (const part of parts) part.reset();
    },
    times: () => 'none',
  };
}

/** For what no row has a part in. */
export function constantRun(output: Buffer | null): SelectorRun {
  return { isConstant: true, add: () => {}, output: () => output, reset: () => {}, times: () => 'none' };
}

/** A part of what another selects, whose cells are among the other's. */
export function partRun(
  whole: SelectorRun,
  part: (value: Buffer) => Buffer | null,
  timesOfPart: (times: TimesOfCells, value: Buffer) => TimesOfCells,
): SelectorRun {
  return {
    add: (row: ReadRow) => whole.add(row),
    output() {
      const value = whole.output();
      return value === null ? null : part(value);
    },
    reset: () => whole.reset(),
    times() {
      const value = whole.output();
      return value === null ? 'none' : timesOfPart(whole.times(), value);
    },
  };
}
