import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { mergeRestrictions, type Restriction } from './restriction.ts';

/** Restrictions of one kind of columns, in the order of the columns; one of several columns stands at each of them. */
export class RestrictionSet {
  readonly #byColumn: ReadonlyMap<ColumnSchema, Restriction>;
  /** Each once. */
  readonly all: readonly Restriction[];

  constructor(byColumn: ReadonlyMap<ColumnSchema, Restriction> = new Map()) {
    this.#byColumn = new Map([...byColumn].sort(([left], [right]) => compareColumns(left, right)));
    this.all = [...new Set(this.#byColumn.values())];
  }

  get columns(): readonly ColumnSchema[] {
    return [...this.#byColumn.keys()];
  }

  get size(): number {
    return this.#byColumn.size;
  }

  get last(): Restriction | undefined {
    return [...this.#byColumn.values()].at(-1);
  }

  of(column: ColumnSchema): Restriction | undefined {
    return this.#byColumn.get(column);
  }

  has(kind: Restriction['kind']): boolean {
    return this.all.some((restriction) => restriction.kind === kind);
  }

  get hasOnlyEqualities(): boolean {
    return this.all.every(({ kind }) => kind === 'equal' || kind === 'in');
  }

  /** The column that is restricted next after this one. */
  columnAfter(column: ColumnSchema): ColumnSchema | undefined {
    return this.columns.find((other) => compareColumns(other, column) > 0);
  }

  with(added: Restriction): RestrictionSet {
    const byColumn = new Map(this.#byColumn);
    const known = new Set(added.columns.flatMap((column) => this.#byColumn.get(column) ?? []));
    if (known.size === 0) for (const column of added.columns) byColumn.set(column, added);
    for (const restriction of known) {
      const merged = mergeRestrictions(restriction, added);
      for (const column of [...added.columns, ...merged.columns]) byColumn.set(column, merged);
    }
    return new RestrictionSet(byColumn);
  }
}

function compareColumns(left: ColumnSchema, right: ColumnSchema): number {
  return left.position - right.position || (left.name < right.name ? -1 : Number(left.name > right.name));
}
