import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { type QueryAccess, scansOnly } from '../../execution/nosql/queries/query-access.ts';
import type {
  ItemText,
  OnResult,
  QueryResult,
  QueryRun,
  RunnableQuery,
  SortPosition,
} from '../../execution/nosql/queries/runnable-query.ts';
import { planAccess } from './access/plan-access.ts';
import type { CompiledSelect } from './compile-select.ts';
import { itemSlot } from './compile-sources.ts';
import { computedPropertiesOf } from './computed-properties.ts';
import type { Frame } from './frame.ts';
import { neededTextOf } from './needed-text.ts';
import { PartialGroupsRun } from './partial-groups-run.ts';
import { frameOf, type PreparedQuery } from './prepare-query.ts';
import { printExpression } from './print-sql.ts';
import type { RowRun, SortedRow } from './row-run.ts';
import { runOfAll } from './run-of-all.ts';
import { SelectRun, windowOf } from './select-run.ts';
import type { QueryContext } from './sql-function.ts';
import type { SqlParameters } from './sql-parameters.ts';
import type { SqlQuery } from './sql-query.ts';
import type { SqlValue } from './sql-value.ts';

/** What a query has to know of the container whose items it is about. */
export type QueriedContainer = Pick<ContainerDefinition, 'computedProperties' | 'indexingPolicy'>;

/** A prepared query with its parameters, as execution runs it. */
export function runnableSelect(
  prepared: PreparedQuery,
  parameters: SqlParameters,
  context: QueryContext,
  definition?: QueriedContainer,
): RunnableQuery {
  const { query, select } = prepared;
  const computed = definition?.computedProperties ?? [];
  const frameOfAll = frameOf(prepared, parameters, context);
  const { skipped, taken } = windowOf(select, frameOfAll);
  const isPlain = query.from.length === 1 && query.where === undefined && select.sort.length === 0;
  const { shape } = prepared;
  const isOfStored = computed.length === 0 && !prepared.needsSystemProperties;
  return {
    identity: shape === 'sort' ? identityOfOrder(query) : identityOfText(prepared, parameters),
    shape,
    hasHighRidsFirst: select.sort[0]?.isDescending(frameOfAll) === true,
    readsItems: query.from.length > 0,
    // Of groups nothing is left of the items' own texts.
    givesWholeItems: select.givesWholeItems && shape !== 'groups',
    looksInside: !(isPlain && select.givesWholeItems && !select.isDistinct),
    // What is computed out of an item may be out of any of it.
    paths: computed.length > 0 ? undefined : prepared.paths,
    filterPaths: () => (isOfStored ? prepared.filterPaths() : undefined),
    neededText: computed.length > 0 ? undefined : neededTextOf(query, parameters),
    needsSystemProperties: prepared.needsSystemProperties || computed.length > 0,
    access: accessOf(query, parameters, definition),
    skipped,
    taken,
    start: (capacity, after) => {
      const frame = frameOf(prepared, parameters, context);
      const compute = computed.length === 0 ? undefined : computedPropertiesOf(computed, context);
      const position = after as (SortPosition & { readonly keys: readonly SqlValue[] }) | undefined;
      const run =
        shape === 'parts'
          ? new PartialGroupsRun<Buffer | undefined>(select, frame, capacity)
          : shape === 'stream' || shape === 'sort'
            ? new SelectRun<Buffer | undefined>(select, frame, capacity, position)
            : runOfAll<Buffer | undefined>(select, frame, capacity, position);
      return new SelectQueryRun(prepared, frame, compute, run);
    },
  };
}

function accessOf(
  query: SqlQuery,
  parameters: SqlParameters,
  definition: QueriedContainer | undefined,
): QueryAccess {
  if (definition === undefined) return scansOnly;
  const computedNames = new Set(definition.computedProperties.map(({ name }) => name));
  return planAccess({ query, parameters, policy: definition.indexingPolicy, computedNames });
}

/**
 * A position in an order is one whatever the filter: clients that go on with a sorted query narrow its filter to what they have not
 * seen, and bring the position of the query before that.
 */
function identityOfOrder({ orderBy }: SqlQuery): string {
  return orderBy.map(({ value, direction }) => `${printExpression(value)} ${direction ?? ''}`).join(', ');
}

/** With the shape, where a position of another is no position: groups were once counted in the order in which they were met. */
function identityOfText({ text, shape }: PreparedQuery, parameters: SqlParameters): string {
  const isPlaced = shape === 'groups' || shape === 'parts';
  return JSON.stringify([text, [...parameters], ...(isPlaced ? [shape] : [])]);
}

class SelectQueryRun implements QueryRun {
  readonly #frame: Frame;
  readonly #run: RowRun<Buffer | undefined>;
  readonly #filter: CompiledSelect['filter'];
  readonly #givesUnread: boolean;
  readonly #compute: ((document: unknown) => void) | undefined;
  #joinedRows = 0;
  #text: ItemText | undefined;
  #onResult: OnResult = () => false;
  // Made once, and not for each item.
  readonly #hold: () => Buffer | undefined = () => this.#text?.();
  readonly #onValue = (value: SqlValue): boolean => this.#onResult({ value, text: this.#text });

  constructor(
    { select, query }: PreparedQuery,
    frame: Frame,
    compute: ((document: unknown) => void) | undefined,
    run: RowRun<Buffer | undefined>,
  ) {
    this.#frame = frame;
    this.#compute = compute;
    this.#filter = select.filter;
    this.#givesUnread = select.givesWholeItems && query.where === undefined;
    this.#run = run;
  }

  get joinedRows(): number {
    return this.#joinedRows;
  }

  passes(document: unknown): boolean {
    if (this.#filter === undefined) return true;
    this.#frame.slots[this.#filter.slot] = document as SqlValue;
    return this.#filter.holds(this.#frame) === true;
  }

  add(document: unknown, rid: number, text: ItemText | undefined, onResult: OnResult): boolean {
    if (document === undefined && text !== undefined && this.#givesUnread)
      return onResult({ value: undefined, text });
    this.#compute?.(document);
    this.#frame.slots[itemSlot] = document as SqlValue;
    this.#frame.rowsOfItem = 0;
    this.#text = text;
    this.#onResult = onResult;
    const isEnough = this.#run.addRows(rid, this.#hold, this.#onValue);
    this.#joinedRows += this.#frame.rowsOfItem;
    return isEnough;
  }

  get wanted(): number {
    return this.#run.wanted;
  }

  isSatisfied(): boolean {
    return this.#run.isSatisfied();
  }

  get isTrimmed(): boolean {
    return this.#run.isTrimmed;
  }

  closePage(): void {
    this.#run.closePage();
  }

  finish(onResult: OnResult): boolean {
    return this.#run.finishGroups(
      () => undefined,
      (value) => onResult({ value, text: undefined }),
    );
  }

  sorted(): readonly (QueryResult & SortPosition)[] {
    return this.#run.sorted().map((row: SortedRow<Buffer | undefined>) => {
      const { held } = row;
      return { ...row, text: held === undefined ? undefined : () => held };
    });
  }
}
