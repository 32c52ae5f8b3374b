import { createHmac, timingSafeEqual } from 'node:crypto';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Principal } from './principal.ts';

/** What a resource token lets its bearer do. */
export interface ResourceGrant {
  readonly mode: 'read' | 'all';
  /** By rid, without slashes at its ends: `dbs/{rid}/colls/{rid}`. */
  readonly resource: string;
  /** The only partition key it may touch, as JSON text. */
  readonly partitionKey: string | undefined;
}

interface Payload {
  readonly m: 'read' | 'all';
  readonly r: string;
  readonly p?: string;
  /** From when until when, in milliseconds since 1970. */
  readonly s: number;
  readonly e: number;
}

/** Makes the tokens of permissions and reads them: `type=resource&ver=1&sig={base64};{payload};`, signed with the account's secret. */
export class ResourceTokens {
  readonly #secret: Buffer;

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  mint({ mode, resource, partitionKey }: ResourceGrant, nowMs: number, lifeSeconds: number): string {
    const payload: Payload = {
      m: mode,
      r: resource,
      ...(partitionKey === undefined ? {} : { p: partitionKey }),
      s: nowMs,
      e: nowMs + lifeSeconds * 1_000,
    };
    const text = Buffer.from(JSON.stringify(payload)).toString('base64');
    return `type=resource&ver=1&sig=${this.#sign(text).toString('base64')};${text};`;
  }

  /** The part of the token after `sig=`, decoded. Throws for one that this account did not make, or whose time is over. */
  verify(signature: string, nowMs: number): Principal {
    const [digest = '', text = ''] = signature.split(';', 2);
    const given = Buffer.from(digest, 'base64');
    const expected = this.#sign(text);
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new RingfoldError('bad-signature', {
        reason:
          "The input authorization token can't serve the request. The resource token was not made by this account, or was changed since.",
      });
    const { m, r, p, s, e } = JSON.parse(Buffer.from(text, 'base64').toString()) as Payload;
    if (nowMs > e) {
      const times = [s, e, nowMs].map((time) => new Date(time).toUTCString());
      throw new RingfoldError('forbidden', {
        reason: `The authorization token is not valid at the current time. Please create another token and retry (token start time: ${times[0]}, token expiry time: ${times[1]}, current server time: ${times[2]}).`,
      });
    }
    return { kind: 'resource-token', mode: m, resource: r, partitionKey: p };
  }

  #sign(text: string): Buffer {
    return createHmac('sha256', this.#secret).update(text).digest();
  }
}
