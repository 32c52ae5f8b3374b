// A container of a CQL table has a record that says so. It is written with the container and goes with it, so what a crash left between
// the definition and the container can be told from containers that others made.

import type { SystemRecord } from '../../../replication/system-records.ts';

/** One kind of record that says something by being there. */
class Mark {
  readonly kind: string;

  constructor(kind: string) {
    this.kind = kind;
  }

  put(id: string | number): SystemRecord {
    return { kind: this.kind, id: String(id), value: true };
  }

  remove(id: string | number): SystemRecord {
    return { kind: this.kind, id: String(id), value: null };
  }
}

/** By its number. */
export const containerMark: Mark = new Mark('cql-container');

/** By its name: a keyspace that was dropped, whose shared throughput has to be dropped after its tables. */
export const databaseGoneMark: Mark = new Mark('cql-database-gone');
