import { createHash } from 'node:crypto';
import type { ColumnSpec } from '../../execution/cql/column-spec.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import type { PreparedStatement } from '../../language/cql/prepared-statement.ts';
import type { StatementTraits } from '../../language/cql/statement-traits.ts';
import { printTypeClass } from '../../values/cql-type-class.ts';
import { ResultMetadata } from './messages/result-metadata.ts';

/** A statement with all that its answers repeat. It stays when it is prepared anew: clients know it by its id. */
export class KnownStatement {
  readonly id: ByteString;
  readonly text: string;
  /** In which names without a keyspace are looked up; undefined where none are, or none was set. */
  readonly keyspace: string | undefined;
  readonly traits: StatementTraits;
  /** An estimate of the memory it holds. */
  readonly sizeBytes: number;
  #prepared: PreparedStatement;
  #resultMetadata: ResultMetadata | undefined;
  #resultMetadataId: ByteString;
  /** Some clients may have other columns in mind: those of version 4 and before have no way to say which. */
  #mayBeMistaken = false;
  /** Its columns are others than clients were told: they must prepare it anew. */
  isOutdated = false;
  /** Used since the last search for one to forget. */
  isRecent = false;

  constructor(
    id: ByteString,
    text: string,
    keyspace: string | undefined,
    traits: StatementTraits,
    prepared: PreparedStatement,
  ) {
    this.id = id;
    this.text = text;
    this.keyspace = keyspace;
    this.traits = traits;
    this.#prepared = prepared;
    this.#resultMetadata = metadataOf(prepared);
    this.#resultMetadataId = idOfColumns(prepared.resultColumns ?? []);
    const { variables, resultColumns = [] } = prepared;
    this.sizeBytes = 1_000 + 2 * text.length + 200 * (variables.length + resultColumns.length);
  }

  get prepared(): PreparedStatement {
    return this.#prepared;
  }

  /** Undefined where the columns are known only when it has run. */
  get resultMetadata(): ResultMetadata | undefined {
    return this.#resultMetadata;
  }

  get resultMetadataId(): ByteString {
    return this.#resultMetadataId;
  }

  get mayBeMistaken(): boolean {
    return this.#mayBeMistaken;
  }

  /** Whether clients that know the old one can use the new one as it is. */
  isLike(prepared: PreparedStatement): boolean {
    return (
      areEqual(this.#prepared.variables, prepared.variables) &&
      areEqual(this.#prepared.resultColumns ?? [], prepared.resultColumns ?? [])
    );
  }

  renew(prepared: PreparedStatement): void {
    if (!this.isLike(prepared)) {
      this.#mayBeMistaken = true;
      this.#resultMetadata = metadataOf(prepared);
      this.#resultMetadataId = idOfColumns(prepared.resultColumns ?? []);
    } else if (this.#prepared.resultColumns !== prepared.resultColumns) {
      this.#resultMetadata = metadataOf(prepared);
    }
    this.#prepared = prepared;
    this.isOutdated = false;
  }
}

function metadataOf({ resultColumns }: PreparedStatement): ResultMetadata | undefined {
  return resultColumns === undefined ? undefined : new ResultMetadata(resultColumns);
}

/** As Cassandra makes it, so that clients see the same before and after they move. */
export function idOfColumns(columns: readonly ColumnSpec[]): ByteString {
  const hash = createHash('md5');
  for (const { name, type } of columns) hash.update(`${name}\0${printTypeClass(type)}\0\0`);
  return hash.digest('binary') as ByteString;
}

function areEqual(columns: readonly ColumnSpec[], others: readonly ColumnSpec[]): boolean {
  if (columns === others) return true;
  return columns.length === others.length && columns.every((column, at) => isSame(column, others[at]));
}

function isSame(column: ColumnSpec, other: ColumnSpec | undefined): boolean {
  return (
    other !== undefined &&
    column.name === other.name &&
    column.table === other.table &&
    column.keyspace === other.keyspace &&
    (column.type === other.type || printTypeClass(column.type) === printTypeClass(other.type))
  );
}
