import type { Evaluate, Frame } from './frame.ts';
import { sqlError } from './sql-error.ts';
import type { Span, SqlQuery } from './sql-query.ts';
import type { SqlValue } from './sql-value.ts';

/** Gives each row of a query to `onRow`, until that answers true; answers whether it did. */
export type RunRows = (frame: Frame, onRow: (value: SqlValue) => boolean) => boolean;

/** `isOuter` is one that FROM begins with: in it an unknown name stands for the container, too. */
export type CompileSubquery = (query: SqlQuery, scope: Scope, isOuter: boolean) => RunRows;

/** The slots and parameters of a whole query, with all its sub-queries. */
export class QueryLayout {
  readonly compileSubquery: CompileSubquery;
  readonly #parameters: string[] = [];
  #slots = 0;

  constructor(compileSubquery: CompileSubquery) {
    this.compileSubquery = compileSubquery;
  }

  get slotCount(): number {
    return this.#slots;
  }

  get parameterNames(): readonly string[] {
    return this.#parameters;
  }

  newSlot(): number {
    return this.#slots++;
  }

  parameterIndex(name: string): number {
    const known = this.#parameters.indexOf(name);
    return known >= 0 ? known : this.#parameters.push(name) - 1;
  }
}

/** The names that an expression may use, from its own query and from those round it. */
export class Scope {
  readonly layout: QueryLayout;
  readonly #parent: Scope | undefined;
  readonly #names = new Map<string, number>();
  /** What stands for an expression, by its printed text, once rows have been grouped; undefined before that. */
  #grouped: ReadonlyMap<string, Evaluate> | undefined;

  constructor(layout: QueryLayout, parent?: Scope) {
    this.layout = layout;
    this.#parent = parent;
  }

  get isGrouped(): boolean {
    return this.#grouped !== undefined;
  }

  /** Aliases of one query are all different. */
  declare(name: string, span: Span): number {
    if (this.#names.has(name)) {
      throw sqlError(
        'SC2011',
        `The input alias '${name}' is specified more than once in the FROM clause.`,
        span,
      );
    }
    const slot = this.layout.newSlot();
    this.#names.set(name, slot);
    return slot;
  }

  slotOf(name: string): number | undefined {
    return this.#names.get(name) ?? this.#parent?.slotOf(name);
  }

  /** Whether the name is one of this query's own rows, which grouping has put out of reach. */
  isHidden(name: string): boolean {
    return this.#names.has(name) && this.isGrouped;
  }

  afterGrouping(replacements: ReadonlyMap<string, Evaluate>): void {
    this.#grouped = replacements;
  }

  replacementFor(printed: string): Evaluate | undefined {
    return this.#grouped?.get(printed);
  }
}
