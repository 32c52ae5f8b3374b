import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { readConfigFile, readEnvironment, readFlags, readJson } from './config/given-settings.ts';
import { badSetting } from './config/setting.ts';
import { type SettingName, settings } from './config/settings.ts';
import { minimumNodes } from './config/storage-settings.ts';
import type { RingfoldError } from './errors/ringfold-error.ts';
import type { ConsistencyLevel } from './protocol/nosql/consistency-level.ts';
import { defaultListPrices, type ListPrices, listPricesFrom } from './throughput/list-prices.ts';
import type { ChargeProfile } from './throughput/request-charge.ts';

/** Everything a server can be told. Read once, at the start; nothing below the command line asks again. */
export interface Config {
  readonly dataDir: string;
  /** Undefined when nobody said: a data directory that exists knows, a new one gets four. */
  readonly nodes: number | undefined;
  /** Empty when the nodes live inside the data directory. */
  readonly nodeDirs: readonly string[];
  readonly inMemory: boolean;
  readonly host: string;
  readonly port: number;
  readonly cqlPort: number;
  /** Ask CQL clients for a login on loopback too. */
  readonly auth: boolean;
  /** Empty for the address that clients dialled. */
  readonly broadcastAddress: string;
  /** Empty for a certificate of the server's own making. */
  readonly tlsCert: string;
  readonly tlsKey: string;
  /** In base64; empty for those the server makes. */
  readonly keys: Readonly<Record<'primary' | 'secondary' | 'primaryReadonly' | 'secondaryReadonly', string>>;
  readonly consistency: ConsistencyLevel;
  readonly allowedOrigins: readonly string[];
  readonly maxDatabasesAndContainers: number;
  /** Empty where nothing was said. */
  readonly entra: {
    readonly keysFile: string;
    readonly issuer: string;
    readonly audience: string;
    readonly structureOnly: boolean;
  };
  /** CQL requests refused for want of request units are tried again by the server. */
  readonly serverSideRetry: boolean;
  readonly cqlReadTimeoutMs: number;
  readonly cqlWriteTimeoutMs: number;
  readonly cacheMb: number;
  readonly logRetentionMb: number;
  readonly scrubIntervalS: number;
  readonly purgeIntervalS: number;
  readonly reserveFreeMb: number;
  readonly rowStore: 'runs' | 'leveldb';
  readonly rebuildNodes: readonly number[];
  readonly forceRecover: boolean;
  readonly enforceDefaults: boolean;
  readonly serverless: boolean;
  readonly chargeProfile: ChargeProfile;
  readonly listPrices: ListPrices;
  readonly burst: boolean;
  readonly maxLogicalPartitionBytes: number;
  readonly readyJson: boolean;
}

export interface ConfigSources {
  /** What stands on the command line after the command. */
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
}

/** Flags win over the environment, and that over the file. Throws `bad-setting` with the setting, where it stood, and why. */
export function readConfig(sources: ConfigSources): Config {
  const { values: fromFlags, file } = readFlags(sources.flags);
  const fromEnvironment = readEnvironment(sources.environment);
  const fromFile = readConfigFile(sources.workingDirectory, file);
  const find = <T>(name: SettingName): T =>
    (fromFlags.get(name) ?? fromEnvironment.get(name) ?? fromFile.get(name) ?? settings[name].default) as T;
  const isGiven = (name: SettingName): boolean =>
    [fromFlags, fromEnvironment, fromFile].some((values) => values.has(name));

  const nodeDirs = find<readonly string[]>('node-dir').map((dir) => resolve(sources.workingDirectory, dir));
  const nodes = isGiven('nodes') ? find<number>('nodes') : undefined;
  if (nodeDirs.length > 0) checkNodeDirs(nodeDirs, nodes);
  const inMemory = find<boolean>('in-memory');
  if (inMemory && (isGiven('data-dir') || isGiven('node-dir'))) {
    throw badSetting('in-memory', 'the settings', 'it keeps nothing, so no directory can be given with it');
  }
  return {
    dataDir: resolve(sources.workingDirectory, find<string>('data-dir')),
    nodes,
    nodeDirs,
    inMemory,
    host: find('host'),
    port: find('port'),
    cqlPort: find('cql-port'),
    auth: find('auth'),
    broadcastAddress: readAddress(find('broadcast-address')),
    ...readTlsFiles(sources.workingDirectory, find('tls-cert'), find('tls-key')),
    keys: {
      primary: readKey('key', find('key')),
      secondary: readKey('secondary-key', find('secondary-key')),
      primaryReadonly: readKey('readonly-key', find('readonly-key')),
      secondaryReadonly: readKey('secondary-readonly-key', find('secondary-readonly-key')),
    },
    consistency: find('consistency'),
    allowedOrigins: find('allowed-origin'),
    maxDatabasesAndContainers: find('max-databases-and-containers'),
    entra: {
      keysFile: pathIn(sources.workingDirectory, find('entra-keys')),
      issuer: find('entra-issuer'),
      audience: find('entra-audience'),
      structureOnly: find('entra-structure-only'),
    },
    serverSideRetry: find('server-side-retry'),
    cqlReadTimeoutMs: find('cql-read-timeout-ms'),
    cqlWriteTimeoutMs: find('cql-write-timeout-ms'),
    cacheMb: find('cache-mb'),
    logRetentionMb: find('log-retention-mb'),
    scrubIntervalS: find('scrub-interval-s'),
    purgeIntervalS: find('purge-interval-s'),
    reserveFreeMb: find('reserve-free-mb'),
    rowStore: find('row-store'),
    rebuildNodes: find('rebuild-node'),
    forceRecover: find('force-recover'),
    enforceDefaults: find('enforce-defaults'),
    serverless: find('serverless'),
    chargeProfile: find('charge-profile'),
    listPrices: readListPrices(sources.workingDirectory, find('list-prices')),
    burst: find('burst') === 'on',
    maxLogicalPartitionBytes: find('max-logical-partition-bytes'),
    readyJson: find('ready-json'),
  };
}

function readAddress(address: string): string {
  if (address !== '' && isIP(address) === 0)
    throw badSetting('broadcast-address', 'the settings', 'it is an IP address: clients are told it as one');
  return address;
}

function readKey(name: SettingName, key: string): string {
  // A key of few bytes is a mistake more often than a wish; those of Azure have 64.
  const isKey = /^[A-Za-z\d+/]+={0,2}$/.test(key) && Buffer.from(key, 'base64').length >= 16;
  if (key !== '' && !isKey) throw badSetting(name, 'the settings', 'it is base64 of at least 16 bytes');
  return key;
}

/** An empty name is none. */
function pathIn(workingDirectory: string, name: string): string {
  return name === '' ? '' : resolve(workingDirectory, name);
}

function readTlsFiles(
  workingDirectory: string,
  certificate: string,
  key: string,
): Pick<Config, 'tlsCert' | 'tlsKey'> {
  if ((certificate === '') !== (key === ''))
    throw badSetting('tls-cert', 'the settings', 'it and tls-key are given together');
  return { tlsCert: pathIn(workingDirectory, certificate), tlsKey: pathIn(workingDirectory, key) };
}

function checkNodeDirs(nodeDirs: readonly string[], nodes: number | undefined): void {
  const source = 'the settings';
  if (nodeDirs.length < minimumNodes)
    throw badSetting('node-dir', source, `at least ${minimumNodes} are needed`);
  if (new Set(nodeDirs).size !== nodeDirs.length)
    throw badSetting('node-dir', source, 'a directory is given twice');
  if (nodes !== undefined && nodes !== nodeDirs.length) {
    throw badSetting('node-dir', source, `${nodeDirs.length} directories are given for ${nodes} nodes`);
  }
}

/** An empty name is none. */
function readListPrices(workingDirectory: string, name: string): ListPrices {
  if (name === '') return defaultListPrices;
  const path = resolve(workingDirectory, name);
  try {
    return listPricesFrom(readJson(path, '--list-prices'));
  } catch (error) {
    const { setting, reason = 'there is no such price' } = (error as RingfoldError).details;
    if (setting === '--list-prices') throw error;
    throw badSetting('--list-prices', path, `${setting}: ${reason}`, error);
  }
}
