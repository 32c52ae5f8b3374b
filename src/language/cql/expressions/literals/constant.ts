import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { ColumnSpec } from '../../../../execution/cql/column-spec.ts';
import { compareDecimals, type Decimal, decimalOf } from '../../../../values/cql-number.ts';
import { parseCqlText } from '../../../../values/cql-text.ts';
import { type CqlType, type NativeKind, printCqlType } from '../../../../values/cql-type.ts';
import { readDecimal, type ScaledDecimal, scaledDecimalBytes } from '../../../../values/java-number-text.ts';
import { printTerm } from '../../print-term.ts';
import type { Constant } from '../../terms.ts';
import type { Fit } from '../type-compatibility.ts';
import type { TypedTerm } from '../typed-term.ts';
import type { UntypedTerm } from '../untyped-term.ts';

export function untypedConstant(constant: Constant): UntypedTerm {
  return {
    text: printTerm(constant),
    isMarker: false,
    containsMarker: false,
    arrayLength: undefined,
    fit: ({ type }) => fitOfConstant(constant, type),
    exactType: () => undefined,
    likelyType: () => likelyType(constant),
    prepare: (receiver) => prepareConstant(constant, receiver),
  };
}

export function constantTerm(type: CqlType, bytes: Buffer | null): TypedTerm {
  return { type, isConstant: true, evaluate: () => bytes };
}

function prepareConstant(constant: Constant, { name, type }: ColumnSpec): TypedTerm {
  const { text } = constant;
  if (fitOfConstant(constant, type) === 'none') {
    throw invalidRequest(
      `Invalid ${constant.type.toUpperCase()} constant (${text}) for "${name}" of type ${printCqlType(type)}`,
    );
  }
  if (constant.type === 'hex') return constantTerm(type, parseCqlText({ kind: 'blob' }, text.slice(2), 0n));
  if (type.kind === 'timestamp' && text.toLowerCase() === 'now') {
    return {
      type,
      isConstant: false,
      evaluate: ({ nowMicros }) => parseCqlText(type, text, nowMicros / 1000n),
    };
  }
  return constantTerm(type, parseCqlText(type, text, 0n));
}

const takenBy: Readonly<Record<Constant['type'], ReadonlySet<CqlType['kind']>>> = {
  string: new Set(['ascii', 'text', 'inet', 'date', 'time', 'timestamp']),
  integer: new Set([
    'bigint',
    'counter',
    'date',
    'decimal',
    'double',
    'duration',
    'float',
    'int',
    'smallint',
    'time',
    'timestamp',
    'tinyint',
    'varint',
  ]),
  uuid: new Set(['uuid', 'timeuuid']),
  float: new Set(['decimal', 'double', 'float']),
  boolean: new Set(['boolean']),
  hex: new Set(['blob']),
  duration: new Set(['duration']),
};

function fitOfConstant(constant: Constant, type: CqlType): Fit {
  if ('frozen' in type || type.kind === 'vector') return 'none';
  // Cassandra reads a tuple from a string, fields between colons.
  if (type.kind === 'tuple') return 'weak';
  if (type.kind === likelyType(constant).kind) return 'exact';
  return takenBy[constant.type].has(type.kind) ? 'weak' : 'none';
}

function likelyType({ type, text }: Constant): { readonly kind: NativeKind } {
  switch (type) {
    case 'string':
      return { kind: /^[\0-\x7f]*$/.test(text) ? 'ascii' : 'text' };
    case 'integer':
      return { kind: likelyInteger(BigInt(text)) };
    case 'uuid':
      return { kind: text[14] === '1' ? 'timeuuid' : 'uuid' };
    case 'float':
      return { kind: likelyFloat(text) };
    case 'boolean':
      return { kind: 'boolean' };
    case 'hex':
      // So it stands in Cassandra, whose name for a tinyint is ByteType.
      return { kind: 'tinyint' };
    case 'duration':
      return { kind: 'duration' };
  }
}

function likelyInteger(value: bigint): NativeKind {
  if (BigInt.asIntN(32, value) === value) return 'int';
  return BigInt.asIntN(64, value) === value ? 'bigint' : 'varint';
}

/** A double if that loses no digit, as Double.toString would show it. */
function likelyFloat(text: string): NativeKind {
  const decimal = readDecimal(text);
  const double = readDecimal(String(Number(text)));
  if (decimal === undefined || double === undefined) return 'double';
  return compareDecimals(numberOf(decimal), numberOf(double)) === 0 ? 'double' : 'decimal';
}

function numberOf(decimal: ScaledDecimal): Decimal {
  return decimalOf(scaledDecimalBytes(decimal));
}
