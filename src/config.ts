import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { RingfoldError } from './errors/ringfold-error.ts';
import { defaultListPrices, type ListPrices, listPricesFrom } from './throughput/list-prices.ts';
import { type ChargeProfile, priceLists } from './throughput/request-charge.ts';

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
  /** CQL requests refused for want of request units are tried again by the server. */
  readonly serverSideRetry: boolean;
  readonly cqlReadTimeoutMs: number;
  readonly cqlWriteTimeoutMs: number;
  readonly cacheMb: number;
  readonly logRetentionMb: number;
  readonly scrubIntervalS: number;
  readonly reserveFreeMb: number;
  readonly rowStore: 'runs' | 'leveldb';
  readonly rebuildNodes: readonly number[];
  readonly forceRecover: boolean;
  readonly enforceDefaults: boolean;
  readonly serverless: boolean;
  readonly chargeProfile: ChargeProfile;
  readonly listPrices: ListPrices;
  readonly burst: boolean;
  readonly readyJson: boolean;
}

export interface ConfigSources {
  /** What stands on the command line after the command. */
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
}

/** A replica set is four different nodes. */
const minimumNodes = 4;
/** A node is named in one byte of the superblock's list of members; more directories than this on one machine is a mistake. */
const maximumNodes = 64;
const defaultConfigFile = 'ringfold.json';

type Kind = 'text' | 'texts' | 'number' | 'numbers' | 'switch';

interface Setting {
  readonly kind: Kind;
  readonly default: string | number | boolean | readonly string[] | readonly number[];
  readonly low?: number;
  readonly high?: number;
  /** What stands for the value in the help; absent for a switch. */
  readonly placeholder?: string;
  /** All there are to choose from; absent where any text will do. */
  readonly choices?: readonly string[];
  readonly help: string;
}

// The name of a setting is its flag; RINGFOLD_ and capitals make the variable; the configuration file uses the name as it is.
const settings = {
  'data-dir': {
    kind: 'text',
    default: './data',
    placeholder: 'DIR',
    help: 'where the storage nodes are kept',
  },
  nodes: {
    kind: 'number',
    default: minimumNodes,
    low: minimumNodes,
    high: maximumNodes,
    placeholder: 'N',
    help: 'how many storage nodes a new data directory gets',
  },
  'node-dir': {
    kind: 'texts',
    default: [],
    placeholder: 'DIR',
    help: 'a storage node of its own, best on a disk of its own; repeated, at least four',
  },
  'in-memory': { kind: 'switch', default: false, help: 'keep nothing: no file is read or written' },
  host: { kind: 'text', default: '127.0.0.1', placeholder: 'ADDRESS', help: 'the address to listen on' },
  port: {
    kind: 'number',
    default: 8081,
    low: 0,
    high: 65_535,
    placeholder: 'N',
    help: 'HTTP: admin JSON and health; 0 takes a free one',
  },
  'cql-port': {
    kind: 'number',
    default: 9042,
    low: 0,
    high: 65_535,
    placeholder: 'N',
    help: 'CQL, plain and TLS; 0 takes a free one',
  },
  auth: {
    kind: 'switch',
    default: false,
    help: 'ask CQL clients for a login on loopback too; elsewhere they are always asked',
  },
  'broadcast-address': {
    kind: 'text',
    default: '',
    placeholder: 'IP',
    help: 'the address CQL clients are told, if it is not the one they dialled',
  },
  'tls-cert': {
    kind: 'text',
    default: '',
    placeholder: 'FILE',
    help: 'certificate (PEM) for TLS; without it the server makes one of its own',
  },
  'tls-key': { kind: 'text', default: '', placeholder: 'FILE', help: 'the private key of --tls-cert (PEM)' },
  'server-side-retry': {
    kind: 'switch',
    default: false,
    help: 'CQL requests beyond their throughput wait up to 60 s and are not refused',
  },
  'cql-read-timeout-ms': {
    kind: 'number',
    default: 10_000,
    low: 1,
    high: 3_600_000,
    placeholder: 'MS',
    help: 'a CQL read that takes longer is answered with ReadTimeout',
  },
  'cql-write-timeout-ms': {
    kind: 'number',
    default: 10_000,
    low: 1,
    high: 3_600_000,
    placeholder: 'MS',
    help: 'a CQL write that takes longer is answered with WriteTimeout',
  },
  'cache-mb': {
    kind: 'number',
    default: 256,
    low: 1,
    high: 1_048_576,
    placeholder: 'MB',
    help: 'memory for rows that were read or written lately',
  },
  'log-retention-mb': {
    kind: 'number',
    default: 256,
    low: 1,
    high: 1_048_576,
    placeholder: 'MB',
    help: 'log each node keeps, so that another can catch up without a copy',
  },
  'scrub-interval-s': {
    kind: 'number',
    default: 5,
    low: 0,
    high: 31_536_000,
    placeholder: 'S',
    help: 'pause between two comparisons of all replicas; 0 compares only when asked',
  },
  'reserve-free-mb': {
    kind: 'number',
    default: 64,
    low: 0,
    high: 1_048_576,
    placeholder: 'MB',
    help: 'writes are refused while a disk has less room than this',
  },
  'row-store': {
    kind: 'text',
    default: 'runs',
    choices: ['runs', 'leveldb'],
    placeholder: 'KIND',
    help: 'what keeps the rows of new storage nodes: runs, or leveldb',
  },
  'rebuild-node': {
    kind: 'numbers',
    default: [],
    low: 0,
    high: maximumNodes - 1,
    placeholder: 'N',
    help: 'storage node N is lost: make it anew from the others; repeated',
  },
  'force-recover': {
    kind: 'switch',
    default: false,
    help: 'accept writes with a single readable copy; it may be old',
  },
  'enforce-defaults': {
    kind: 'switch',
    default: false,
    help: 'refuse what exceeds the 400 RU/s of containers that nobody gave throughput',
  },
  serverless: {
    kind: 'switch',
    default: false,
    help: 'containers are made without throughput: each physical partition has 5,000 RU/s',
  },
  'charge-profile': {
    kind: 'text',
    default: 'docs-2026',
    choices: Object.keys(priceLists),
    placeholder: 'NAME',
    help: `what requests cost: ${Object.keys(priceLists).join(', ')}`,
  },
  'list-prices': {
    kind: 'text',
    default: '',
    placeholder: 'FILE',
    help: 'JSON with the prices by which a month on Azure is estimated',
  },
  burst: {
    kind: 'text',
    default: 'on',
    choices: ['on', 'off'],
    placeholder: 'on|off',
    help: 'let partitions below 3,000 RU/s save up what they leave unused',
  },
  'ready-json': { kind: 'switch', default: false, help: 'one JSON line on stdout once the server is ready' },
} as const satisfies Record<string, Setting>;

type SettingName = keyof typeof settings;

const settingNames = Object.keys(settings) as SettingName[];
const variablePrefix = 'RINGFOLD_';

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
    serverSideRetry: find('server-side-retry'),
    cqlReadTimeoutMs: find('cql-read-timeout-ms'),
    cqlWriteTimeoutMs: find('cql-write-timeout-ms'),
    cacheMb: find('cache-mb'),
    logRetentionMb: find('log-retention-mb'),
    scrubIntervalS: find('scrub-interval-s'),
    reserveFreeMb: find('reserve-free-mb'),
    rowStore: find('row-store'),
    rebuildNodes: find('rebuild-node'),
    forceRecover: find('force-recover'),
    enforceDefaults: find('enforce-defaults'),
    serverless: find('serverless'),
    chargeProfile: find('charge-profile'),
    listPrices: readListPrices(sources.workingDirectory, find('list-prices')),
    burst: find('burst') === 'on',
    readyJson: find('ready-json'),
  };
}

function readAddress(address: string): string {
  if (address !== '' && isIP(address) === 0)
    throw badSetting('broadcast-address', 'the settings', 'it is an IP address: clients are told it as one');
  return address;
}

function readTlsFiles(
  workingDirectory: string,
  certificate: string,
  key: string,
): Pick<Config, 'tlsCert' | 'tlsKey'> {
  if ((certificate === '') !== (key === ''))
    throw badSetting('tls-cert', 'the settings', 'it and tls-key are given together');
  const path = (name: string): string => (name === '' ? '' : resolve(workingDirectory, name));
  return { tlsCert: path(certificate), tlsKey: path(key) };
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

/** One line for each flag of `ringfold start`. */
export function settingsHelp(): string {
  const lines = settingNames.map((name): [string, string] => {
    const setting: Setting = settings[name];
    const flag = setting.placeholder === undefined ? `--${name}` : `--${name} ${setting.placeholder}`;
    const isPlain = typeof setting.default === 'string' || typeof setting.default === 'number';
    return [flag, isPlain && setting.default !== '' ? `${setting.help} (${setting.default})` : setting.help];
  });
  lines.push(['--config FILE', `settings as JSON (./${defaultConfigFile} if it is there)`]);
  const width = Math.max(...lines.map(([flag]) => flag.length));
  return lines.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`).join('\n');
}

type Values = Map<SettingName, unknown>;

function readFlags(flags: readonly string[]): { values: Values; file: string | undefined } {
  const options = Object.fromEntries([
    ...settingNames.map((name) => [
      name,
      { type: settings[name].kind === 'switch' ? 'boolean' : 'string' } as const,
    ]),
    ['config', { type: 'string' } as const],
  ]);
  // Not strict, because parseArgs would name neither the nearest flag nor what a value was meant for.
  const { tokens } = parseArgs({ args: [...flags], options, strict: false, tokens: true });
  const values: Values = new Map();
  let file: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      throw badSetting(
        token.value,
        'the command line',
        'it is not a flag, and the command takes none besides flags',
      );
    }
    const source = 'the command line';
    const isSetting = isSettingName(token.name) && token.rawName.startsWith('--');
    if (!isSetting && token.rawName !== '--config') {
      throw unknownName(
        token.rawName,
        source,
        [...settingNames, 'config'].map((name) => `--${name}`),
      );
    }
    const isSwitch = isSetting && settings[token.name as SettingName].kind === 'switch';
    if (isSwitch && token.value !== undefined) throw badSetting(token.rawName, source, 'it takes no value');
    if (!isSwitch && (token.value === undefined || token.value === '')) {
      throw badSetting(token.rawName, source, 'it needs a value');
    }
    if (!isSetting) {
      file = token.value;
      continue;
    }
    const name = token.name as SettingName;
    const kind: Kind = settings[name].kind;
    if (kind === 'texts' || kind === 'numbers') {
      const before = (values.get(name) ?? []) as unknown[];
      values.set(name, [...before, ...(parse(name, [token.value], token.rawName, source) as unknown[])]);
    } else {
      values.set(name, parse(name, isSwitch ? true : token.value, token.rawName, source));
    }
  }
  return { values, file };
}

function readEnvironment(environment: ConfigSources['environment']): Values {
  const values: Values = new Map();
  const variables = new Map(settingNames.map((name) => [variableOf(name), name]));
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(variablePrefix) || text === undefined) continue;
    const source = 'the environment';
    const name = variables.get(variable);
    if (name === undefined) throw unknownName(variable, source, [...variables.keys()]);
    const kind: Kind = settings[name].kind;
    if (kind === 'texts' || kind === 'numbers') {
      values.set(name, parse(name, text === '' ? [] : text.split(','), variable, source));
    } else if (kind === 'switch') {
      if (!['true', 'false', '1', '0'].includes(text))
        throw badSetting(variable, source, 'it is true or false');
      values.set(name, text === 'true' || text === '1');
    } else {
      values.set(name, parse(name, text, variable, source));
    }
  }
  return values;
}

function readConfigFile(workingDirectory: string, named: string | undefined): Values {
  const path = resolve(workingDirectory, named ?? defaultConfigFile);
  if (named === undefined && !existsSync(path)) return new Map();
  const content = readJson(path, '--config');
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw badSetting('--config', path, 'the file is not a JSON object');
  }
  const values: Values = new Map();
  for (const [name, value] of Object.entries(content)) {
    if (!isSettingName(name)) throw unknownName(name, path, settingNames);
    values.set(name, parse(name, value, name, path));
  }
  return values;
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

function readJson(path: string, setting: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw badSetting(setting, path, 'the file cannot be read', error);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badSetting(setting, path, 'the file is not JSON', error);
  }
}

/** Takes text from flags and variables, and JSON values from the file. */
function parse(name: SettingName, value: unknown, spelled: string, source: string): unknown {
  const setting: Setting = settings[name];
  switch (setting.kind) {
    case 'text':
      if (typeof value !== 'string' || value === '') throw badSetting(spelled, source, 'it is a text');
      if (setting.choices?.includes(value) === false) {
        const given = JSON.stringify(value);
        throw badSetting(spelled, source, `it is one of ${setting.choices.join(', ')}, not ${given}`);
      }
      return value;
    case 'number':
      return parseNumber(setting, value, spelled, source);
    case 'switch':
      if (typeof value !== 'boolean') throw badSetting(spelled, source, 'it is true or false');
      return value;
    case 'texts':
      if (!Array.isArray(value) || !value.every((one) => typeof one === 'string' && one !== '')) {
        throw badSetting(spelled, source, 'it is a list of texts');
      }
      return value;
    case 'numbers':
      if (!Array.isArray(value)) throw badSetting(spelled, source, 'it is a list of numbers');
      return value.map((one) => parseNumber(setting, one, spelled, source));
  }
}

function parseNumber(setting: Setting, value: unknown, spelled: string, source: string): number {
  const { low = 0, high = Number.MAX_SAFE_INTEGER } = setting;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < low || number > high) {
    throw badSetting(
      spelled,
      source,
      `it is a whole number from ${low} to ${high}, not ${JSON.stringify(value)}`,
    );
  }
  return number;
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings, name);
}

function variableOf(name: SettingName): string {
  return variablePrefix + name.replaceAll('-', '_').toUpperCase();
}

function unknownName(spelled: string, source: string, known: readonly string[]): RingfoldError {
  return badSetting(spelled, source, `there is no such setting; did you mean ${nearest(spelled, known)}?`);
}

function badSetting(setting: string, source: string, reason: string, cause?: unknown): RingfoldError {
  return new RingfoldError('bad-setting', { setting, source, reason }, cause);
}

function nearest(word: string, known: readonly string[]): string {
  const [first] = [...known].sort((a, b) => editDistance(word, a) - editDistance(word, b));
  return first ?? '';
}

/** Levenshtein's, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
