// What `replication` may say. Every container has four replicas here; the map is checked, kept and shown, since drivers read it.

import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { configurationError } from './definition-errors.ts';
import { readInt } from './property-values.ts';

type Options = ReadonlyMap<string, string>;

const packageName = 'org.apache.cassandra.locator.';
const strategies: ReadonlySet<string> = new Set([
  'SimpleStrategy',
  'NetworkTopologyStrategy',
  'LocalStrategy',
]);

/** The one that clients are told they are in. */
const datacenter = 'datacenter1';
const defaultFactor = '1';

/** Of a keyspace that was created with nothing but options of Cosmos. */
export const defaultReplication: Options = new Map([
  ['class', `${packageName}NetworkTopologyStrategy`],
  [datacenter, defaultFactor],
]);

export function checkReplicationClass(replication: Options): void {
  if (replication.size > 0 && !replication.has('class'))
    throw configurationError('Missing replication strategy class');
}

/** `previous` is what the keyspace had, without the class. */
export function readReplication(replication: Options, previous: Options, keyspace: string): Options {
  const strategy = readStrategy(replication.get('class') ?? '');
  const written = new Map([...replication].filter(([name]) => name !== 'class'));
  const before = new Map([...previous].filter(([name]) => name !== 'class'));
  if (strategy === 'LocalStrategy') {
    throw new RingfoldError('bad-request', {
      reason: 'Unable to use given strategy class: LocalStrategy is reserved for internal use.',
    });
  }
  const options = strategy === 'SimpleStrategy' ? simple(written, before) : byDatacenter(written, before);
  if (strategy === 'NetworkTopologyStrategy' && options.size === 0)
    throw configurationError('Configuration for at least one datacenter must be present');
  if (strategy !== 'SimpleStrategy') for (const factor of options.values()) checkFactor(factor);
  const known = strategy === 'SimpleStrategy' ? 'replication_factor' : datacenter;
  const unknown = [...options.keys()].find((name) => name !== known);
  if (unknown !== undefined) {
    throw configurationError(
      `Unrecognized strategy option {${unknown}} passed to ${strategy} for keyspace ${keyspace}`,
    );
  }
  for (const factor of options.values()) checkFactor(factor);
  return new Map([['class', packageName + strategy], ...options]);
}

function readStrategy(written: string): string {
  const className = written.includes('.') ? written : packageName + written;
  const name = className.startsWith(packageName) ? className.slice(packageName.length) : '';
  if (name === 'OldNetworkTopologyStrategy') {
    throw configurationError(
      'The support for the OldNetworkTopologyStrategy has been removed in C* version 4.0. The keyspace strategy should be switch to NetworkTopologyStrategy',
    );
  }
  if (!strategies.has(name))
    throw configurationError(`Unable to find replication strategy class '${className}'`);
  return name;
}

function simple(written: Options, before: Options): Options {
  const factor = before.get('replication_factor') ?? defaultFactor;
  return new Map([['replication_factor', factor], ...written]);
}

/** A factor without a data centre is that of all data centres that were not named, now or before. */
function byDatacenter(written: Options, before: Options): Options {
  const factor =
    written.get('replication_factor') ??
    (written.size === 0 ? (before.get('replication_factor') ?? defaultFactor) : undefined);
  const named = [...written].filter(([name]) => name !== 'replication_factor');
  if (factor !== undefined && !isFactor(factor)) return new Map(named);
  const inherited = factor === undefined ? [] : [...before].filter(([name]) => name !== 'replication_factor');
  const everywhere: readonly (readonly [string, string])[] =
    factor === undefined ? [] : [[datacenter, String(Number(factor))]];
  return new Map([...everywhere, ...inherited, ...named].filter(([, value]) => value !== '0'));
}

function isFactor(text: string): boolean {
  const value = readInt(text);
  return value !== undefined && value >= 0;
}

function checkFactor(text: string): void {
  if (text.includes('/')) throw configurationError('Transient replication is not enabled on this node');
  const value = readInt(text);
  if (value === undefined) throw configurationError(`For input string: "${text}"`);
  if (value < 0) throw configurationError(`Replication factor must be non-negative, found ${value}`);
}
