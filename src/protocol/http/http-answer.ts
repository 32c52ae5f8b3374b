import { reasonOf } from './status-reasons.ts';

/** Larger bodies are not copied. */
const maxJoinedBytes = 16 * 1024;
/** A value with one of these would not be a header's. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;
/** SDKs keep connections for two minutes; whoever closes first should be the client, which then sends nothing into the void. */
export const keepAliveSeconds = 150;
const ofConnection = `connection: keep-alive\r\nkeep-alive: timeout=${keepAliveSeconds}\r\n\r\n`;
const ofLast = 'connection: close\r\n\r\n';
const nothing = '';

export interface HttpAnswer {
  readonly status: number;
  /** Made by `headerLine`; without those of the body's length and of the connection. */
  readonly lines: string;
  readonly body: Buffer | string | undefined;
}

/** A header's line. No value, whatever it was made of, can begin another. */
export function headerLine(name: string, value: string): string {
  return `${name}: ${unsendable.test(value) ? Array.from(value, sendable).join('') : value}\r\n`;
}

function sendable(character: string): string {
  return unsendable.test(character) ? '?' : character;
}

/** What goes out: as one piece unless the body is long. */
export function encodeAnswer(
  { status, lines, body = nothing }: HttpAnswer,
  { isHead, isLast }: { readonly isHead: boolean; readonly isLast: boolean },
): readonly Buffer[] {
  const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const isBodiless = status === 204 || status === 304;
  const length = isBodiless ? nothing : `content-length: ${bodyBytes}\r\n`;
  const head = `HTTP/1.1 ${status} ${reasonOf(status)}\r\n${lines}${length}${isLast ? ofLast : ofConnection}`;
  if (isHead || isBodiless || bodyBytes === 0) return [Buffer.from(head, 'latin1')];
  if (bodyBytes > maxJoinedBytes)
    return [Buffer.from(head, 'latin1'), typeof body === 'string' ? Buffer.from(body) : body];
  const bytes = Buffer.allocUnsafe(head.length + bodyBytes);
  bytes.write(head, 'latin1');
  if (typeof body === 'string') bytes.write(body, head.length);
  else bytes.set(body, head.length);
  return [bytes];
}
