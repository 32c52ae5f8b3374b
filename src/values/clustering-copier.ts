// Clustering values out of their key, for readers of many rows: of the types that most tables have they are copied to where they are
// wanted, without a buffer for each.

import type { CqlType } from './cql-type.ts';
import { cqlMarkers, type KeyColumn } from './key-component.ts';

type Form = 'escaped' | 'bytes' | 'signed' | 'uuid' | 'timeuuid';

interface Place {
  readonly form: Form;
  /** Undefined for one that ends with an end mark. */
  readonly fixedLength: number | undefined;
  /** What the bytes of a descending column are turned by. */
  readonly mask: number;
  readonly endMark: number;
}

const noBytes = Buffer.alloc(0);

export class ClusteringCopier {
  readonly #places: readonly Place[];
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;
  #key: Buffer = noBytes;

  /** Undefined where a column is of another type. */
  static of(columns: readonly KeyColumn[]): ClusteringCopier | undefined {
    const places = columns.flatMap((column) => placeOf(column) ?? []);
    return places.length === columns.length ? new ClusteringCopier(places) : undefined;
  }

  private constructor(places: readonly Place[]) {
    this.#places = places;
    this.#starts = new Int32Array(places.length);
    this.#lengths = new Int32Array(places.length);
  }

  /**
   * Takes the clustering key that lies there; it must stay as it is until the values are copied. False if a value is not as it stands in the key, or the key is not of
   * these columns: `decodeClusteringKey` knows more.
   */
  load(key: Buffer, start: number, end: number): boolean {
    this.#key = key;
    let at = start;
    for (let index = 0; index < this.#places.length; index++) {
      const { fixedLength, mask, endMark } = this.#places[index] as Place;
      if (at >= end) return false;
      const marker = (key[at] as number) ^ mask;
      this.#starts[index] = ++at;
      if (marker === cqlMarkers.empty) {
        this.#lengths[index] = 0;
      } else if (marker !== cqlMarkers.value) {
        return false;
      } else if (fixedLength !== undefined) {
        this.#lengths[index] = fixedLength;
        at += fixedLength;
      } else {
        while (at < end && key[at] !== endMark) at++;
        if (at + 1 >= end || key[at + 1] !== endMark) return false;
        this.#lengths[index] = at - (this.#starts[index] as number);
        at += 2;
      }
    }
    return at === end;
  }

  /** Of the key that it took. */
  letGo(): void {
    this.#key = noBytes;
  }

  lengthOf(position: number): number {
    return this.#lengths[position] as number;
  }

  copy(position: number, target: Buffer, at: number): void {
    const { form, mask } = this.#places[position] as Place;
    const key = this.#key;
    const start = this.#starts[position] as number;
    const length = this.#lengths[position] as number;
    if (length === 0) return;
    for (let index = 0; index < length; index++) target[at + index] = (key[start + index] as number) ^ mask;
    if (form === 'signed') target[at] = (target[at] as number) ^ 0x80;
    else if (form === 'timeuuid') undoTimeUuid(target, at);
    else if (form === 'uuid') undoUuid(target, at);
  }
}

function placeOf({ type, descending }: KeyColumn): Place | undefined {
  const mask = descending ? 0xff : 0x00;
  const endMark = 0x00 ^ mask;
  const form = formOf(type);
  return form === undefined ? undefined : { form, fixedLength: lengthOf(type), mask, endMark };
}

function formOf({ kind }: CqlType): Form | undefined {
  switch (kind) {
    case 'ascii':
    case 'text':
    case 'blob':
    case 'inet':
      return 'escaped';
    case 'date':
    case 'time':
      return 'bytes';
    case 'tinyint':
    case 'smallint':
    case 'int':
    case 'bigint':
    case 'timestamp':
      return 'signed';
    case 'uuid':
    case 'timeuuid':
      return kind;
    default:
      return undefined;
  }
}

function lengthOf({ kind }: CqlType): number | undefined {
  switch (kind) {
    case 'tinyint':
      return 1;
    case 'smallint':
      return 2;
    case 'int':
    case 'date':
      return 4;
    case 'bigint':
    case 'timestamp':
    case 'time':
      return 8;
    case 'uuid':
    case 'timeuuid':
      return 16;
    default:
      return undefined;
  }
}

/** See sortable-uuid.ts, which these undo in place. */
function undoTimeUuid(bytes: Buffer, at: number): void {
  undoTimeFirst(bytes, at);
  for (let index = at + 8; index < at + 16; index++) bytes[index] = (bytes[index] as number) ^ 0x80;
}

function undoUuid(bytes: Buffer, at: number): void {
  const first = bytes[at] as number;
  if (first >> 4 === 1) {
    undoTimeFirst(bytes, at);
    return;
  }
  // The version stands before all other half bytes, and belongs behind the twelfth.
  for (let index = at; index < at + 6; index++) {
    bytes[index] = ((bytes[index] as number) << 4) | ((bytes[index + 1] as number) >> 4);
  }
  bytes[at + 6] = (first & 0xf0) | ((bytes[at + 6] as number) & 0x0f);
}

function undoTimeFirst(bytes: Buffer, at: number): void {
  const high = bytes.readUInt16BE(at);
  const middle = bytes.readUInt16BE(at + 2);
  bytes.copyWithin(at, at + 4, at + 8);
  bytes.writeUInt16BE(middle, at + 4);
  bytes.writeUInt16BE(high, at + 6);
}
