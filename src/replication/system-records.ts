// Small JSON records that the server keeps about itself: what was set, what was billed. They are rows of the system partition, in
// the same logical partition as the partition maps, so that one transaction can change a map and a record. Nothing is cached
// here: whoever keeps records of a kind reads them once, at the start.

import { assert } from '../foundation/assert.ts';
import { type ByteString, byteStringOf, bytesOf, endOfPrefix } from '../foundation/byte-string.ts';
import { putRows } from '../storage/operation-kinds.ts';
import type { RowWrite } from '../storage/partition-store.ts';
import { systemHome } from './partition-maps.ts';
import type { ReplicatedPartition } from './replicated-partition.ts';
import type { RowReader } from './row-reader.ts';

export interface SystemRecord {
  /** Letters and hyphens. */
  readonly kind: string;
  /** Any text; one record of a kind for each. */
  readonly id: string;
  /** What JSON can hold; null removes the record. */
  readonly value: unknown;
}

export class SystemRecords {
  readonly #system: ReplicatedPartition;
  readonly #reader: RowReader;

  constructor(system: ReplicatedPartition, reader: RowReader) {
    this.#system = system;
    this.#reader = reader;
  }

  /** Values by id, as JSON says them: nothing is known of them yet. */
  async readAll(kind: string): Promise<Map<string, unknown>> {
    const from = prefixOf(kind);
    const to = endOfPrefix(from);
    assert(to !== undefined, 'a prefix of letters has an end');
    const limits = { maxRows: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER, reverse: false };
    const { rows } = await this.#reader.scan(this.#system, { from, to, ...limits });
    return new Map(
      rows.map(({ key, value }) => [
        bytesOf(key.slice(from.length) as ByteString).toString('utf8'),
        JSON.parse(value.toString('utf8')),
      ]),
    );
  }

  /** All of them or none. Resolves when they are committed, however late. */
  put(records: readonly SystemRecord[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#system.transactDurably(systemHome, putRows(rowsOfRecords(records)), resolve, reject);
    });
  }
}

/** For those who write records together with a map. */
export function rowsOfRecords(records: readonly SystemRecord[]): RowWrite[] {
  return records.map(({ kind, id, value }) => ({
    key: `${prefixOf(kind)}${byteStringOf(Buffer.from(id))}` as ByteString,
    value: value === null ? null : Buffer.from(JSON.stringify(value)),
  }));
}

function prefixOf(kind: string): ByteString {
  return `${systemHome.prefix}record/${kind}/` as ByteString;
}
