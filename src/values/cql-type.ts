import { RingfoldError } from '../errors/ringfold-error.ts';

const nativeKinds = [
  'ascii',
  'bigint',
  'blob',
  'boolean',
  'counter',
  'date',
  'decimal',
  'double',
  'duration',
  'float',
  'inet',
  'int',
  'smallint',
  'text',
  'time',
  'timestamp',
  'timeuuid',
  'tinyint',
  'uuid',
  'varint',
] as const;

/** `empty` has one value, of no bytes. Nothing can be declared so; it is what old compact tables have for no value. */
export type NativeKind = (typeof nativeKinds)[number] | 'empty';

/** A type of CQL. Frozen means one value in one cell; what stands inside a frozen type is frozen too. */
export type CqlType =
  | { readonly kind: NativeKind }
  | { readonly kind: 'list' | 'set'; readonly element: CqlType; readonly frozen: boolean }
  | { readonly kind: 'map'; readonly key: CqlType; readonly value: CqlType; readonly frozen: boolean }
  | { readonly kind: 'tuple'; readonly fields: readonly CqlType[] }
  | UserType
  | { readonly kind: 'vector'; readonly element: CqlType; readonly dimension: number };

export interface UserType {
  readonly kind: 'udt';
  readonly keyspace: string;
  readonly name: string;
  readonly fields: readonly UserTypeField[];
  readonly frozen: boolean;
}

export interface UserTypeField {
  readonly name: string;
  readonly type: CqlType;
}

/** Finds a user-defined type by its name as written: folded to lower case unless it was quoted. */
export type UserTypeLookup = (name: string, keyspace: string | undefined) => UserType | undefined;

const natives: ReadonlyMap<string, CqlType> = new Map([
  ...nativeKinds.map((kind) => [kind, { kind }] as const),
  ['varchar', { kind: 'text' }] as const,
]);

/** The name as `system_schema.columns` shows it: tuples are always frozen, and are printed so. */
export function printCqlType(type: CqlType): string {
  switch (type.kind) {
    case 'list':
    case 'set':
      return freezeName(`${type.kind}<${printCqlType(type.element)}>`, type.frozen);
    case 'map':
      return freezeName(`map<${printCqlType(type.key)}, ${printCqlType(type.value)}>`, type.frozen);
    case 'tuple':
      return `frozen<tuple<${type.fields.map(printCqlType).join(', ')}>>`;
    case 'udt':
      return freezeName(quoteIfNeeded(type.name), type.frozen);
    case 'vector':
      return `vector<${printCqlType(type.element)}, ${type.dimension}>`;
    default:
      return type.kind;
  }
}

function freezeName(name: string, frozen: boolean): string {
  return frozen ? `frozen<${name}>` : name;
}

/** A name as CQL text has it: quoted unless it is lower case throughout and no word that CQL keeps for itself. */
export function quoteIfNeeded(name: string): string {
  return /^[a-z][a-z0-9_]*$/.test(name) && !reservedWords.has(name)
    ? name
    : `"${name.replaceAll('"', '""')}"`;
}

// Words that no name can be without quotes; reserved_keywords.txt of Cassandra 5.0 lists the same.
const reservedWords: ReadonlySet<string> = new Set(
  `add allow alter and apply asc authorize batch begin by columnfamily create delete desc describe drop entries execute from full
  grant if in index infinity insert into is keyspace limit materialized modify nan norecursive not null of on or order primary
  rename revoke schema select set table to token truncate unlogged update use using view where with`.split(
    /\s+/,
  ),
);

/** Reads a type as CREATE TABLE has it. `lookup` is asked for every name that is not CQL's own. */
export function parseCqlType(text: string, lookup: UserTypeLookup = () => undefined): CqlType {
  return new TypeParser(text, lookup).parse();
}

/** The type with itself and all inside it frozen. */
export function freeze(type: CqlType): CqlType {
  switch (type.kind) {
    case 'list':
    case 'set':
      return { kind: type.kind, element: freeze(type.element), frozen: true };
    case 'map':
      return { kind: 'map', key: freeze(type.key), value: freeze(type.value), frozen: true };
    case 'tuple':
      return { kind: 'tuple', fields: type.fields.map(freeze) };
    case 'udt': {
      const fields = type.fields.map((field) => ({ name: field.name, type: freeze(field.type) }));
      return { ...type, fields, frozen: true };
    }
    case 'vector':
      return { kind: 'vector', element: freeze(type.element), dimension: type.dimension };
    default:
      return type;
  }
}

/** The types that values of this one are made of. */
export function typesInside(type: CqlType): readonly CqlType[] {
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'vector':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'tuple':
      return type.fields;
    case 'udt':
      return type.fields.map((field) => field.type);
    default:
      return [];
  }
}

/** Durations have no order, and nothing that holds one has. */
export function hasDuration(type: CqlType): boolean {
  return type.kind === 'duration' || typesInside(type).some(hasDuration);
}

/** Whether one column of the type is stored as many cells that merge one by one. */
export function isMultiCell(type: CqlType): boolean {
  return 'frozen' in type && !type.frozen;
}

/** Whether a clustering column may have the type: it needs an order, and one cell. */
export function canBeClustering(type: CqlType): boolean {
  if (isMultiCell(type)) return false;
  switch (type.kind) {
    case 'counter':
    case 'duration':
      return false;
    case 'list':
    case 'set':
    case 'vector':
      return canBeClustering(type.element);
    case 'map':
      return canBeClustering(type.key) && canBeClustering(type.value);
    case 'tuple':
      return type.fields.every(canBeClustering);
    case 'udt':
      return type.fields.every((field) => canBeClustering(field.type));
    default:
      return true;
  }
}

/**
 * The length every value of the type has inside a vector, or undefined where each is preceded by its own. Cassandra
 * counts tinyint, smallint, date and time as variable there (reference/cql.md §1.7), and so the bytes say.
 */
export function fixedLength(type: CqlType): number | undefined {
  switch (type.kind) {
    case 'boolean':
      return 1;
    case 'int':
    case 'float':
      return 4;
    case 'bigint':
    case 'double':
    case 'timestamp':
      return 8;
    case 'uuid':
    case 'timeuuid':
      return 16;
    case 'vector': {
      const element = fixedLength(type.element);
      return element === undefined ? undefined : element * type.dimension;
    }
    default:
      return undefined;
  }
}

// Names, quoted names, numbers, and the three signs; anything else is one bad character.
const lexeme = /\s*([A-Za-z][A-Za-z0-9_]*|"(?:[^"]|"")+"|\d+|[<>,.]|\S)/gy;

// Deep enough for any schema, shallow enough that a hostile one does not end the stack.
const deepestNesting = 64;

/** An int of Java's. */
export const largestDimension: number = 2 ** 31 - 1;

class TypeParser {
  readonly #text: string;
  readonly #lookup: UserTypeLookup;
  readonly #lexemes: readonly string[];
  #at = 0;
  #insideFrozen = 0;

  constructor(text: string, lookup: UserTypeLookup) {
    this.#text = text;
    this.#lookup = lookup;
    this.#lexemes = Array.from(text.matchAll(lexeme), (match) => match[1] ?? '');
  }

  parse(): CqlType {
    const type = this.#type(0);
    if (this.#at < this.#lexemes.length) throw this.#bad(`unexpected ${this.#peek()}`);
    return type;
  }

  #type(depth: number): CqlType {
    if (depth > deepestNesting) throw this.#bad('nested too deeply');
    const word = this.#next();
    if (this.#peek() !== '<') return this.#named(word);
    this.#next();
    const type = this.#parameterised(word.toLowerCase(), depth + 1);
    this.#expect('>');
    return type;
  }

  #parameterised(word: string, depth: number): CqlType {
    switch (word) {
      case 'frozen': {
        const type = this.#frozen(depth);
        if (natives.has(type.kind))
          throw this.#bad('frozen<> is only for collections, tuples and user types');
        return type;
      }
      case 'list':
      case 'set':
        return { kind: word, element: this.#inner(depth), frozen: false };
      case 'map': {
        const key = this.#inner(depth);
        this.#expect(',');
        return { kind: 'map', key, value: this.#inner(depth), frozen: false };
      }
      case 'tuple': {
        const fields = [this.#frozen(depth)];
        while (this.#peek() === ',') {
          this.#next();
          fields.push(this.#frozen(depth));
        }
        return { kind: 'tuple', fields };
      }
      case 'vector': {
        // Nothing is frozen in a vector that was not said to be, and nothing has to be.
        const element = this.#type(depth);
        this.#expect(',');
        return { kind: 'vector', element, dimension: this.#dimension() };
      }
      default:
        throw this.#bad(`${word} takes no parameters`);
    }
  }

  /** Inside tuples everything is frozen without being said to be. */
  #frozen(depth: number): CqlType {
    this.#insideFrozen++;
    const type = this.#type(depth);
    this.#insideFrozen--;
    return freeze(type);
  }

  /** An element of a collection: Cassandra has no collections of cells inside collections of cells. */
  #inner(depth: number): CqlType {
    const type = this.#type(depth);
    if (isMultiCell(type) && this.#insideFrozen === 0) {
      throw this.#bad(`non-frozen ${type.kind} inside a collection`);
    }
    return type;
  }

  #named(word: string): CqlType {
    const native = natives.get(word.toLowerCase());
    if (native !== undefined && this.#peek() !== '.') return native;
    let name = this.#identifier(word);
    let keyspace: string | undefined;
    if (this.#peek() === '.') {
      this.#next();
      keyspace = name;
      name = this.#identifier(this.#next());
    }
    const found =
      this.#lookup(name, keyspace) ?? (name === 'empty' ? ({ kind: 'empty' } as const) : undefined);
    if (found === undefined) throw this.#bad(`unknown type ${name}`);
    return found;
  }

  #identifier(word: string): string {
    if (word.startsWith('"') && word.length > 2) return word.slice(1, -1).replaceAll('""', '"');
    if (!/^[A-Za-z]/.test(word)) throw this.#bad(`${word} is not a name`);
    return word.toLowerCase();
  }

  #dimension(): number {
    const word = this.#next();
    const dimension = /^\d+$/.test(word) ? Number(word) : 0;
    if (dimension < 1 || dimension > largestDimension) throw this.#bad(`${word} is not a vector's dimension`);
    return dimension;
  }

  #peek(): string | undefined {
    return this.#lexemes[this.#at];
  }

  #next(): string {
    const word = this.#lexemes[this.#at];
    if (word === undefined) throw this.#bad('it ends too early');
    this.#at++;
    return word;
  }

  #expect(sign: string): void {
    if (this.#peek() !== sign) throw this.#bad(`${sign} expected`);
    this.#at++;
  }

  #bad(reason: string): RingfoldError {
    return new RingfoldError('bad-request', { reason, type: this.#text });
  }
}
