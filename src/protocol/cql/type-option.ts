import type { CqlType, NativeKind } from '../../values/cql-type.ts';
import { printTypeClass } from '../../values/cql-type-class.ts';
import type { ProtocolVersion } from './protocol-version.ts';
import type { ResponseWriter } from './response-writer.ts';

/** The number of a type on the wire, and the first version that knows it. */
const nativeOptions: Readonly<
  Record<NativeKind, readonly [code: number, since: ProtocolVersion] | undefined>
> = {
  ascii: [0x01, 3],
  bigint: [0x02, 3],
  blob: [0x03, 3],
  boolean: [0x04, 3],
  counter: [0x05, 3],
  decimal: [0x06, 3],
  double: [0x07, 3],
  float: [0x08, 3],
  int: [0x09, 3],
  timestamp: [0x0b, 3],
  uuid: [0x0c, 3],
  text: [0x0d, 3],
  varint: [0x0e, 3],
  timeuuid: [0x0f, 3],
  inet: [0x10, 3],
  date: [0x11, 4],
  time: [0x12, 4],
  smallint: [0x13, 4],
  tinyint: [0x14, 4],
  duration: [0x15, 5],
  empty: undefined,
};

export const typeCodes = { custom: 0x00, list: 0x20, map: 0x21, set: 0x22, udt: 0x30, tuple: 0x31 } as const;

const nativesByCode: ReadonlyMap<number, NativeKind> = new Map(
  Object.entries(nativeOptions).flatMap(([kind, option]) =>
    option === undefined ? [] : [[option[0], kind as NativeKind] as const],
  ),
);

/** 0x0A, text, is read and never sent: that is 0x0D, varchar. */
export function nativeOfCode(code: number): NativeKind | undefined {
  return code === 0x0a ? 'text' : nativesByCode.get(code);
}

/** A type as metadata has it. What the version has no number for goes by the name of its Java class. */
export function writeTypeOption(out: ResponseWriter, type: CqlType): void {
  switch (type.kind) {
    case 'list':
    case 'set':
      out.short(typeCodes[type.kind]);
      writeTypeOption(out, type.element);
      break;
    case 'map':
      out.short(typeCodes.map);
      writeTypeOption(out, type.key);
      writeTypeOption(out, type.value);
      break;
    case 'udt':
      out.short(typeCodes.udt);
      out.string(type.keyspace);
      out.string(type.name);
      out.short(type.fields.length);
      for (const field of type.fields) {
        out.string(field.name);
        writeTypeOption(out, field.type);
      }
      break;
    case 'tuple':
      out.short(typeCodes.tuple);
      out.short(type.fields.length);
      for (const field of type.fields) writeTypeOption(out, field);
      break;
    case 'vector':
      writeCustom(out, type);
      break;
    default: {
      const [code, since] = nativeOptions[type.kind] ?? [0, Number.POSITIVE_INFINITY];
      if (out.version >= since) out.short(code);
      else writeCustom(out, type);
    }
  }
}

function writeCustom(out: ResponseWriter, type: CqlType): void {
  out.short(typeCodes.custom);
  out.string(printTypeClass(type));
}
