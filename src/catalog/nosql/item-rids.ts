import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { SystemRecord, SystemRecords } from '../../replication/system-records.ts';

const kind = 'nosql-item-rids';

/** As many as are lost when the server is killed; and as many as are given out for one write of the bound. */
const blockSize = 8_192;

interface Counter {
  next: number;
  /** What is below it may be given out: it has been written. */
  bound: number;
  /** While the bound is being raised. */
  raising: Promise<void> | undefined;
}

/**
 * The numbers of items, for each container by itself. They rise, and none is given out twice, also after a crash: a bound above them is
 * written before they are used, and after a start they go on from it.
 */
export class ItemRids {
  readonly #records: Pick<SystemRecords, 'put'>;
  readonly #counters = new Map<number, Counter>();

  private constructor(records: Pick<SystemRecords, 'put'>) {
    this.#records = records;
  }

  /** Those that have a record, whether there still is such a container or not. */
  containers(): readonly number[] {
    return [...this.#counters.keys()];
  }

  static async load(records: Pick<SystemRecords, 'put' | 'readAll'>): Promise<ItemRids> {
    const rids = new ItemRids(records);
    for (const [container, bound] of await records.readAll(kind))
      rids.#add(Number(container), Number(bound), Number(bound));
    return rids;
  }

  /** Written together with the container. */
  static recordOf(container: number): SystemRecord {
    return { kind, id: String(container), value: blockSize };
  }

  /** Removed together with the container. */
  static noRecordOf(container: number): SystemRecord {
    return { kind, id: String(container), value: null };
  }

  /** For who has written the record of a new container. */
  adopt(container: number): void {
    this.#add(container, 1, blockSize);
  }

  forget(container: number): void {
    this.#counters.delete(container);
  }

  next(container: number): number | Promise<number> {
    const counter = this.#counters.get(container);
    if (counter === undefined) throw new RingfoldError('container-not-found', { container });
    // Early enough that hardly anybody has to wait for it.
    if (counter.bound - counter.next < blockSize / 2 && counter.raising === undefined)
      this.#raise(container, counter);
    return counter.next < counter.bound ? counter.next++ : this.#nextAfter(counter.raising, container);
  }

  async #nextAfter(raising: Promise<void> | undefined, container: number): Promise<number> {
    await raising;
    return this.next(container);
  }

  #add(container: number, next: number, bound: number): void {
    this.#counters.set(container, { next, bound, raising: undefined });
  }

  #raise(container: number, counter: Counter): void {
    const bound = Math.max(counter.bound, counter.next) + blockSize;
    const raising = this.#records.put([{ kind, id: String(container), value: bound }]).then(
      () => {
        counter.bound = bound;
        counter.raising = undefined;
      },
      (error) => {
        counter.raising = undefined;
        throw error;
      },
    );
    // Whoever waits for it is told; if nobody does, the next one who needs a number tries again.
    raising.catch(() => {});
    counter.raising = raising;
  }
}
