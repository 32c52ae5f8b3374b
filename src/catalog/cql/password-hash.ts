import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { nextTurn, type Scheduler, systemScheduler } from '../../foundation/scheduler.ts';
import { isBcryptPassword, readBcrypt } from './bcrypt.ts';

/** What OWASP asks for at least of scrypt: 16 MiB and some 50 ms, away from the thread that serves. */
const cost = { N: 16_384, r: 8, p: 5 } as const;
const saltBytes = 16;
const hashBytes = 32;

/** `scrypt$N$r$p$salt$hash`, so that the cost can rise later and old ones still be checked. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, hashBytes, cost);
  return printHash(salt, hash);
}

/** Of nobody's password. To compare with it takes as long as with any other. */
export function nobodysHash(): string {
  return printHash(randomBytes(saltBytes), randomBytes(hashBytes));
}

/** Also of a hash that a client made, which is one of bcrypt. */
export async function isPassword(
  password: string,
  stored: string,
  scheduler: Scheduler = systemScheduler,
): Promise<boolean> {
  const bcrypt = readBcrypt(stored);
  if (bcrypt !== undefined) return isBcryptPassword(password, bcrypt, () => nextTurn(scheduler));
  const [scheme, N, r, p, salt = '', hash = ''] = stored.split('$');
  if (scheme !== 'scrypt') return false;
  const expected = Buffer.from(hash, 'base64');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const found = await derive(password, Buffer.from(salt, 'base64'), expected.length, options);
  return timingSafeEqual(found, expected);
}

function derive(password: string, salt: Buffer, length: number, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

function printHash(salt: Buffer, hash: Buffer): string {
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}
