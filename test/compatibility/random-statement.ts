// What a generator writes a statement with: values come out as literals or as markers, now and then wrong on purpose.

import { types } from 'cassandra-driver';
import type { RandomChoice } from './random-choice.ts';
import type { RandomColumn, RandomTable } from './random-table.ts';
import {
  type ColumnType,
  type RandomValue,
  randomFrozenType,
  randomKeyValue,
  randomValue,
  scalar,
} from './random-value.ts';

/** `TT` stands for the table's name. Without values it goes as text, with values prepared. */
export interface RandomStatement {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly fetchSize?: number;
  /** Sent as one BATCH message; the text is only for people then. */
  readonly parts?: readonly { readonly query: string; readonly params: readonly unknown[] }[];
}

export class StatementWriter {
  readonly choice: RandomChoice;
  readonly table: RandomTable;
  readonly #isBound: boolean;
  readonly #values: unknown[] = [];
  readonly #faults: number;

  constructor(choice: RandomChoice, table: RandomTable) {
    this.choice = choice;
    this.table = table;
    this.#isBound = choice.happens(0.3);
    this.#faults = choice.happens(0.15) ? 0.2 : 0;
  }

  statement(text: string): RandomStatement {
    return this.#isBound ? { text, values: this.#values } : { text };
  }

  /** A value of the type as it stands in the statement. */
  value(type: ColumnType): string {
    return this.given(this.#isWrong() ? this.#wrongValue() : randomValue(this.choice, type));
  }

  /** A value of a column of the primary key. */
  keyValue(type: ColumnType): string {
    return this.given(this.#isWrong() ? this.#wrongValue() : randomKeyValue(this.choice, type));
  }

  /** As `value`, at times null or unset. */
  valueOrNothing(type: ColumnType): string {
    if (this.choice.happens(0.12)) return this.given({ text: 'null', bound: null });
    if (this.#isBound && this.choice.happens(0.08)) return this.given({ text: 'null', bound: types.unset });
    return this.value(type);
  }

  given({ text, bound }: RandomValue): string {
    if (!this.#isBound || this.choice.happens(0.2)) return text;
    this.#values.push(bound);
    return '?';
  }

  integer(low: number, high: number): string {
    const value = this.choice.integer(low, high);
    return this.given({ text: `${value}`, bound: value });
  }

  long(low: number, high: number): string {
    const value = this.choice.integer(low, high);
    return this.given({ text: `${value}`, bound: BigInt(value) });
  }

  /** Its name, or now and then another's or an unknown one. */
  nameOf(column: RandomColumn): string {
    if (!this.#isWrong()) return column.name;
    return this.choice.happens(0.5) ? 'zz' : this.choice.one(this.table.columns).name;
  }

  columns(kind: RandomColumn['kind']): readonly RandomColumn[] {
    return this.table.columns.filter((column) => column.kind === kind);
  }

  #isWrong(): boolean {
    return this.#faults > 0 && this.choice.happens(this.#faults);
  }

  #wrongValue(): RandomValue {
    if (this.choice.happens(0.15)) return { text: 'null', bound: null };
    const type = this.choice.happens(0.5)
      ? scalar(this.choice.one(['int', 'text', 'boolean', 'uuid', 'double', 'blob']))
      : randomFrozenType(this.choice, this.table.types, 2);
    return { text: randomValue(this.choice, type).text, bound: null };
  }
}
