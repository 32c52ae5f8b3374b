import assert from 'node:assert/strict';
import { LogicalPartitionModel, type ReadTicket } from '../simulation/reference-model.ts';
import type { JournalRecord } from './crash-journal.ts';
import { rowsPerSubject, subjectCount } from './crash-load.ts';

/**
 * Holds what processes said before they were killed against what later ones read. Every life is one journal: what it
 * reports as committed must be read whole ever after, what was under way may be there or not, but whole, and what was
 * read once stays.
 */
export class CrashModel {
  readonly #subjects: LogicalPartitionModel[];
  readonly #underWay = new Map<string, { subject: LogicalPartitionModel; serial: number }>();
  readonly #reading = new Map<string, { subject: LogicalPartitionModel; ticket: ReadTicket }>();
  #mapVersion = 0;
  readonly counts = { committed: 0, refused: 0, unknown: 0, inFlight: 0, read: 0, changes: 0 };

  constructor() {
    this.#subjects = Array.from(
      { length: subjectCount },
      (_, subject) => new LogicalPartitionModel(`subject ${subject}`, rowsPerSubject),
    );
  }

  /** One life, from its start to its death or stop. Throws a Violation, or an assertion, where a promise was broken. */
  replay(records: readonly JournalRecord[]): void {
    let at = 0;
    try {
      for (; at < records.length; at++) this.#take(records[at] as JournalRecord);
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error);
      throw new Error(`${found}\n${storyOf(records, at)}`, { cause: error });
    }
    this.counts.inFlight += this.#underWay.size;
    this.#underWay.clear();
    this.#reading.clear();
    for (const subject of this.#subjects) subject.restart();
  }

  #take(record: JournalRecord): void {
    switch (record.kind) {
      case 'begun': {
        const subject = this.#subject(record.subject);
        const { condition, writes } = record.transaction;
        const serial = subject.begin({ condition, writes }, String(record.partition));
        this.#underWay.set(record.id, { subject, serial });
        return;
      }
      case 'committed': {
        const { subject, serial } = take(this.#underWay, record.id);
        subject.committed(serial, record.applied);
        this.counts.committed++;
        return;
      }
      case 'refused': {
        const { subject, serial } = take(this.#underWay, record.id);
        subject.refused(serial);
        this.counts.refused++;
        return;
      }
      case 'unknown': {
        const { subject, serial } = take(this.#underWay, record.id);
        subject.mayBeAskedFor(serial);
        this.counts.unknown++;
        return;
      }
      case 'reading': {
        const subject = this.#subject(record.subject);
        this.#reading.set(record.id, { subject, ticket: subject.readBegins() });
        return;
      }
      case 'read': {
        const { subject, ticket } = take(this.#reading, record.id);
        subject.seen(ticket, new Map(record.rows), true);
        this.counts.read++;
        return;
      }
      case 'map':
        assert.ok(
          record.version >= this.#mapVersion,
          `the map went back from ${this.#mapVersion} to ${record.version}`,
        );
        this.#mapVersion = record.version;
        return;
      case 'changed':
        this.#mapVersion = Math.max(this.#mapVersion, record.version);
        this.counts.changes++;
        return;
      case 'scrubbed':
        assert.deepEqual(record, { kind: 'scrubbed', differences: 0, undecided: 0 });
        return;
      case 'violation':
        throw new Error(record.text);
      case 'changing':
      case 'change-refused':
      case 'whole':
    }
  }

  #subject(index: number): LogicalPartitionModel {
    const subject = this.#subjects[index];
    assert.ok(subject !== undefined, `there is no subject ${index}`);
    return subject;
  }
}

function take<T>(map: Map<string, T>, id: string): T {
  const found = map.get(id);
  assert.ok(found !== undefined, `${id} ends once, after it began`);
  map.delete(id);
  return found;
}

/** What the journal says of the same logical partition shortly before, and of the map: what one looks for first. */
function storyOf(records: readonly JournalRecord[], at: number): string {
  const subjects = new Map<string, number>();
  for (const record of records) if ('subject' in record) subjects.set(record.id, record.subject);
  const subjectOf = (record: JournalRecord | undefined) =>
    record !== undefined && 'id' in record ? subjects.get(record.id) : undefined;
  const about = subjectOf(records[at]);
  return records
    .slice(0, at + 1)
    .filter(
      (record) => record.kind.startsWith('chang') || (about !== undefined && subjectOf(record) === about),
    )
    .slice(-40)
    .map((record) => JSON.stringify(record))
    .join('\n');
}
