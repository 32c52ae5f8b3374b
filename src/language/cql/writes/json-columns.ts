import type { ColumnSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import { bytesOfJson, foldName } from '../../../values/cql-json.ts';
import { hasDuration } from '../../../values/cql-type.ts';
import { reasonOf } from '../../../values/invalid-value.ts';
import { type JavaJson, parseJavaJson } from '../../../values/java-json.ts';
import type { Bindings, TypedTerm } from '../expressions/typed-term.ts';

type Columns = ReadonlyMap<string, Buffer | null>;

/** The columns of INSERT JSON: read at once from a literal, or each time the statement runs from what is bound. */
export class JsonColumns {
  readonly #table: TableSchema;
  readonly #document: TypedTerm | undefined;
  readonly #keepsUnnamed: boolean;
  #columns: Columns;
  /** What `#columns` was read for. */
  #bindings: Bindings | undefined;

  constructor(table: TableSchema, document: TypedTerm | string, keepsUnnamed: boolean) {
    this.#table = table;
    this.#keepsUnnamed = keepsUnnamed;
    const isLiteral = typeof document === 'string';
    this.#document = isLiteral ? undefined : document;
    this.#columns = isLiteral ? columnsOf(table, document, 0n) : new Map();
  }

  termOf(column: ColumnSchema): TypedTerm {
    return {
      type: column.type,
      isConstant: this.#document === undefined,
      evaluate: (bindings) => this.#valueOf(column, bindings),
    };
  }

  #valueOf({ name }: ColumnSchema, bindings: Bindings): BoundValue {
    if (this.#document !== undefined && this.#bindings !== bindings) {
      const document = this.#document.evaluate(bindings);
      if (document === null) throw invalidRequest('Got null for INSERT JSON values');
      const nowMs = bindings.nowMicros / 1_000n;
      this.#columns = columnsOf(this.#table, document?.toString('utf8') ?? '', nowMs);
      this.#bindings = bindings;
    }
    const value = this.#columns.get(name);
    return value === undefined && !this.#keepsUnnamed ? null : value;
  }
}

function columnsOf(table: TableSchema, text: string, nowMs: bigint): Columns {
  const members = membersOf(text);
  const columns = new Map<string, Buffer | null>();
  for (const { name, type } of table.columns.values()) {
    const value = members.get(name);
    if (value === undefined) continue;
    members.delete(name);
    try {
      columns.set(name, value === null ? null : bytesOfJson(type, value, nowMs));
    } catch (error) {
      // What Cassandra's own parser of durations says comes as it is.
      const reason = reasonOf(error);
      if (hasDuration(type) && /^(Unable to convert|Invalid duration)/.test(reason))
        throw invalidRequest(reason);
      throw invalidRequest(`Error decoding JSON value for ${name}: ${reason}`);
    }
  }
  const [unknown] = members.keys();
  if (unknown !== undefined) {
    throw invalidRequest(`JSON values map contains unrecognized column: ${unknown}`);
  }
  return columns;
}

function membersOf(text: string): Map<string, JavaJson> {
  let parsed: JavaJson;
  try {
    parsed = parseJavaJson(text);
  } catch (error) {
    throw undecodable(text, reasonOf(error));
  }
  if (parsed === null) throw invalidRequest('Got null for INSERT JSON values');
  if (!(parsed instanceof Map)) {
    throw undecodable(
      text,
      'com.fasterxml.jackson.databind.exc.MismatchedInputException: Cannot deserialize value of type `java.util.LinkedHashMap<java.lang.Object,java.lang.Object>`',
    );
  }
  return new Map(Array.from(parsed, ([name, value]) => [foldName(name), value]));
}

function undecodable(text: string, reason: string): Error {
  return invalidRequest(`Could not decode JSON string as a map: ${reason}. (String was: ${text})`);
}
