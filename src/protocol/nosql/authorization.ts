import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { AccountKeys } from './account-keys.ts';
import type { EntraTokens } from './entra-tokens.ts';
import { HmacKey } from './hmac-key.ts';
import {
  isSameSignature,
  isSignedWith,
  otherSignedForms,
  signedDates,
  signedForm,
} from './master-key-signature.ts';
import type { NosqlRequest } from './nosql-message.ts';
import type { Principal } from './principal.ts';
import type { ResourcePath } from './resource-path.ts';
import type { ResourceTokens } from './resource-tokens.ts';

/** How far a client's clock may be from the server's. */
const skewMs = 15 * 60_000;

const everything: Principal = { kind: 'master', mayWrite: true };
const onlyReads: Principal = { kind: 'master', mayWrite: false };

interface AuthorizationParts {
  readonly keys: AccountKeys;
  readonly tokens: ResourceTokens;
  readonly entra: EntraTokens;
  readonly clock: Clock;
}

/** Tells who sent a request by its `authorization` header. What they may do is asked elsewhere. */
export class Authorization {
  readonly #keys: readonly (readonly [HmacKey, Principal])[];
  readonly #tokens: ResourceTokens;
  readonly #entra: EntraTokens;
  readonly #clock: Clock;
  // Within a second all requests bear the same date.
  #lastDate = '';
  #lastDateMs = 0;
  // Within a second all that is created in a container is signed alike.
  #lastSigned: { readonly form: string; readonly signature: string; readonly by: Principal } | undefined;

  constructor({ keys, tokens, entra, clock }: AuthorizationParts) {
    this.#keys = [
      [hmacKey(keys.primary), everything],
      [hmacKey(keys.secondary), everything],
      [hmacKey(keys.primaryReadonly), onlyReads],
      [hmacKey(keys.secondaryReadonly), onlyReads],
    ];
    this.#tokens = tokens;
    this.#entra = entra;
    this.#clock = clock;
  }

  /** Throws for one who is nobody. */
  principalOf(
    method: string,
    path: ResourcePath,
    headers: NosqlRequest['headers'],
    isFromLoopback: () => boolean,
  ): Principal {
    const header = headers.get('authorization');
    if (header === undefined || header === '') throw new RingfoldError('bad-signature');
    const { type, signature } = tokenIn(header);
    switch (type) {
      case 'master':
        return this.#masterOf(method, path, headers, signature);
      case 'resource':
        return this.#tokens.verify(signature, this.#clock.now());
      case 'aad':
        this.#entra.verify(signature, this.#clock.now(), isFromLoopback());
        return { kind: 'entra' };
      case 'sas':
        throw refused(
          'SAS tokens (type=sas) are not served. Use an account key, the resource token of a permission, or Microsoft Entra.',
        );
      default:
        throw refused(
          'The input authorization token is of no known type. It begins with type=master, type=resource or type=aad.',
        );
    }
  }

  #masterOf(
    method: string,
    path: ResourcePath,
    headers: NosqlRequest['headers'],
    signature: string,
  ): Principal {
    const xMsDate = headers.get('x-ms-date');
    const date = headers.get('date');
    const dates = signedDates(xMsDate, date);
    const form = signedForm(method, path, dates);
    const principal =
      this.#signerOf(form, signature) ??
      otherSignedForms(method, path, dates)
        .map((other) => this.#signerOf(other, signature))
        .find((signer) => signer !== undefined);
    if (principal === undefined)
      throw refused(
        `The input authorization token can't serve the request. The wrong key is being used or the expected payload is not built as per the protocol. For more info: https://aka.ms/cosmosdb-tsg-unauthorized. Server used the following payload to sign: '${form}'`,
      );
    // Only who has a key is told what time it is.
    this.#checkDate(xMsDate ?? date ?? '');
    return principal;
  }

  #signerOf(form: string, signature: string): Principal | undefined {
    const last = this.#lastSigned;
    if (last?.form === form && isSameSignature(signature, last.signature)) return last.by;
    for (const [key, by] of this.#keys) {
      if (!isSignedWith(key, form, signature)) continue;
      this.#lastSigned = { form, signature, by };
      return by;
    }
    return undefined;
  }

  #checkDate(text: string): void {
    if (text !== this.#lastDate) {
      const parsed = Date.parse(text);
      if (Number.isNaN(parsed))
        throw refused('The input date header is invalid format. Please pass in RFC 1123 style date format.');
      this.#lastDate = text;
      this.#lastDateMs = parsed;
    }
    const now = this.#clock.now();
    if (Math.abs(now - this.#lastDateMs) <= skewMs) return;
    const [start, expiry, current] = [this.#lastDateMs, this.#lastDateMs + skewMs, now].map((time) =>
      new Date(time).toUTCString(),
    );
    throw new RingfoldError('forbidden', {
      reason: `The authorization token is not valid at the current time. Please create another token and retry (token start time: ${start}, token expiry time: ${expiry}, current server time: ${current}).`,
    });
  }
}

/** As nearly every request has it. */
const usualStart = 'type%3Dmaster%26ver%3D1.0%26sig%3D';

/** `type=…&ver=…&sig=…`, percent-encoded as a whole by some clients and by some not. */
function tokenIn(header: string): { readonly type: string; readonly signature: string } {
  if (header.startsWith(usualStart))
    return { type: 'master', signature: decoded(header.slice(usualStart.length)) };
  const text = decoded(header);
  const at = text.indexOf('&sig=');
  const [, type = ''] = /^type=([a-z]+)&/.exec(text) ?? [];
  if (at < 0 || type === '')
    throw refused(
      "Authorization header doesn't confirm to the required format. Please verify and try again. It is type={typeoftoken}&ver={tokenversion}&sig={hashsignature}.",
    );
  return { type, signature: text.slice(at + '&sig='.length) };
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused('The input authorization token is not valid percent-encoding.');
  }
}

function hmacKey(base64: string): HmacKey {
  return new HmacKey(Buffer.from(base64, 'base64'));
}

function refused(reason: string): RingfoldError {
  return new RingfoldError('bad-signature', { reason });
}
