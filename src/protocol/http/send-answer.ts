import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { HttpRequest } from './http-request.ts';
import { hasBody } from './read-body.ts';

/** Larger bodies are not copied. */
const maxJoinedBytes = 16 * 1024;
/** A value with one of these would not be a header's. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;
/** SDKs keep connections for two minutes; whoever closes first should be the client, which then sends nothing into the void. */
export const keepAliveSeconds = 150;
const ofConnection = `connection: keep-alive\r\nkeep-alive: timeout=${keepAliveSeconds}\r\n`;
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

/**
 * Where it can, in one write: head and body together are handed to the socket, and node:http is told that its answer is finished, as it would find
 * by itself after a third of all that carrying a request costs. Where it has more to do than that, it does it: for an answer that waits for the
 * one before, for the last on a connection, for HEAD, and for a long body.
 */
export function sendAnswer(request: HttpRequest, response: ServerResponse, answer: HttpAnswer): void {
  const { status, lines, body = nothing } = answer;
  const { socket } = response;
  // A connection whose request was not read to its end cannot carry another.
  const isUnread = !request.complete && hasBody(request);
  const isPlain = socket !== null && response.shouldKeepAlive && !isUnread && request.method !== 'HEAD';
  const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const isBodiless = status === 204 || status === 304;
  const all = isBodiless ? lines : `${lines}content-length: ${bodyBytes}\r\n`;
  if (!isPlain || bodyBytes > maxJoinedBytes) {
    const pairs = pairsOf(all);
    if (isUnread) pairs.push('connection', 'close');
    response.writeHead(status, pairs);
    response.end(isBodiless ? undefined : body);
    return;
  }
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${all}${ofConnection}\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + bodyBytes);
  bytes.write(head, 'latin1');
  if (typeof body === 'string') bytes.write(body, head.length);
  else bytes.set(body, head.length);
  socket.write(bytes);
  response.emit('finish');
}

/** Names and values in turns. */
function pairsOf(lines: string): string[] {
  return lines
    .split('\r\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
}
