import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { HttpRefusal } from '../http/http-refusal.ts';
import { isLoopback } from '../loopback.ts';

export interface AdminKeys {
  /** Those that open everything. */
  readonly full: readonly string[];
  /** Those that only look. */
  readonly readonly: readonly string[];
}

/** What is known of who sent a request. */
export interface AdminSender {
  /** By name in small letters. */
  readonly fields: ReadonlyMap<string, string>;
  readonly remoteAddress: string;
  readonly localAddress: string;
}

export type AdminRights = 'everything' | 'reading' | 'none';

/** What a proxy adds that lets others reach a port of this machine. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/**
 * What who sent a request may do. People and programs of this machine may do everything while nobody else can reach the server; everybody
 * else brings an account key. A proxy on this machine, and a web page that is shown on it, speak for somebody else.
 */
export class AdminAccess {
  readonly #keys: readonly (readonly [digest: Buffer, rights: AdminRights])[];
  readonly #isOnlyLoopback: boolean;

  constructor({ full, readonly }: AdminKeys, isOnlyLoopback: boolean) {
    this.#keys = [
      ...full.map((key) => [digestOf(key), 'everything'] as const),
      ...readonly.map((key) => [digestOf(key), 'reading'] as const),
    ];
    this.#isOnlyLoopback = isOnlyLoopback;
  }

  /** Throws for a key that is none. */
  rightsOf(sender: AdminSender): AdminRights {
    if (this.#isOnlyLoopback && isOfThisMachine(sender)) return 'everything';
    const authorization = sender.fields.get('authorization');
    if (authorization === undefined) return 'none';
    const [, key = ''] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    const digest = digestOf(key);
    let rights: AdminRights = 'none';
    // All of them, so that how long it takes says nothing.
    for (const [known, its] of this.#keys) if (timingSafeEqual(known, digest)) rights = its;
    if (rights === 'none') throw keyNeeded('The key is not one of this account.');
    return rights;
  }
}

/** Throws where the rights do not reach. */
export function refuseBeyond(rights: AdminRights, method: string): void {
  if (rights === 'everything') return;
  if (rights === 'none')
    throw keyNeeded(
      'An account key is needed here: authorization: Bearer KEY. The command line takes --key.',
    );
  if (method !== 'GET' && method !== 'HEAD')
    throw new HttpRefusal(403, 'The key only reads; this needs one that does everything.');
}

function isOfThisMachine({ fields, remoteAddress, localAddress }: AdminSender): boolean {
  const host = fields.get('host');
  const origin = fields.get('origin');
  return (
    isLoopback(remoteAddress) &&
    isLoopback(localAddress) &&
    host !== undefined &&
    isLoopbackName(host) &&
    !forwarding.some((name) => fields.has(name)) &&
    (origin === undefined || origin === `http://${host}` || origin === `https://${host}`)
  );
}

/** A name that leads elsewhere for others may lead here for a web page: only these never do. */
function isLoopbackName(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  const address = name.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || (isIP(address) !== 0 && isLoopback(address));
}

function keyNeeded(reason: string): HttpRefusal {
  return new HttpRefusal(401, reason, { 'www-authenticate': 'Bearer realm="Ringfold"' });
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
