import { createHmac, randomBytes } from 'node:crypto';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { isPassword } from './password-hash.ts';

/** Checks keep a core busy each, and the threads that disks are written with: whoever guesses passwords gets no more than this. */
const maxRunning = 2;
/** Some seconds' worth. Whoever comes after these is told to come again. */
const maxWaiting = 32;

/**
 * Compares passwords with their slow hashes, a few at a time. The last password that was right for a role is known again by a fast hash
 * that never leaves this process, so clients that open many connections wait for one check, and those that were here before for none,
 * whatever others try meanwhile.
 */
export class LoginChecks {
  readonly #key = randomBytes(32);
  readonly #right = new Map<string, string>();
  readonly #checking = new Map<string, Promise<boolean>>();
  readonly #waiting: (() => void)[] = [];
  readonly #check: (password: string, stored: string) => Promise<boolean>;
  #running = 0;

  constructor(check: (password: string, stored: string) => Promise<boolean> = isPassword) {
    this.#check = check;
  }

  async isRight(name: string, password: string, stored: string): Promise<boolean> {
    const proof = createHmac('sha256', this.#key)
      .update(stored)
      .update('\0')
      .update(password)
      .digest('base64');
    if (this.#right.get(name) === proof) return true;
    const same = this.#checking.get(proof);
    if (same !== undefined) return same;
    const checking = this.#inTurn(() => this.#check(password, stored));
    this.#checking.set(proof, checking);
    try {
      const isRight = await checking;
      if (isRight) this.#right.set(name, proof);
      return isRight;
    } finally {
      this.#checking.delete(proof);
    }
  }

  forget(name: string): void {
    this.#right.delete(name);
  }

  async #inTurn(check: () => Promise<boolean>): Promise<boolean> {
    if (this.#waiting.length >= maxWaiting) {
      throw new RingfoldError('too-much-in-flight', {
        reason: 'Too many logins at once',
        retryAfterMs: 1_000,
      });
    }
    if (this.#running < maxRunning) {
      this.#running++;
    } else {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    try {
      return await check();
    } finally {
      const next = this.#waiting.shift();
      // Whoever comes in takes the place of the one that leaves.
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
