import { createHash } from 'node:crypto';
import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { assert } from '../../../../foundation/assert.ts';
import { encodeCqlValue } from '../../../../values/cql-codec.ts';
import { writeCollection, writeFields, writeVector } from '../../../../values/cql-elements.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { anyType, factoryOf, fixedType, optional, sameTypeAs, stringType } from './function-parameter.ts';
import { bytesFunction, type FunctionFactory } from './native-function.ts';
import { smallestTimeUuid } from './time-uuid.ts';

const text: CqlType = { kind: 'text' };
const int: CqlType = { kind: 'int' };
const blob: CqlType = { kind: 'blob' };

/** Types can be written that have values of any length; what is sent for each row is made for no longer ones. */
const mostMaskedBytes = 2 ** 20;

/** What stands for every value of the type. */
function maskedValue(type: CqlType): Buffer {
  switch (type.kind) {
    case 'ascii':
    case 'text':
      return Buffer.from('****');
    case 'blob':
    case 'empty':
      return Buffer.alloc(0);
    case 'boolean':
      return Buffer.from([0]);
    case 'decimal':
      return known(type, { unscaled: 0n, scale: 0 });
    case 'duration':
      return known(type, { months: 0, days: 0, nanoseconds: 0n });
    case 'inet':
      return Buffer.alloc(4);
    case 'uuid':
      return Buffer.alloc(16);
    case 'timeuuid':
      return smallestTimeUuid(0n);
    case 'bigint':
    case 'counter':
    case 'time':
    case 'timestamp':
    case 'varint':
      return known(type, 0n);
    case 'list':
    case 'set':
      return writeCollection([], 1);
    case 'map':
      return writeCollection([], 2);
    case 'tuple':
      return maskedFields(type, type.fields);
    case 'udt':
      return maskedFields(
        type,
        type.fields.map((field) => field.type),
      );
    case 'vector': {
      const element = maskedValue(type.element);
      refuseLong(type, (element.length + 1) * type.dimension);
      return writeVector(
        type.element,
        Array.from({ length: type.dimension }, () => element),
      );
    }
    default:
      return known(type, 0);
  }
}

function maskedFields(type: CqlType, fields: readonly CqlType[]): Buffer {
  let bytes = 0;
  const masked = fields.map((field) => {
    const value = maskedValue(field);
    bytes += value.length + 4;
    refuseLong(type, bytes);
    return value;
  });
  return writeFields(masked);
}

function refuseLong(type: CqlType, bytes: number): void {
  if (bytes > mostMaskedBytes)
    throw invalidRequest(
      `mask_default has no value of type ${printCqlType(type)}: it would have more than ${mostMaskedBytes} bytes`,
    );
}

function known(type: CqlType, value: Parameters<typeof encodeCqlValue>[1]): Buffer {
  const bytes = encodeCqlValue(type, value);
  assert(bytes !== null, 'zero has bytes');
  return bytes;
}

const whatever = anyType({ inferFromReceiver: false });

const maskNull = factoryOf('mask_null', [whatever], ([type = text]) =>
  bytesFunction('mask_null', [type], type, () => null),
);

const maskDefault = factoryOf('mask_default', [whatever], ([type = text]) => {
  const masked = maskedValue(type);
  return bytesFunction('mask_default', [type], type, () => masked);
});

const replaceable = anyType({ inferFromReceiver: true });

const maskReplace = factoryOf(
  'mask_replace',
  [replaceable, sameTypeAs(0, { preferOther: true }, replaceable)],
  ([type = text]) => bytesFunction('mask_replace', [type, type], type, ([, other]) => other ?? null),
);

const maskHash = factoryOf(
  'mask_hash',
  [whatever, optional(fixedType(text))],
  ([type = text, ...others]) => ({
    ...bytesFunction('mask_hash', [type, ...others.map(() => text)], blob, ([bytes, algorithm]) =>
      bytes ? createHash(hashName(algorithm)).update(bytes).digest() : null,
    ),
    checkConstants: ([, algorithm]) => void hashName(algorithm),
  }),
);

/** Java's, but MD2. */
const hashNames = /^(md5|sha|sha-?1|sha-?(224|256|384|512)|sha-?512\/(224|256)|sha3-(224|256|384|512))$/i;

/** OpenSSL's name for one of them. */
function hashName(algorithm: Buffer | null | undefined): string {
  const written = algorithm?.toString('utf8') ?? 'SHA-256';
  if (!hashNames.test(written)) throw invalidRequest(`Hash algorithm not found: ${written}`);
  const name = written.toLowerCase().replace(/^sha-/, 'sha').replace('/', '-');
  return name === 'sha' ? 'sha1' : name;
}

/** Characters on both ends that are left (inner) or hidden (outer), and what hides them. */
function partialMask(kind: 'inner' | 'outer'): FunctionFactory {
  const name = `mask_${kind}`;
  const parameters = [stringType, fixedType(int), fixedType(int), optional(fixedType(text))];
  return factoryOf(name, parameters, ([type = text, ...others]) => {
    const types = [type, int, int, ...others.slice(2).map(() => text)];
    const paddingOf = (padding: Buffer | null | undefined): string => {
      const character = padding?.toString('utf8') ?? '*';
      if (character.length === 1) return character;
      throw invalidRequest(
        `The padding argument for function system.${name} should be single-character, but '${character}' has ${character.length} characters.`,
      );
    };
    const masked = bytesFunction(name, types, type, ([bytes, begin, end, padding]) => {
      const character = paddingOf(padding);
      if (!bytes) return null;
      const value = bytes.toString('utf8');
      const [from, to] = [intIn(begin), value.length - 1 - intIn(end)];
      const hides = (at: number) => (at >= from && at <= to) === (kind === 'inner');
      const characters = Array.from({ length: value.length }, (_, at) => (hides(at) ? character : value[at]));
      return Buffer.from(characters.join(''));
    });
    return { ...masked, checkConstants: ([, , , padding]) => void paddingOf(padding) };
  });
}

function intIn(bytes: Buffer | null | undefined): number {
  return bytes && bytes.length > 0 ? bytes.readInt32BE() : 0;
}

export const maskFactories: readonly FunctionFactory[] = [
  maskNull,
  maskDefault,
  maskReplace,
  maskHash,
  partialMask('inner'),
  partialMask('outer'),
];
