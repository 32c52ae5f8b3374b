import { createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { RingfoldError } from '../../errors/ringfold-error.ts';

export interface EntraSettings {
  /** JWKS, or the issuer's public key in PEM; undefined where only the structure is looked at. */
  readonly keys: string | undefined;
  /** Undefined for any. */
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  /** Believe any token of a client on this machine that has not expired, as the emulator does. */
  readonly structureOnly: boolean;
}

interface Claims {
  readonly iss?: unknown;
  readonly aud?: unknown;
  readonly exp?: unknown;
  readonly nbf?: unknown;
}

/** Clocks of issuers differ a little from the server's. */
const leewayMs = 5 * 60_000;
const digests: ReadonlyMap<string, string> = new Map([
  ['RS256', 'sha256'],
  ['RS384', 'sha384'],
  ['RS512', 'sha512'],
  ['ES256', 'sha256'],
  ['ES384', 'sha384'],
]);

/**
 * Tokens of Microsoft Entra, or of whichever issuer the operator names: JWTs, checked against keys that were given at the start. One
 * whose signature is an account key itself, as the SDKs' credentials for the emulator make them, is as good as that key.
 */
export class EntraTokens {
  readonly #settings: EntraSettings | undefined;
  readonly #keys: ReadonlyMap<string | undefined, KeyObject>;
  readonly #accountKeys: readonly Buffer[];

  /** Without settings no issuer is believed. */
  constructor(settings: EntraSettings | undefined, accountKeys: readonly string[]) {
    this.#settings = settings;
    this.#keys = settings?.keys === undefined ? new Map() : publicKeysIn(settings.keys);
    this.#accountKeys = accountKeys.map((key) => Buffer.from(key));
  }

  /** Throws for a token that is not the issuer's, or not for now. */
  verify(token: string, nowMs: number, isFromLoopback: boolean): void {
    const parts = token.split('.');
    const [head = '', body = '', signature = ''] = parts;
    const header = objectIn(head);
    const claims: Claims = objectIn(body);
    if (parts.length !== 3) throw unreadable();
    refuseUntimely(claims, nowMs);
    if (this.#settings?.structureOnly === true && isFromLoopback) return;
    const bytes = Buffer.from(signature, 'base64url');
    if (this.#accountKeys.some((key) => key.length === bytes.length && timingSafeEqual(key, bytes))) return;
    if (this.#settings === undefined)
      throw refused('Microsoft Entra tokens are not accepted: no issuer is configured (--entra-keys).');
    const { issuer, audience } = this.#settings;
    if (issuer !== undefined && claims.iss !== issuer) throw refused('The token is of another issuer.');
    if (audience !== undefined && !hasAudience(claims.aud, audience))
      throw refused('The token is for another audience.');
    const digest = digests.get(String(header['alg']));
    const key = this.#keys.get(String(header['kid'])) ?? this.#keys.get(undefined);
    if (digest === undefined || key === undefined) throw refused('The key of the token is not known.');
    if (!verify(digest, Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' }, bytes))
      throw refused('The signature of the token is wrong.');
  }
}

function refuseUntimely({ exp, nbf }: Claims, nowMs: number): void {
  if (typeof exp !== 'number' || nowMs > exp * 1_000 + leewayMs) throw refused('The token has expired.');
  if (typeof nbf === 'number' && nowMs < nbf * 1_000 - leewayMs) throw refused('The token is not valid yet.');
}

function hasAudience(given: unknown, wanted: string): boolean {
  return Array.isArray(given) ? given.includes(wanted) : given === wanted;
}

/** Throws `bad-setting` for what is neither JWKS nor PEM. */
function publicKeysIn(text: string): Map<string | undefined, KeyObject> {
  try {
    if (!text.trimStart().startsWith('{')) return new Map([[undefined, createPublicKey(text)]]);
    const { keys } = JSON.parse(text) as {
      readonly keys: readonly { readonly kid?: string; readonly [field: string]: unknown }[];
    };
    return new Map(keys.map((jwk) => [jwk.kid, createPublicKey({ key: { ...jwk }, format: 'jwk' })]));
  } catch (cause) {
    const reason = 'it is neither a JWKS document nor a public key in PEM';
    throw new RingfoldError(
      'bad-setting',
      { setting: '--entra-keys', source: 'the settings', reason },
      cause,
    );
  }
}

function objectIn(part: string): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    throw unreadable();
  }
  if (typeof json !== 'object' || json === null) throw unreadable();
  return json as Record<string, unknown>;
}

function unreadable(): RingfoldError {
  return refused('The input authorization token is not a JSON web token.');
}

function refused(reason: string): RingfoldError {
  return new RingfoldError('bad-signature', { reason });
}
