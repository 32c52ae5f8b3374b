import type { Settlement } from '../../src/storage/partition-store.ts';
import { Violation } from './violation.ts';

// What one logical partition may hold, by the plainest means: its transactions in the order of their calls, and a fold
// over them. What is committed is in the fold, what is refused is not. Of what nobody was told about, a beginning may be
// in it and the rest not, since a log keeps a beginning; each possibility is a world, and what is read rules worlds out.

/** The value of each row, null where there is none. */
export type RowValues = readonly (string | null)[];

export interface ModelTransaction {
  /** The writes happen only if this row has this value. */
  readonly condition: { readonly row: number; readonly expected: string | null } | undefined;
  readonly writes: readonly { readonly row: number; readonly value: string | null }[];
}

interface LineEntry {
  readonly serial: number;
  readonly transaction: ModelTransaction;
  /** The physical partition it was sent to. */
  readonly address: string;
  /** Nobody has been told anything of it yet. */
  isPending: boolean;
  /** Refused or moved: it never was. */
  isVoid: boolean;
  /** Reported, and so fixed, whatever the model would say of the condition. */
  applied: boolean | undefined;
}

interface World {
  /** What there was before the first transaction of the line. */
  readonly base: RowValues;
  /** The transactions of earlier lives that are in the base and whose outcome was never told. */
  readonly kept: ReadonlySet<number>;
  /** So many transactions of the line are known to be in. */
  through: number;
  /** After so many transactions of the line; made when asked for. */
  states: RowValues[];
}

/** What may be seen by a read that began now. */
export type ReadTicket = readonly { readonly world: World; readonly through: number }[];

/** More worlds than this are not told apart by what became of old transactions any more. */
const maxWorlds = 512;

export class LogicalPartitionModel {
  readonly #name: string;
  #worlds: World[];
  #line: LineEntry[] = [];
  #nextSerial = 0;
  /** Serials of earlier lives that may still be asked for. */
  readonly #open = new Set<number>();
  /** Rows that a replica is known to have lost without a trace: what is read of them says nothing until a scrub. */
  readonly #excused = new Set<number>();

  constructor(name: string, rowCount: number) {
    this.#name = name;
    this.#worlds = [world(new Array<string | null>(rowCount).fill(null), new Set())];
  }

  get worldCount(): number {
    return this.#worlds.length;
  }

  get hasExcuses(): boolean {
    return this.#excused.size > 0;
  }

  /** A likely value of the row, to make conditions from. */
  guess(row: number): string | null {
    const [first] = this.#worlds;
    return (first && this.#stateOf(first, this.#line.length)[row]) ?? null;
  }

  /** In the order of the calls to the store. */
  begin(transaction: ModelTransaction, address = 'the only one'): number {
    const serial = this.#nextSerial++;
    this.#line.push({ serial, transaction, address, isPending: true, isVoid: false, applied: undefined });
    return serial;
  }

  refused(serial: number): void {
    const at = this.#placeOf(serial);
    if (at >= 0) this.#makeVoid(at);
  }

  committed(serial: number, applied: boolean): void {
    const at = this.#placeOf(serial);
    const entry = this.#line[at];
    if (entry === undefined) return;
    if (entry.isVoid) throw this.#outOfOrder(serial);
    entry.isPending = false;
    // Commits are told in order. What was called earlier and is not told by now waits at a partition that has ended.
    for (let earlier = 0; earlier < at; earlier++)
      if (this.#line[earlier]?.isPending) this.#makeVoid(earlier);
    this.#judgeCondition(entry, at, applied);
    for (const each of this.#worlds) each.through = Math.max(each.through, at + 1);
  }

  #judgeCondition(entry: LineEntry, at: number, applied: boolean): void {
    const { condition } = entry.transaction;
    if (condition === undefined) return;
    if (this.#excused.has(condition.row)) {
      entry.applied = applied;
      this.#forgetStates(at + 1);
      return;
    }
    this.#keepWorlds(
      'a conditional write applies if and only if its condition holds',
      `${this.#name}: row ${condition.row} expected ${condition.expected}, answer ${applied}`,
      (each) => (this.#stateOf(each, at)[condition.row] === condition.expected) === applied,
    );
  }

  #makeVoid(at: number): void {
    const entry = this.#line[at];
    if (entry === undefined) return;
    entry.isPending = false;
    entry.isVoid = true;
    this.#forgetStates(at + 1);
  }

  #forgetStates(from: number): void {
    for (const each of this.#worlds) each.states.length = Math.min(each.states.length, from);
  }

  #outOfOrder(serial: number): Violation {
    return new Violation(
      'transactions on a logical partition happen in the order of their calls',
      `${this.#name}: transaction ${serial} was told after a later one had committed`,
    );
  }

  /** Its outcome was reported as unknown, and it may be asked for. */
  mayBeAskedFor(serial: number): void {
    const entry = this.#line[this.#placeOf(serial)];
    if (entry?.isVoid) throw this.#outOfOrder(serial);
    if (entry !== undefined) entry.isPending = false;
    this.#open.add(serial);
  }

  settled(serial: number, settlement: Settlement): void {
    if (settlement === 'undecided') return;
    const seen = `${this.#name}: transaction ${serial} was settled as ${settlement}`;
    const at = this.#placeOf(serial);
    if (at >= 0) {
      if (settlement === 'dropped')
        throw new Violation('nothing is taken back while the process lives', seen);
      for (const each of this.#worlds) each.through = Math.max(each.through, at + 1);
    } else {
      this.#keepWorlds(
        'a settlement agrees with what was read',
        seen,
        (each) => each.kept.has(serial) === (settlement === 'kept'),
      );
      this.#open.delete(serial);
    }
  }

  readBegins(): ReadTicket {
    return this.#worlds.map((each) => ({ world: each, through: each.through }));
  }

  /**
   * Rows that were seen at one moment. With `forGood`, whoever reads from now on sees at least as much; a replica set
   * that is short of three may show what a later one does not keep.
   */
  seen(ticket: ReadTicket, rows: ReadonlyMap<number, string | null>, forGood: boolean): void {
    const firstMatches = new Map<World, number>();
    for (const { world: each, through } of ticket) {
      if (!this.#worlds.includes(each)) continue;
      for (let length = through; length <= this.#line.length; length++) {
        if (this.#agrees(this.#stateOf(each, length), rows)) {
          firstMatches.set(each, length);
          break;
        }
      }
    }
    if (firstMatches.size === 0) {
      throw new Violation('what is committed is read, whole, and nothing else is', this.#describe(rows));
    }
    if (!forGood) return;
    this.#worlds = this.#worlds.filter((each) => firstMatches.has(each));
    for (const each of this.#worlds) each.through = Math.max(each.through, firstMatches.get(each) ?? 0);
  }

  /** The process has died. Of what was under way at each physical partition, every beginning is possible. */
  restart(): void {
    const worlds: World[] = [];
    for (const each of this.#worlds) {
      const known = this.#line.slice(0, each.through);
      for (const kept of beginnings(this.#line.slice(each.through).filter(({ isVoid }) => !isVoid))) {
        worlds.push(this.#worldAfter(each, [...known, ...kept]));
      }
    }
    this.#worlds = worlds;
    this.#line = [];
    this.#mergeWorlds();
    if (this.#worlds.length > maxWorlds) {
      this.#open.clear();
      this.#mergeWorlds();
    }
  }

  #worldAfter(each: World, line: readonly LineEntry[]): World {
    const kept = new Set([...each.kept].filter((serial) => this.#open.has(serial)));
    let state = each.base;
    for (const entry of line) {
      if (entry.isVoid) continue;
      state = after(state, entry);
      if (this.#open.has(entry.serial)) kept.add(entry.serial);
    }
    return world(state, kept);
  }

  excuse(row: number): void {
    this.#excused.add(row);
  }

  /** A scrub has compared the replicas since. */
  endExcuses(): void {
    this.#excused.clear();
  }

  #placeOf(serial: number): number {
    return this.#line.findIndex((entry) => entry.serial === serial);
  }

  #stateOf(each: World, length: number): RowValues {
    for (let at = each.states.length; at <= length; at++) {
      const before = each.states[at - 1] ?? each.base;
      const entry = this.#line[at - 1];
      each.states.push(entry === undefined || entry.isVoid ? before : after(before, entry));
    }
    return each.states[length] ?? each.base;
  }

  #agrees(state: RowValues, rows: ReadonlyMap<number, string | null>): boolean {
    for (const [row, value] of rows) if (state[row] !== value && !this.#excused.has(row)) return false;
    return true;
  }

  #keepWorlds(rule: string, seen: string, isPossible: (each: World) => boolean): void {
    const possible = this.#worlds.filter(isPossible);
    if (possible.length === 0) throw new Violation(rule, seen);
    this.#worlds = possible;
  }

  /** Worlds that no observation could tell apart are one. Only between two lives, since tickets point at worlds. */
  #mergeWorlds(): void {
    const distinct = new Map<string, World>();
    for (const each of this.#worlds) {
      const kept = [...each.kept].filter((serial) => this.#open.has(serial));
      const key = JSON.stringify([each.base, kept]);
      if (!distinct.has(key)) distinct.set(key, world(each.base, new Set(kept)));
    }
    this.#worlds = [...distinct.values()];
  }

  #describe(rows: ReadonlyMap<number, string | null>): string {
    const read = [...rows].map(([row, value]) => `${row}=${value}`).join(' ');
    const possible = this.#worlds.slice(0, 4).map((each) => {
      const states = [];
      for (let length = each.through; length <= this.#line.length; length++) {
        const state = this.#stateOf(each, length);
        states.push([...rows.keys()].map((row) => `${row}=${state[row]}`).join(' '));
      }
      return `{${[...new Set(states)].join(' | ')}}`;
    });
    return `${this.#name} read ${read}; possible: ${possible.join(' or ')}`;
  }
}

function world(base: RowValues, kept: ReadonlySet<number>): World {
  return { base, kept, through: 0, states: [base] };
}

/** Every way to keep a beginning of what was sent to each physical partition, in the order of the calls. */
function beginnings(entries: readonly LineEntry[]): LineEntry[][] {
  let found: LineEntry[][] = [[]];
  for (const address of new Set(entries.map((entry) => entry.address))) {
    const sent = entries.filter((entry) => entry.address === address);
    const lengths = Array.from({ length: sent.length + 1 }, (_, length) => sent.slice(0, length));
    found = found.flatMap((others) => lengths.map((kept) => [...others, ...kept]));
  }
  return found;
}

function after(before: RowValues, { transaction, applied }: LineEntry): RowValues {
  const { condition, writes } = transaction;
  const applies = applied ?? (condition === undefined || before[condition.row] === condition.expected);
  if (!applies) return before;
  const state = [...before];
  for (const { row, value } of writes) state[row] = value;
  return state;
}
