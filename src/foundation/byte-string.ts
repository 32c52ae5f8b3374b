// Keys are byte strings: JavaScript strings whose every character is one byte (0x00 to 0xFF). V8 keeps such a
// string in one byte a character, hashes it once, and compares two of them with `<` as memcmp does; so a key
// can stand in a Map, be sorted and be concatenated with no code of ours. docs/decisions/003-byte-strings.md.

declare const byteString: unique symbol;

/** A string of bytes; `<` is byte order. */
export type ByteString = string & { readonly [byteString]: true };

export const emptyBytes: ByteString = '' as ByteString;

export function byteStringOf(bytes: Uint8Array): ByteString {
  const buffer =
    bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString('latin1') as ByteString;
}

export function bytesOf(text: ByteString): Buffer {
  return Buffer.from(text, 'latin1');
}

export function concatBytes(...parts: ByteString[]): ByteString {
  return parts.join('') as ByteString;
}

export function byteStringFromHex(hex: string): ByteString {
  return Buffer.from(hex, 'hex').toString('latin1') as ByteString;
}

/** Upper-case, as Cosmos writes effective partition keys. */
export function hexOf(text: ByteString): string {
  return Buffer.from(text, 'latin1').toString('hex').toUpperCase();
}

/** The first byte string that is greater than this one. */
export function keyAfter(key: ByteString): ByteString {
  return `${key}\0` as ByteString;
}

/** The first byte string that is greater than every one with this prefix; undefined when there is none. */
export function endOfPrefix(prefix: ByteString): ByteString | undefined {
  for (let at = prefix.length - 1; at >= 0; at--) {
    const byte = prefix.charCodeAt(at);
    if (byte < 0xff) return (prefix.slice(0, at) + String.fromCharCode(byte + 1)) as ByteString;
  }
  return undefined;
}
