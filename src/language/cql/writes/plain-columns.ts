import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import type { PlainWrite } from '../../../execution/cql/writes/partition-write.ts';
import { encodePlainRow, type PlainRowTimes } from '../../../values/plain-row-codec.ts';
import type { Bindings, TypedTerm } from '../expressions/typed-term.ts';
import type { ColumnOperation } from './column-operation.ts';

/** What an INSERT or UPDATE of simple values writes, when nothing else is to be looked at. */
export class PlainColumns {
  /** Ascending. */
  readonly #columnIds: readonly number[];
  /** In the order of the statement, which is that in which values are found wrong. */
  readonly #terms: readonly TypedTerm[];
  /** Of each term, where its column stands among the ids. */
  readonly #places: readonly number[];

  private constructor(columnIds: readonly number[], terms: readonly TypedTerm[], places: readonly number[]) {
    this.#columnIds = columnIds;
    this.#terms = terms;
    this.#places = places;
  }

  /** Undefined where one of them does more than to give a column a value, or two are about one column. */
  static of(operations: readonly ColumnOperation[]): PlainColumns | undefined {
    const terms = operations.flatMap(({ plainTerm }) => (plainTerm === undefined ? [] : [plainTerm]));
    const ids = operations.map(({ column }) => column.id);
    if (terms.length < operations.length || new Set(ids).size < ids.length) return undefined;
    const columnIds = ids.toSorted((left, right) => left - right);
    const places = ids.map((id) => columnIds.indexOf(id));
    return new PlainColumns(columnIds, terms, places);
  }

  /** Undefined where it would show no row to a reader. */
  bind(bindings: Bindings, times: PlainRowTimes): PlainWrite | undefined {
    const values: BoundValue[] = new Array(this.#terms.length);
    let isLive = times.isMarked;
    let isWhole = true;
    for (let index = 0; index < values.length; index++) {
      const value = (this.#terms[index] as TypedTerm).evaluate(bindings);
      values[this.#places[index] as number] = value;
      if (value === undefined) isWhole = false;
      else if (value !== null) isLive = true;
    }
    if (!isLive) return undefined;
    const columnIds = isWhole
      ? this.#columnIds
      : this.#columnIds.filter((_, place) => values[place] !== undefined);
    return { stored: encodePlainRow(times, this.#columnIds, values), columnIds };
  }
}
