import { readFloating } from '../../../values/java-number-text.ts';
import { configurationError } from './definition-errors.ts';

/** When a read is sent to a second replica, or a write to a further one: stored and shown, since here it means nothing. */
export function readSpeculativeRetry(text: string): string {
  if (/^always$/i.test(text)) return 'ALWAYS';
  if (/^(never|none)$/i.test(text)) return 'NEVER';
  return readPercentile(text) ?? readFixed(text) ?? readBoth(text) ?? refuse(text);
}

function refuse(text: string): never {
  throw configurationError(`Invalid value ${text} for option 'speculative_retry'`);
}

function readPercentile(text: string): string | undefined {
  const digits = /^([0-9.]+)p(?:ercentile)?$/i.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const percentile = readFloating(digits) ?? refuse(text);
  if (percentile <= 0 || percentile >= 100) {
    throw configurationError(
      `Invalid value ${text} for PERCENTILE option 'speculative_retry': must be between (0.0 and 100.0)`,
    );
  }
  return `${Number(percentile.toFixed(4))}p`;
}

function readFixed(text: string): string | undefined {
  const digits = /^([0-9.]+)ms$/i.exec(text)?.[1];
  return digits === undefined ? undefined : `${Math.floor(readFloating(digits) ?? refuse(text))}ms`;
}

function readBoth(text: string): string | undefined {
  const [, which = '', first = '', second = ''] =
    /^(MIN|MAX)\(([0-9.]+[a-z]+)\s*,\s*([0-9.]+[a-z]+)\)$/i.exec(text) ?? [];
  if (which === '') return undefined;
  const percentiles = [first, second].map(readPercentile);
  const percentile = percentiles.find((each) => each !== undefined);
  const fixed = [first, second].map(readFixed).find((each) => each !== undefined);
  if (percentile !== undefined && fixed !== undefined)
    return `${which.toUpperCase()}(${percentile},${fixed})`;
  if (percentile === undefined && fixed === undefined) refuse(text);
  const kind = percentile === undefined ? 'FIXED' : 'PERCENTILE';
  throw configurationError(
    `Invalid value ${text} for option 'speculative_retry': MIN()/MAX() arguments should be of different types, but both are of type ${kind}`,
  );
}
