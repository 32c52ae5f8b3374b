import type { ServerTimestamps } from '../../../values/server-timestamps.ts';

/** Version 1 UUIDs count tenths of microseconds from 15 October 1582. */
const ticksBefore1970 = 122_192_928_000_000_000n;
/** 1 January 2010: keys of elements put in front are mirrored there, so that they fall as time goes on. */
const mirrorTicks = 1_262_304_000_000_000n * 10n;
const ticksPerMicrosecond = 10n;

/** The keys of list elements: timeuuids, each greater (at the end) or smaller (in front) than all before it. */
export class ListTicks {
  readonly #timestamps: ServerTimestamps;
  readonly #nowMicroseconds: number;
  #microsecond = 0n;
  #next = ticksPerMicrosecond;

  constructor(timestamps: ServerTimestamps, nowMicroseconds: number) {
    this.#timestamps = timestamps;
    this.#nowMicroseconds = nowMicroseconds;
  }

  nextUuid(): Buffer {
    return timeUuid(this.#tick());
  }

  previousUuid(): Buffer {
    return timeUuid(2n * mirrorTicks - this.#tick());
  }

  #tick(): bigint {
    if (this.#next === ticksPerMicrosecond) {
      this.#microsecond = BigInt(this.#timestamps.next(this.#nowMicroseconds));
      this.#next = 0n;
    }
    return this.#microsecond * ticksPerMicrosecond + this.#next++;
  }
}

/** Ticks never come again, so nothing else need tell two of them apart. */
function timeUuid(ticksSince1970: bigint): Buffer {
  const ticks = ticksSince1970 + ticksBefore1970;
  const uuid = Buffer.alloc(16);
  uuid.writeUInt32BE(Number(ticks & 0xffffffffn), 0);
  uuid.writeUInt16BE(Number((ticks >> 32n) & 0xffffn), 4);
  uuid.writeUInt16BE(Number((ticks >> 48n) & 0x0fffn) | 0x1000, 6);
  uuid.writeUInt8(0x80, 8);
  return uuid;
}
