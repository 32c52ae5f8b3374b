// What a process that is going to be killed has said. Every record is one line, written with a synchronous call: what is
// in the file has left the process, and neither a SIGKILL nor anything the process does later takes it back.

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { RowValues } from '../simulation/reference-model.ts';

export interface JournalTransaction {
  readonly condition: { readonly row: number; readonly expected: string | null } | undefined;
  readonly writes: readonly { readonly row: number; readonly value: string | null }[];
}

export type JournalRecord =
  /** Written before the store is called: what is not here never began. */
  | {
      readonly kind: 'begun';
      readonly id: string;
      readonly subject: number;
      readonly partition: number;
      readonly transaction: JournalTransaction;
    }
  | { readonly kind: 'committed'; readonly id: string; readonly applied: boolean }
  /** Nothing happened. */
  | { readonly kind: 'refused'; readonly id: string; readonly code: string }
  | { readonly kind: 'unknown'; readonly id: string }
  | { readonly kind: 'reading'; readonly id: string; readonly subject: number }
  /** Rows by number; only those that were asked for. */
  | {
      readonly kind: 'read';
      readonly id: string;
      readonly rows: readonly (readonly [row: number, value: string | null])[];
    }
  | { readonly kind: 'map'; readonly version: number; readonly partitions: readonly number[] }
  | { readonly kind: 'changing'; readonly change: string }
  | { readonly kind: 'changed'; readonly change: string; readonly version: number }
  | { readonly kind: 'change-refused'; readonly change: string; readonly code: string }
  | { readonly kind: 'scrubbed'; readonly differences: number; readonly undecided: number }
  /** Every node was up and every replica level, for the first time in this life. */
  | { readonly kind: 'whole' }
  /** The process found something wrong by itself. */
  | { readonly kind: 'violation'; readonly text: string };

export interface Journal {
  write(record: JournalRecord): void;
}

export class JournalFile implements Journal {
  readonly #descriptor: number;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'a');
  }

  write(record: JournalRecord): void {
    writeSync(this.#descriptor, `${JSON.stringify(record)}\n`);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** For a store in the same process. */
export class JournalInMemory implements Journal {
  readonly records: JournalRecord[] = [];

  write(record: JournalRecord): void {
    this.records.push(record);
  }
}

/** A line that a kill cut off was never said. */
export function readJournal(path: string): JournalRecord[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as JournalRecord);
}

export function everyRow(rows: RowValues): (readonly [row: number, value: string | null])[] {
  return rows.map((value, row) => [row, value] as const);
}
