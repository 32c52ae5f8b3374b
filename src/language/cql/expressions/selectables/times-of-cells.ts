import type { CellTimes } from '../../../../execution/cql/read-row.ts';
import { writeListWithNulls } from './list-with-nulls.ts';

/** What is known of the cells of a selected value: nothing, of one, or of each of its elements. */
export type TimesOfCells =
  | 'none'
  | { readonly one: CellTimes | undefined }
  | readonly (CellTimes | undefined)[];

export function timesAt(times: TimesOfCells, index: number): TimesOfCells {
  if (times === 'none' || 'one' in times) return times;
  return times.length === 0 ? 'none' : { one: times[index] };
}

export function timesBetween(times: TimesOfCells, from: number, to: number): TimesOfCells {
  if (times === 'none' || from >= to) return 'none';
  return 'one' in times ? times : times.slice(from, to);
}

/** Of many, the one that was written last. */
export function latestTimes(times: TimesOfCells): TimesOfCells {
  if (times === 'none' || 'one' in times) return times;
  let latest: CellTimes | undefined;
  for (const each of times) {
    if (latest === undefined || (each !== undefined && each.timestamp > latest.timestamp)) latest = each;
  }
  return latest === undefined ? 'none' : { one: latest };
}

/** One value, or a list of as many as there are elements: with nulls, which no other list has. */
export function printTimes(times: TimesOfCells, print: (times: CellTimes) => Buffer | null): Buffer | null {
  if (times === 'none') return null;
  if ('one' in times) return times.one === undefined ? null : print(times.one);
  if (times.length === 0) return null;
  return writeListWithNulls(times.map((each) => (each === undefined ? null : print(each))));
}
