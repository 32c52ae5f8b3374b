import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** One line per event, readable and greppable: time, level, event, then `field=value`. */
export function consoleLog(clock: Clock, writeLine: (line: string) => void): Log {
  const write = (level: string, event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const parts = Object.entries(fields).map(([field, value]) => `${field}=${inOneLine(value)}`);
    writeLine([new Date(clock.now()).toISOString(), level, event, ...parts].join(' '));
  };
  return {
    info: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warn', event, fields),
  };
}

function inOneLine(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(describe(value));
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value) ?? 'undefined';
}

/** The whole chain of causes: the last is often the only one that says what happened. */
function describe(error: Error): string {
  const details = 'details' in error ? ` ${JSON.stringify(error.details)}` : '';
  const cause = error.cause instanceof Error ? `; caused by ${describe(error.cause)}` : '';
  return `${error.stack ?? error.message}${details}${cause}`;
}
