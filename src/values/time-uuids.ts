/** Between 1582-10-15, where version 1 UUIDs begin to count, and 1970; in units of 100 ns. */
const epochOffset = 122_192_928_000_000_000n;

/**
 * UUIDs of version 1, each later than the one before it. `node` is 8 bytes that are this server's own: clock sequence and node,
 * whose fixed bits are set here.
 */
export class TimeUuids {
  readonly #node: Buffer;
  #lastTick = 0n;

  constructor(node: Uint8Array) {
    this.#node = Buffer.from(node.subarray(0, 8));
    this.#node.writeUInt8((this.#node.readUInt8(0) & 0x3f) | 0x80, 0);
    // The multicast bit: this is no card's address.
    this.#node.writeUInt8(this.#node.readUInt8(2) | 0x01, 2);
  }

  next(nowMs: number): Buffer {
    const now = BigInt(Math.floor(nowMs * 1_000)) * 10n + epochOffset;
    this.#lastTick = now > this.#lastTick ? now : this.#lastTick + 1n;
    const uuid = Buffer.allocUnsafe(16);
    uuid.writeUInt32BE(Number(this.#lastTick & 0xffff_ffffn), 0);
    uuid.writeUInt16BE(Number((this.#lastTick >> 32n) & 0xffffn), 4);
    uuid.writeUInt16BE(Number((this.#lastTick >> 48n) & 0x0fffn) | 0x1000, 6);
    uuid.set(this.#node, 8);
    return uuid;
  }
}
