import { createHash } from 'node:crypto';
import type { CqlSchema, SchemaChange } from '../../catalog/cql/cql-schema.ts';
import { invalidRequest } from '../../errors/invalid-request.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { CqlParts } from '../../execution/cql/cql-parts.ts';
import { type ByteString, emptyBytes } from '../../foundation/byte-string.ts';
import { parseStatement } from '../../language/cql/parse-statement.ts';
import type { prepareStatement } from '../../language/cql/prepare-statement.ts';
import type { PreparedStatement } from '../../language/cql/prepared-statement.ts';
import { traitsOf } from '../../language/cql/statement-traits.ts';
import { KnownStatement } from './known-statement.ts';

export interface StatementLimits {
  readonly maxPreparedBytes: number;
  readonly maxTexts: number;
  /** Longer ones are not kept: they are generated, and come once. */
  readonly maxTextLength: number;
}

const defaultLimits: StatementLimits = {
  maxPreparedBytes: 64 * 2 ** 20,
  maxTexts: 500,
  maxTextLength: 4_000,
};

/** A client counts them in two bytes. */
const maxMarkers = 0xffff;

/**
 * All statements that clients have prepared, by id, and the texts that came lately without being prepared. Those used
 * least of late are forgotten when there are too many; clients then prepare again.
 */
export class PreparedStatements {
  readonly #parts: CqlParts;
  readonly #prepareStatement: typeof prepareStatement;
  readonly #limits: StatementLimits;
  readonly #prepared = new Map<ByteString, KnownStatement>();
  readonly #texts = new Map<string, KnownStatement>();
  #preparedBytes = 0;

  constructor(parts: CqlParts, prepare: typeof prepareStatement, limits: Partial<StatementLimits> = {}) {
    this.#parts = parts;
    this.#prepareStatement = prepare;
    this.#limits = { ...defaultLimits, ...limits };
    parts.catalog.whenChanged((change) => this.#follow(change));
  }

  get size(): number {
    return this.#prepared.size;
  }

  /** For PREPARE. The same text in the same keyspace has the same id, on every server and for ever. */
  prepare(text: string, keyspace: string | undefined): KnownStatement {
    const found = this.#findPrepared(text, keyspace);
    if (found !== undefined) return found;
    const made = this.#make(text, keyspace, (isQualified) => idOf(text, isQualified ? undefined : keyspace));
    const { variables } = made.prepared;
    if (variables.length > maxMarkers)
      throw invalidRequest(
        `Too many markers(?). ${variables.length} markers exceed the allowed maximum of ${maxMarkers}`,
      );
    this.#keep(made);
    return made;
  }

  /** For EXECUTE, and for BATCH by id. */
  find(id: ByteString): KnownStatement {
    const known = this.#prepared.get(id);
    if (known === undefined || known.isOutdated) throw unprepared(id);
    if (!known.prepared.isCurrent(this.#schema)) this.#renew(known);
    known.isRecent = true;
    return known;
  }

  /** For QUERY, and for BATCH by text. */
  ofText(text: string, keyspace: string | undefined): KnownStatement {
    const key = `${keyspace ?? ''}\0${text}`;
    const found = this.#texts.get(key);
    if (found?.prepared.isCurrent(this.#schema)) return found;
    const made = this.#make(text, keyspace, () => emptyBytes);
    if (made.traits.work !== 'definition' && text.length <= this.#limits.maxTextLength) {
      this.#texts.delete(key);
      this.#texts.set(key, made);
      for (const oldest of this.#texts.keys()) {
        if (this.#texts.size <= this.#limits.maxTexts) break;
        this.#texts.delete(oldest);
      }
    }
    return made;
  }

  get #schema(): CqlSchema {
    return this.#parts.catalog.schema;
  }

  #findPrepared(text: string, keyspace: string | undefined): KnownStatement | undefined {
    const qualified = this.#prepared.get(idOf(text, undefined));
    const known = qualified?.traits.isFullyQualified ? qualified : this.#prepared.get(idOf(text, keyspace));
    if (known === undefined || (known.keyspace !== keyspace && !known.traits.isFullyQualified))
      return undefined;
    if (known.isOutdated || !known.prepared.isCurrent(this.#schema)) known.renew(this.#prepareAnew(known));
    known.isRecent = true;
    return known;
  }

  #make(
    text: string,
    keyspace: string | undefined,
    idFor: (isFullyQualified: boolean) => ByteString,
  ): KnownStatement {
    const parsed = parseStatement(text);
    const traits = traitsOf(parsed.statement);
    const prepared = this.#prepareStatement(parsed, { schema: this.#schema, keyspace, parts: this.#parts });
    return new KnownStatement(idFor(traits.isFullyQualified), text, keyspace, traits, prepared);
  }

  #prepareAnew({ text, keyspace }: KnownStatement): PreparedStatement {
    const context = { schema: this.#schema, keyspace, parts: this.#parts };
    return this.#prepareStatement(parseStatement(text), context);
  }

  /** Goes on with the same columns; with others, or when it cannot be, clients must be told. */
  #renew(known: KnownStatement): void {
    let prepared: PreparedStatement;
    try {
      prepared = this.#prepareAnew(known);
    } catch {
      // What is wrong with it the client learns when it prepares it again.
      known.isOutdated = true;
      throw unprepared(known.id);
    }
    if (!known.isLike(prepared)) {
      known.isOutdated = true;
      throw unprepared(known.id);
    }
    known.renew(prepared);
  }

  #keep(known: KnownStatement): void {
    this.#prepared.set(known.id, known);
    this.#preparedBytes += known.sizeBytes;
    // Each is given a second chance if it was used; the new one stays in any case.
    for (const [id, oldest] of this.#prepared) {
      if (this.#preparedBytes <= this.#limits.maxPreparedBytes) break;
      if (oldest === known) continue;
      this.#prepared.delete(id);
      if (oldest.isRecent) {
        oldest.isRecent = false;
        this.#prepared.set(id, oldest);
      } else {
        this.#preparedBytes -= oldest.sizeBytes;
      }
    }
  }

  /** Prepared statements die with their table, even if another of the same name comes. */
  #follow(change: SchemaChange): void {
    if (change.change !== 'DROPPED' || (change.target !== 'KEYSPACE' && change.target !== 'TABLE')) return;
    const table = change.target === 'TABLE' ? change.name : undefined;
    for (const [id, known] of this.#prepared) {
      const isConcerned = known.traits.tables.some(
        ({ keyspace, name }) =>
          (keyspace ?? known.keyspace) === change.keyspace && (table === undefined || name === table),
      );
      if (!isConcerned) continue;
      this.#prepared.delete(id);
      this.#preparedBytes -= known.sizeBytes;
    }
  }
}

function idOf(text: string, keyspace: string | undefined): ByteString {
  return createHash('md5')
    .update(`${keyspace ?? ''}${text}`)
    .digest('binary') as ByteString;
}

function unprepared(id: ByteString): RingfoldError {
  return new RingfoldError('cql-unprepared', { id });
}
