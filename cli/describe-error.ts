import { RingfoldError } from '../src/errors/ringfold-error.ts';
import { CommandFailure } from './command.ts';

/** For people: the sentence of the code, then what was particular. A bug shows its stack instead. */
export function describeError(error: unknown): string {
  // What the operating system refused says enough by itself, too.
  if (error instanceof CommandFailure || (error instanceof Error && 'syscall' in error)) return error.message;
  if (!(error instanceof RingfoldError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  return describeRefusal(error.message, error.details);
}

export function describeRefusal(message: string, details: Readonly<Record<string, unknown>>): string {
  const { setting, source, reason, ...others } = details;
  const place = setting === undefined ? [] : [sentence(`${setting} (${source}): ${reason}`)];
  const why = setting === undefined && reason !== undefined ? [sentence(capitalized(String(reason)))] : [];
  const fields = Object.entries(others).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [message, ...place, ...why, ...(fields.length === 0 ? [] : [`(${fields.join(', ')})`])].join(' ');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
