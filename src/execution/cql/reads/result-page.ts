// Fills one page of a result, row by row, whoever walks through the rows: filters, limits, groups, DISTINCT, static columns, and where
// the page ends. A page may end before it has all that was asked for (bytes, work), and then has a position to go on from.

import { invalidRequest } from '../../../errors/invalid-request.ts';
import { type ByteString, emptyBytes } from '../../../foundation/byte-string.ts';
import type { ReadRow } from '../read-row.ts';
import type { PlainRows } from './plain-rows.ts';
import { noLimit, onePage, type PageLimits, type ReadPlan } from './read-plan.ts';
import { matches } from './row-filter.ts';
import type { RowPlace } from './row-place.ts';

/** Where a page ended: behind a row, or behind all of a partition. */
export interface ReadPosition {
  readonly prefix: ByteString;
  readonly clusteringKey: ByteString | undefined;
  readonly rowsLeft: number;
  readonly rowsLeftInPartition: number;
}

/** Whether the walk goes on, leaves the rest of the partition out, or ends. */
export type Step = 'next' | 'next-partition' | 'end';

export class ResultPage {
  readonly #plan: ReadPlan;
  readonly #limits: PageLimits;
  readonly #whenGiven: ((valueBytes: number) => void) | undefined;
  /** Where rows go as they are, if nothing is made of them. */
  readonly #plain: PlainRows | undefined;
  #count = 0;
  readonly #rows: (Buffer | null)[][] = [];
  readonly #sortKeys: ByteString[] = [];
  #rowsLeft: number;
  #rowsLeftInPartition: number;
  #bytes = 0;
  #examined = 0;
  #prefix: ByteString = emptyBytes;
  #group: ByteString | undefined;
  #hasGroup = false;
  /** Of the row that was added to the group last: where a page that ends with the group ends. */
  #lastOfGroup: ByteString = emptyBytes;
  #groupSortKey: ByteString = emptyBytes;
  #isEnded = false;
  #end: ReadPosition | undefined;

  constructor(
    plan: ReadPlan,
    limits: PageLimits,
    after: ReadPosition | undefined,
    whenGiven?: (valueBytes: number) => void,
    plain?: PlainRows,
  ) {
    this.#plan = plan;
    this.#plain = plain;
    this.#whenGiven = whenGiven;
    // What comes together into one row is never cut, nor is what must be sorted first.
    const isWhole = plan.grouping === 'everything' || plan.sortKeyOf !== undefined;
    // A client that limits itself to a page expects all of it there.
    const isOnePage = plan.limit <= limits.rows;
    this.#limits = isWhole ? onePage : isOnePage ? { ...limits, examined: onePage.examined } : limits;
    this.#rowsLeft = after?.rowsLeft ?? (isWhole ? noLimit : plan.limit);
    this.#rowsLeftInPartition = after?.rowsLeftInPartition ?? plan.perPartitionLimit;
    if (after !== undefined) this.#prefix = after.prefix;
  }

  get examined(): number {
    return this.#examined;
  }

  /** How many more rows could be in the page, if all that come are. */
  get room(): number {
    if (typeof this.#plan.grouping === 'function') return noLimit;
    return Math.min(this.#rowsLeft, this.#limits.rows - this.#count);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Before the first row of a partition; not again for one that the page before ended in. The row has its key and static columns. */
  beginPartition(prefix: ByteString): void {
    if (prefix === this.#prefix) return;
    this.#prefix = prefix;
    this.#rowsLeftInPartition = this.#plan.perPartitionLimit;
  }

  /** Whether the partition's key and static columns are such that its rows can be in the result. */
  wantsPartition(row: ReadRow): boolean {
    const { filter } = this.#plan;
    return filter === undefined || matches(filter.ofPartitions, row);
  }

  /** A stored row that is not there any more: it was looked at all the same. */
  skip(place: RowPlace): Step {
    this.#examined++;
    // In the midst of a group there is no place to go on from.
    return typeof this.#plan.grouping === 'function' ? 'next' : this.#endIfFull(place);
  }

  offer(row: ReadRow, place: RowPlace): Step {
    const { filter, grouping } = this.#plan;
    if (filter !== undefined && !matches(filter.ofRows, row)) return this.skip(place);
    if (grouping !== undefined) return this.#addToGroup(row, place);
    this.#give(row);
    return this.#goOn(place);
  }

  /** After the last row of a partition. `hasStatics`: its row, with no clustering values, may be all that it has. */
  endPartition(row: ReadRow, hasStatics: boolean): Step {
    if (this.#isEnded) return 'end';
    const plan = this.#plan;
    if (hasStatics && plan.showsStaticsAlone && this.#isUntouched()) return this.#offerStatics(row);
    if (typeof plan.grouping === 'function') {
      this.#endGroup(undefined);
      return this.#isEnded ? 'end' : 'next';
    }
    // Partitions of which nothing is shown are work too.
    this.#examined++;
    return this.#endIfFull(undefined);
  }

  /** After the last partition, or the last step that was 'end'. */
  finish(): {
    /** Empty if they are in the plain rows. */
    readonly rows: (Buffer | null)[][];
    readonly position: ReadPosition | undefined;
  } {
    const { grouping, selection, limit } = this.#plan;
    if (grouping === 'everything') {
      this.#rows.push(selection.takeGroup());
    } else if (this.#hasGroup && !this.#isEnded) {
      this.#endGroup(undefined);
    }
    const rows = this.#plan.sortKeyOf === undefined ? this.#rows : this.#sorted().slice(0, limit);
    return { rows, position: this.#end };
  }

  #offerStatics(row: ReadRow): Step {
    const { grouping, selection } = this.#plan;
    if (grouping !== undefined) {
      selection.add(row);
      if (grouping === 'everything') {
        this.#rowsLeftInPartition--;
        return 'next';
      }
      this.#hasGroup = true;
      // It is known to be all of the partition.
      this.#rowsLeftInPartition = 1;
      this.#endGroup(undefined);
      return this.#isEnded ? 'end' : 'next';
    }
    this.#give(row);
    return this.#endIfFull(undefined);
  }

  /** No row of the partition was in the result, on this page or the one before. */
  #isUntouched(): boolean {
    return this.#rowsLeftInPartition === this.#plan.perPartitionLimit && !this.#hasGroup;
  }

  #addToGroup(row: ReadRow, place: RowPlace): Step {
    const { grouping, selection } = this.#plan;
    if (typeof grouping !== 'function') {
      selection.add(row);
      this.#rowsLeftInPartition--;
      this.#examined++;
      return this.#plan.isDistinct ? 'next-partition' : 'next';
    }
    const group = grouping(row);
    if (this.#hasGroup && group !== this.#group) {
      const lastOfGroup = this.#lastOfGroup;
      const step = this.#endGroup({ clusteringKey: () => lastOfGroup });
      if (step !== 'next') return step;
    }
    if (!this.#hasGroup) {
      this.#group = group;
      this.#hasGroup = true;
      this.#groupSortKey = this.#plan.sortKeyOf?.(row) ?? emptyBytes;
    }
    selection.add(row);
    this.#lastOfGroup = place.clusteringKey();
    this.#examined++;
    return this.#plan.isDistinct ? this.#endGroup(undefined) : 'next';
  }

  /** The group is whole: only now may the page end. */
  #endGroup(place: RowPlace | undefined): Step {
    if (!this.#hasGroup) return 'next';
    this.#hasGroup = false;
    const values = this.#plan.selection.takeGroup();
    this.#rows.push(values);
    this.#sortKeys.push(this.#groupSortKey);
    this.#countGiven(bytesOnWire(values), values.length);
    this.#rowsLeft--;
    this.#rowsLeftInPartition--;
    return this.#goOn(place);
  }

  /** After a row or a group was given: the next may be of this partition, or only of another one. */
  #goOn(place: RowPlace | undefined): Step {
    const isPartitionDone = this.#plan.isDistinct || this.#rowsLeftInPartition <= 0;
    if (this.#endIfFull(isPartitionDone ? undefined : place) === 'end') return 'end';
    return isPartitionDone ? 'next-partition' : 'next';
  }

  #give(row: ReadRow): void {
    const plain = this.#plain;
    if (plain !== undefined) {
      this.#countGiven(plain.add(), plain.columnCount);
    } else {
      const values = this.#plan.selection.rowOf(row);
      this.#rows.push(values);
      if (this.#plan.sortKeyOf !== undefined) this.#sortKeys.push(this.#plan.sortKeyOf(row));
      this.#countGiven(bytesOnWire(values), values.length);
    }
    this.#rowsLeft--;
    this.#rowsLeftInPartition--;
    this.#examined++;
  }

  #countGiven(wireBytes: number, valueCount: number): void {
    this.#count++;
    this.#bytes += wireBytes;
    if (this.#bytes > largestAnswerBytes)
      throw invalidRequest(`The result is larger than ${largestAnswerBytes} bytes: read it in pages`);
    this.#whenGiven?.(wireBytes - lengthBytes * valueCount);
  }

  /** Here the page may end: behind this row, or behind all of the partition. */
  #endIfFull(place: RowPlace | undefined): Step {
    if (this.#rowsLeft <= 0) {
      this.#isEnded = true;
      return 'end';
    }
    const { rows, bytes, examined } = this.#limits;
    // Many clients look at the first page only, so one without a row is given only where there is none.
    const isTired = this.#count > 0 && this.#examined >= examined;
    if (this.#count < rows && this.#bytes < bytes && !isTired) return 'next';
    this.#isEnded = true;
    this.#end = {
      prefix: this.#prefix,
      clusteringKey: place?.clusteringKey(),
      rowsLeft: this.#rowsLeft,
      rowsLeftInPartition: this.#rowsLeftInPartition,
    };
    return 'end';
  }

  #sorted(): (Buffer | null)[][] {
    const order = this.#rows.map((row, at) => ({ row, key: this.#sortKeys[at] ?? emptyBytes }));
    const sign = this.#plan.isReversed ? -1 : 1;
    order.sort((left, right) => sign * (left.key < right.key ? -1 : Number(left.key > right.key)));
    return order.map(({ row }) => row);
  }
}

/** What a frame of the protocol can hold; also what one read may keep in memory. */
const largestAnswerBytes = 256 * 2 ** 20;

/** Of a value's length on the wire. */
const lengthBytes = 4;

function bytesOnWire(values: readonly (Buffer | null)[]): number {
  let bytes = 0;
  for (const value of values) bytes += lengthBytes + (value === null ? 0 : value.length);
  return bytes;
}
