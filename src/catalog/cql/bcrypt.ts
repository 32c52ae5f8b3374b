// bcrypt, which clients hash passwords with for CREATE ROLE … WITH HASHED PASSWORD. It is only checked here: passwords that come in the
// clear are kept by `hashPassword`.

import { timingSafeEqual } from 'node:crypto';
import { Blowfish } from './blowfish.ts';

interface BcryptHash {
  /** The key is worked in 2^cost times. */
  readonly cost: number;
  readonly endsKey: boolean;
  readonly salt: Buffer;
  readonly hashText: string;
}

const form = /^\$2(a?)\$(\d\d)\$([./A-Za-z0-9]{22})(.*)$/;
const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const leastCost = 4;
/** Some seconds' worth. Whoever guesses at a password keeps a core busy for as long. */
const mostCost = 15;
const saltBytes = 16;
const hashBytes = 23;
const plaintext = Buffer.from('OrpheanBeholderScryDoubt');
const timesEnciphered = 64;
/** Some milliseconds' worth, after which others may go first. */
const roundsInOneTurn = 16;

/** Undefined for what nothing here can check. */
export function readBcrypt(text: string): BcryptHash | undefined {
  const [, minor, digits, salt, hashText = ''] = form.exec(text) ?? [];
  const cost = Number(digits);
  if (salt === undefined || cost < leastCost || cost > mostCost) return undefined;
  return { cost, endsKey: minor === 'a', salt: decodeSalt(salt), hashText };
}

export async function isBcryptPassword(
  password: string,
  { cost, endsKey, salt, hashText }: BcryptHash,
  rest: () => Promise<void>,
): Promise<boolean> {
  const key = Buffer.from(endsKey || password === '' ? `${password}\0` : password);
  const cipher = new Blowfish(key, salt);
  const rounds = 2 ** cost;
  for (let round = 1; round <= rounds; round++) {
    cipher.workIn(key);
    cipher.workIn(salt);
    if (round % roundsInOneTurn === 0) await rest();
  }
  const hash = Buffer.from(plaintext);
  for (let at = 0; at < hash.length; at += 8) cipher.encipherTimes(hash, at, timesEnciphered);
  const found = Buffer.from(encode(hash.subarray(0, hashBytes)));
  const expected = Buffer.from(hashText);
  return found.length === expected.length && timingSafeEqual(found, expected);
}

/** Base 64 with an alphabet of its own, and without padding. */
function encode(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const left = Math.min(3, bytes.length - at);
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (let digit = 0; digit <= left; digit++) text += alphabet[(bits >>> (18 - 6 * digit)) & 63];
  }
  return text;
}

function decodeSalt(text: string): Buffer {
  const salt = Buffer.alloc(saltBytes);
  let bits = 0;
  let count = 0;
  let at = 0;
  for (const letter of text) {
    bits = ((bits << 6) | alphabet.indexOf(letter)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    if (at < saltBytes) salt[at++] = bits >>> count;
  }
  return salt;
}
