// What exists for CQL clients, and the one way to change it. What is in memory here has been written. Changes come one after another;
// each is made from what the one before it left, written as a whole, and then everybody sees it at once.

import type { Random } from '../../foundation/random.ts';
import type { SystemRecord, SystemRecords } from '../../replication/system-records.ts';
import { withAccompanying } from './accompanying-changes.ts';
import type { CqlSchema, Keyspace, SchemaChange } from './cql-schema.ts';
import { recordsOfDifference } from './schema-difference.ts';
import { decodeDefinitions, recordKinds } from './schema-records.ts';
import { randomUuid } from './uuid.ts';

export interface CqlCatalogParts {
  readonly records: SystemRecords;
  /** Those that the server makes itself: `system`, `system_schema` and their like. */
  readonly virtualKeyspaces: readonly Keyspace[];
  readonly random: Random;
}

/** A schema that may come, and what has to be written for it. */
export interface StagedSchema {
  readonly schema: CqlSchema;
  /** Empty when nothing would be another. */
  readonly records: readonly SystemRecord[];
}

const versionId = 'version';

export class CqlCatalog {
  readonly #parts: CqlCatalogParts;
  readonly #listeners: ((change: SchemaChange) => void)[] = [];
  #schema: CqlSchema;
  #lastTurn: Promise<unknown> = Promise.resolve();

  private constructor(parts: CqlCatalogParts, schema: CqlSchema) {
    this.#parts = parts;
    this.#schema = schema;
  }

  /** @public */
  static async load(parts: CqlCatalogParts): Promise<CqlCatalog> {
    const { records, virtualKeyspaces, random } = parts;
    const [keyspace, table, type, versions] = await Promise.all([
      records.readAll(recordKinds.keyspace),
      records.readAll(recordKinds.table),
      records.readAll(recordKinds.type),
      records.readAll(recordKinds.version),
    ]);
    const known = versions.get(versionId) as string | undefined;
    const version = known ?? randomUuid(random);
    // Of a new cluster too: clients must find it unchanged after a restart.
    if (known === undefined) await records.put([versionRecord(version)]);
    const stored = decodeDefinitions({ keyspace, table, type });
    const virtual = virtualKeyspaces.map((each) => [each.name, each] as const);
    return new CqlCatalog(parts, { version, keyspaces: new Map([...virtual, ...stored]) });
  }

  /** As of now; virtual keyspaces included. */
  get schema(): CqlSchema {
    return this.#schema;
  }

  /** Told of every change, in the same instant in which `schema` is the new one. TRUNCATE is none, though the table is another. */
  whenChanged(listener: (change: SchemaChange) => void): void {
    this.#listeners.push(listener);
  }

  /** Runs when all changes before it are over, whether they succeeded or not. */
  inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(change);
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  /** For who is in turn. The version becomes another, unless clients are not to notice. */
  stage(keyspaces: ReadonlyMap<string, Keyspace>, versioning: 'new-version' | 'same-version'): StagedSchema {
    const records = recordsOfDifference(this.#schema.keyspaces, keyspaces);
    if (records.length === 0) return { schema: this.#schema, records };
    if (versioning === 'same-version') return { schema: { ...this.#schema, keyspaces }, records };
    const version = randomUuid(this.#parts.random);
    return { schema: { version, keyspaces }, records: [...records, versionRecord(version)] };
  }

  /** For who is in turn, once the records of the schema have been written. */
  adopt(schema: CqlSchema, change: SchemaChange | undefined): void {
    const before = this.#schema;
    this.#schema = schema;
    const told = change === undefined ? [] : withAccompanying(before, schema, change);
    for (const each of told) for (const listener of this.#listeners) listener(each);
  }
}

function versionRecord(version: string): SystemRecord {
  return { kind: recordKinds.version, id: versionId, value: version };
}
