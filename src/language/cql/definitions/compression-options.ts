// What `compression` may say. It is checked, kept and shown as Cassandra does; what is stored here is not compressed by it.

import { printDouble, readFloating } from '../../../values/java-number-text.ts';
import { sortedMap } from './compaction-options.ts';
import { configurationError } from './definition-errors.ts';
import { readInt } from './property-values.ts';

type Options = ReadonlyMap<string, string>;

const packageName = 'org.apache.cassandra.io.compress.';

/** With the options each has of its own. */
const compressors: ReadonlyMap<string, readonly string[]> = new Map([
  ['LZ4Compressor', ['lz4_compressor_type', 'lz4_high_compressor_level']],
  ['SnappyCompressor', []],
  ['DeflateCompressor', []],
  ['ZstdCompressor', ['compression_level']],
  ['NoopCompressor', []],
]);

const maxInt = 2 ** 31 - 1;
const ownOptions = new Set(['enabled', 'class', 'chunk_length_in_kb', 'min_compress_ratio']);

export function readCompression(map: Options): Options {
  const isEnabled = isTrue(map.get('enabled'));
  if (map.size > 0 && isEnabled && !map.has('class'))
    throw configurationError("Missing sub-option 'class' for the 'compression' option.");
  const rest = [...map].filter(([name]) => name !== 'enabled');
  if (!isEnabled && rest.length > 0)
    throw configurationError("If the 'enabled' option is set to false no other options must be specified");
  if (map.get('class') === '') {
    throw configurationError(
      "The 'class' option must not be empty. To disable compression use 'enabled' : false",
    );
  }
  const chunkKb = readChunkLength(map.get('chunk_length_in_kb'));
  const ratio = readRatio(map.get('min_compress_ratio'));
  const others = rest.filter(([name]) => !ownOptions.has(name));
  const className = readClass(map.get('class'), others);
  checkLengths(chunkKb, ratio);
  if (className === undefined) return new Map([['enabled', 'false']]);
  return sortedMap([
    ...others,
    ['class', className],
    ['chunk_length_in_kb', String(chunkKb)],
    ...(ratio === 0 ? [] : [['min_compress_ratio', printDouble(ratio)] as const]),
  ]);
}

function isTrue(enabled: string | undefined): boolean {
  return enabled === undefined || /^true$/i.test(enabled);
}

function readChunkLength(text: string | undefined): number {
  if (text === undefined) return 16;
  const value = readInt(text);
  if (value === undefined) throw configurationError('Invalid value for chunk_length_in_kb');
  if (value > maxInt / 1_024) throw configurationError(`Value of chunk_length_in_kb is too large (${value})`);
  return value;
}

function readRatio(text: string | undefined): number {
  if (text === undefined) return 0;
  const value = readFloating(text);
  if (value === undefined) throw configurationError(`For input string: "${text}"`);
  return value;
}

function readClass(
  written: string | undefined,
  others: readonly (readonly [string, string])[],
): string | undefined {
  if (written === undefined) return undefined;
  const className = written.includes('.') ? written : packageName + written;
  const own = className.startsWith(packageName)
    ? compressors.get(className.slice(packageName.length))
    : undefined;
  if (own === undefined) throw configurationError(`Could not create Compression for type ${className}`);
  const unknown = others.find(([name]) => !own.includes(name));
  if (unknown !== undefined) throw configurationError(`Unknown compression options ${unknown[0]}`);
  checkOwn(new Map(others));
  return className;
}

function checkOwn(others: Options): void {
  const type = others.get('lz4_compressor_type');
  if (type !== undefined && type !== 'fast' && type !== 'high') {
    throw configurationError(
      `Invalid compressor type '${type}' specified for LZ4 parameter 'lz4_compressor_type'. Valid options are [high, fast].`,
    );
  }
  const highLevel = others.get('lz4_high_compressor_level');
  if (highLevel !== undefined) checkHighLevel(highLevel);
  const level = others.get('compression_level');
  if (level !== undefined && !isZstdLevel(level)) {
    throw configurationError(
      `ZstdCompressor.create() threw an error: java.lang.IllegalArgumentException compression_level=${level} is invalid`,
    );
  }
}

function checkHighLevel(text: string): void {
  const level = readInt(text);
  if (level === undefined || level < 1 || level > 17) {
    throw configurationError(
      `Invalid value [${text}] for parameter 'lz4_high_compressor_level'. Value must be between 1 and 17.`,
    );
  }
}

function isZstdLevel(text: string): boolean {
  const level = readInt(text);
  return level !== undefined && level >= -131_072 && level <= 22;
}

function checkLengths(chunkKb: number, ratio: number): void {
  const chunk = chunkKb * 1_024;
  if (chunk <= 0) throw configurationError('Invalid negative or null chunk_length_in_kb');
  if ((chunk & (chunk - 1)) !== 0) throw configurationError('chunk_length_in_kb must be a power of 2');
  const longest = ratio === 0 ? maxInt : Math.ceil(Math.min(chunk / ratio, maxInt));
  if (longest < 0) throw configurationError('Invalid negative min_compress_ratio');
  if (longest > chunk && longest < maxInt)
    throw configurationError('min_compress_ratio can either be 0 or greater than or equal to 1');
}
