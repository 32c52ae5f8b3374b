import { type CqlType, freeze, largestDimension, type NativeKind } from './cql-type.ts';
import { invalidValue } from './invalid-value.ts';

// Types by the names of Cassandra's Java classes: what clients are sent for types that their protocol version has no
// number for, and what may be written, in quotes, where CQL has a type.

const packageName = 'org.apache.cassandra.db.marshal.';

const classNames: Readonly<Record<NativeKind, string>> = {
  ascii: 'AsciiType',
  bigint: 'LongType',
  blob: 'BytesType',
  boolean: 'BooleanType',
  counter: 'CounterColumnType',
  date: 'SimpleDateType',
  decimal: 'DecimalType',
  double: 'DoubleType',
  duration: 'DurationType',
  empty: 'EmptyType',
  float: 'FloatType',
  inet: 'InetAddressType',
  int: 'Int32Type',
  smallint: 'ShortType',
  text: 'UTF8Type',
  time: 'TimeType',
  timestamp: 'TimestampType',
  timeuuid: 'TimeUUIDType',
  tinyint: 'ByteType',
  uuid: 'UUIDType',
  varint: 'IntegerType',
};
const nativesByClass: ReadonlyMap<string, CqlType> = new Map([
  ...Object.entries(classNames).map(([kind, name]) => [name, { kind: kind as NativeKind }] as const),
  // What timestamps were before CQL 3, still shown by old tables.
  ['DateType', { kind: 'timestamp' }] as const,
]);

/** Fully qualified, as AbstractType.toString prints it: frozen is said once, outside. */
export function printTypeClass(type: CqlType): string {
  return print(type, false);
}

function print(type: CqlType, insideFrozen: boolean): string {
  switch (type.kind) {
    case 'list':
      return collection('ListType', [type.element], type.frozen, insideFrozen);
    case 'set':
      return collection('SetType', [type.element], type.frozen, insideFrozen);
    case 'map':
      return collection('MapType', [type.key, type.value], type.frozen, insideFrozen);
    case 'tuple':
      return `${packageName}TupleType(${type.fields.map((field) => print(field, true)).join(',')})`;
    case 'udt': {
      const inner = insideFrozen || type.frozen;
      const fields = type.fields.map(({ name, type: field }) => `${hexOf(name)}:${print(field, inner)}`);
      const whole = `${packageName}UserType(${[type.keyspace, hexOf(type.name), ...fields].join(',')})`;
      return frozenName(whole, type.frozen, insideFrozen);
    }
    case 'vector':
      return `${packageName}VectorType(${print(type.element, insideFrozen)} , ${type.dimension})`;
    default:
      return packageName + classNames[type.kind];
  }
}

function collection(name: string, types: readonly CqlType[], frozen: boolean, insideFrozen: boolean): string {
  const inner = types.map((type) => print(type, insideFrozen || frozen)).join(',');
  return frozenName(`${packageName}${name}(${inner})`, frozen, insideFrozen);
}

function frozenName(name: string, frozen: boolean, insideFrozen: boolean): string {
  return frozen && !insideFrozen ? `${packageName}FrozenType(${name})` : name;
}

function hexOf(name: string): string {
  return Buffer.from(name, 'utf8').toString('hex');
}

export interface TypeOfClass {
  readonly type: CqlType;
  /** A clustering column in descending order. */
  readonly reversed: boolean;
}

/** Reads a class name with its parameters; the package may be left out. */
export function parseTypeClass(text: string): TypeOfClass {
  return new ClassReader(text).read();
}

const lexeme = /\s*([A-Za-z0-9_.+&-]+|[(),:]|\S)/gy;
const deepestNesting = 64;

class ClassReader {
  readonly #text: string;
  readonly #lexemes: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lexemes = Array.from(text.matchAll(lexeme), (match) => match[1] ?? '');
  }

  read(): TypeOfClass {
    const reversed = this.#simpleName(0) === 'ReversedType';
    if (reversed) this.#skip(2);
    const type = this.#type(0, false);
    if (reversed) this.#expect(')');
    if (this.#at < this.#lexemes.length) throw this.#bad();
    return { type, reversed };
  }

  #type(depth: number, insideFrozen: boolean): CqlType {
    if (depth > deepestNesting) throw this.#bad();
    const name = this.#simpleName(0);
    this.#skip(1);
    const native = nativesByClass.get(name);
    if (native !== undefined) return native;
    this.#expect('(');
    const type = this.#parameterised(name, depth + 1, insideFrozen);
    this.#expect(')');
    return insideFrozen ? freeze(type) : type;
  }

  #parameterised(name: string, depth: number, insideFrozen: boolean): CqlType {
    switch (name) {
      case 'FrozenType':
        return freeze(this.#type(depth, true));
      case 'ListType':
      case 'SetType': {
        const kind = name === 'ListType' ? 'list' : 'set';
        return { kind, element: this.#type(depth, insideFrozen), frozen: false };
      }
      case 'MapType': {
        const key = this.#type(depth, insideFrozen);
        this.#expect(',');
        return { kind: 'map', key, value: this.#type(depth, insideFrozen), frozen: false };
      }
      case 'TupleType': {
        const fields = [this.#type(depth, true)];
        while (this.#takes(',')) fields.push(this.#type(depth, true));
        return { kind: 'tuple', fields };
      }
      case 'VectorType': {
        const element = freeze(this.#type(depth, true));
        this.#expect(',');
        const dimension = Number(this.#next());
        if (!Number.isInteger(dimension) || dimension < 1 || dimension > largestDimension) throw this.#bad();
        return { kind: 'vector', element, dimension };
      }
      case 'UserType':
        return this.#userType(depth, insideFrozen);
      default:
        throw this.#bad();
    }
  }

  #userType(depth: number, insideFrozen: boolean): CqlType {
    const keyspace = this.#next();
    this.#expect(',');
    const name = this.#hexName();
    const fields: { name: string; type: CqlType }[] = [];
    while (this.#takes(',')) {
      const fieldName = this.#hexName();
      this.#expect(':');
      fields.push({ name: fieldName, type: this.#type(depth, insideFrozen) });
    }
    return { kind: 'udt', keyspace, name, fields, frozen: false };
  }

  #hexName(): string {
    return Buffer.from(this.#next(), 'hex').toString('utf8');
  }

  #simpleName(ahead: number): string {
    const word = this.#lexemes[this.#at + ahead] ?? '';
    return word.startsWith(packageName) ? word.slice(packageName.length) : word;
  }

  #next(): string {
    const word = this.#lexemes[this.#at++];
    if (word === undefined) throw this.#bad();
    return word;
  }

  #skip(count: number): void {
    this.#at += count;
  }

  #takes(sign: string): boolean {
    if (this.#lexemes[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#takes(sign)) throw this.#bad();
  }

  #bad(): Error {
    return invalidValue(`Unable to find abstract-type class '${this.#text}'`);
  }
}
