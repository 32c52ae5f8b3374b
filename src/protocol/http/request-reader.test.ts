// The reader is held against node:http, which reads the same bytes: in whatever pieces they come, it finds the same requests; and of what
// is damaged it never makes a request that node:http does not make of it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { HttpRefusal } from './http-refusal.ts';
import { RequestReader } from './request-reader.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  /** Those that count once are left out: the two join them differently. */
  readonly fields: readonly (readonly [string, string])[];
  readonly body: string;
}

interface Reading {
  /** Those that are complete. */
  readonly seen: readonly Seen[];
  readonly status: number | undefined;
}

/** In pieces that end at these places. */
function read(bytes: Buffer, cuts: readonly number[] = []): Reading {
  const seen: Seen[] = [];
  let current: Omit<Seen, 'body'> | undefined;
  let parts: Buffer[] = [];
  const reader = new RequestReader({
    head: ({ method, url, fields }) => {
      current = { method, url, fields: [...fields] };
      parts = [];
    },
    part: (part) => void parts.push(Buffer.from(part)),
    end: () => {
      if (current !== undefined) seen.push({ ...current, body: Buffer.concat(parts).toString('latin1') });
    },
  });
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])];
  places.sort((left, right) => left - right);
  try {
    for (const [at, place] of places.entries())
      if (at > 0) reader.push(bytes.subarray(places[at - 1], place));
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
    return { seen, status: error.status };
  }
  return { seen, status: undefined };
}

let heard: { readonly port: number | undefined; readonly seen: Seen }[] = [];
let complete = (): void => {};
const server: Server = createServer(
  { maxHeaderSize: 64 * 1024, joinDuplicateHeaders: true },
  (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const seen = seenOf(request, Buffer.concat(parts).toString('latin1'));
      heard.push({ port: request.socket.remotePort, seen });
      response.end();
      complete();
    });
    request.on('error', () => {});
  },
);
// Requests that came before what it could not read are told some turns later.
server.on('clientError', (_error, socket) => {
  const end = (turns: number) => (turns > 0 ? setImmediate(end, turns - 1) : socket.destroy());
  end(20);
});
before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
after(() => {
  server.closeAllConnections();
  server.close();
});

function seenOf({ method = '', url = '', rawHeaders }: IncomingMessage, body: string): Seen {
  const fields = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = String(rawHeaders[at]).toLowerCase();
    const before = fields.get(name);
    fields.set(name, before === undefined ? `${rawHeaders[at + 1]}` : `${before}, ${rawHeaders[at + 1]}`);
  }
  return { method, url, fields: [...fields], body };
}

/** Of all that node:http finds until it closes the connection or has found as many as are wanted. */
async function readByNode(bytes: Buffer, wanted: number): Promise<readonly Seen[]> {
  heard = [];
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  const done = new Promise<void>((resolve) => {
    complete = () => {
      const count = heard.filter(({ port }) => port === socket.localPort).length;
      if (count >= wanted && wanted > 0) resolve();
    };
    socket.on('close', () => resolve());
  });
  socket.resume();
  await once(socket, 'connect');
  const { localPort } = socket;
  socket.end(bytes);
  await done;
  socket.destroy();
  // What an earlier conversation left to be read may have come meanwhile.
  return heard.filter(({ port }) => port === localPort).map(({ seen }) => seen);
}

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const headers = fc.array(
  fc.tuple(
    word.map((name) => `X-${name}`),
    fc.stringMatching(/^[\x21-\x7e]([\t\x20-\x7e]{0,20}[\x21-\x7e])?$/),
  ),
  { maxLength: 5 },
);
const body = fc.oneof(
  fc.constant(undefined),
  fc.record({ text: fc.string({ maxLength: 30 }), chunks: fc.array(fc.nat({ max: 12 }), { maxLength: 4 }) }),
);
const requestText = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH'),
    path: fc.webPath(),
    headers,
    body,
  })
  .map(({ method, path, headers: given, body: content }) => {
    const lines = given.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const start = `${method} /${path.replace(/^\//, '')} HTTP/1.1\r\nHost: x\r\n${lines}`;
    if (content === undefined) return `${start}\r\n`;
    const bytes = Buffer.from(content.text).toString('latin1');
    if (content.chunks.length === 0) return `${start}Content-Length: ${bytes.length}\r\n\r\n${bytes}`;
    return `${start}Transfer-Encoding: chunked\r\n\r\n${chunked(bytes, content.chunks)}`;
  });

function chunked(bytes: string, sizes: readonly number[]): string {
  let text = '';
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    const part = bytes.slice(at, at + size);
    at += part.length;
    if (part !== '') text += `${part.length.toString(16)}${size % 3 === 0 ? ';a=b' : ''}\r\n${part}\r\n`;
  }
  return `${text}0\r\n${sizes.length % 2 === 0 ? 'X-Late: a\r\n' : ''}\r\n`;
}

const conversation = fc.array(requestText, { minLength: 1, maxLength: 4 });

test('requests are found whole and in order, whatever pieces they come in', () => {
  fc.assert(
    fc.property(conversation, fc.array(fc.nat(), { maxLength: 20 }), (texts, cuts) => {
      const bytes = Buffer.from(texts.join(''), 'latin1');
      const whole = read(bytes);
      assert.equal(whole.status, undefined);
      assert.equal(whole.seen.length, texts.length);
      assert.deepEqual(read(bytes, cuts), whole);
      assert.deepEqual(
        read(
          bytes,
          Array.from(bytes, (_, at) => at),
        ),
        whole,
      );
    }),
    { numRuns: 150 },
  );
});

test('node:http finds the same requests', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, async (texts) => {
      const bytes = Buffer.from(texts.join(''), 'latin1');
      assert.deepEqual(read(bytes).seen, await readByNode(bytes, texts.length));
    }),
    { numRuns: 60 },
  );
});

/** Where requests of one server are no requests of another. */
const damage = fc.record({
  at: fc.nat(),
  bytes: fc.oneof(
    fc.constantFrom(
      '',
      '\r',
      '\n',
      '\r\n',
      '\r\n\r\n',
      ' ',
      '\t',
      ':',
      '\0',
      ';',
      ',',
      '0',
      'f',
      '\x0b',
      '\xff',
    ),
    fc.constantFrom(
      'Content-Length: 3\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Transfer-Encoding: identity\r\n',
      'Connection: close\r\n',
      'Host: y\r\n',
      ' folded\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    ),
  ),
  removed: fc.nat({ max: 3 }),
});

function damaged(text: string, damages: readonly { at: number; bytes: string; removed: number }[]): Buffer {
  let result = text;
  for (const { at, bytes, removed } of damages) {
    // Lines are where it hurts most.
    const ends = [...result.matchAll(/\r\n/g)].map(({ index }) => index);
    const end = ends[at % ends.length] ?? 0;
    const place = at % 3 === 0 ? at % result.length : Math.max(0, end + (at % 2) * 2);
    result = result.slice(0, place) + bytes + result.slice(place + removed);
  }
  return Buffer.from(result, 'latin1');
}

test('of what is damaged no request is made that node:http does not make of it too', async () => {
  await fc.assert(
    fc.asyncProperty(
      conversation,
      fc.array(damage, { minLength: 1, maxLength: 3 }),
      async (texts, damages) => {
        const bytes = damaged(texts.join(''), damages);
        const { seen } = read(bytes);
        // A method that it does not know, or that asks it for something else than an answer, is no matter of framing.
        if (seen.some(({ method }) => !knownMethods.has(method))) return;
        const theirs = await readByNode(bytes, seen.length);
        assert.deepEqual(seen, theirs.slice(0, seen.length));
      },
    ),
    { numRuns: 150 },
  );
});

const knownMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']);

test('bytes of any kind are refused or wait for more, and nothing else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(), { maxLength: 5 }), (bytes, cuts) => {
      assert.deepEqual(read(Buffer.from(bytes), cuts).seen, []);
    }),
    { numRuns: 200 },
  );
});

test('who does not speak HTTP is told so by the first bytes', () => {
  for (const text of ['\x04\0\0\0', 'hello', 'GET\r', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '\n', '\r\r'])
    assert.equal(read(Buffer.from(text)).status, 400, text);
  for (const text of ['G', 'GET', 'GET /', '\r', '\r\n', '\r\nG'])
    assert.equal(read(Buffer.from(text)).status, undefined, text);
});

test('a head that is too long is refused, whether it ends or not, and however it comes', () => {
  const head = (bytes: number): string => `GET / HTTP/1.1\r\nHost: x\r\na: ${'b'.repeat(bytes)}`;
  assert.equal(read(Buffer.from(`${head(64_000)}\r\n\r\n`)).status, undefined);
  assert.equal(read(Buffer.from(`${head(66_000)}\r\n\r\n`)).status, 431);
  assert.equal(read(Buffer.from(head(66_000)), [1, 1_000, 65_000]).status, 431);
});

test('a chunk has a size of hexadecimal digits, its size, and a line end', () => {
  const start = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const statusOf = (chunks: string): number | undefined => read(Buffer.from(start + chunks)).status;
  assert.equal(statusOf('A;x="y"\r\n0123456789\r\n0\r\n\r\n'), undefined);
  for (const chunks of [
    '\r\n',
    ' 1\r\n',
    '+1\r\n',
    '0x1\r\n',
    '-1\r\n',
    '1 2\r\n',
    '1\n\r\n',
    '1111111111111\r\n',
    '1\r\nab',
    '1\r\na\n',
    '1\r\na\r\r',
    '0\r\nno colon\r\n\r\n',
    `1;${'x'.repeat(2_000)}`,
  ])
    assert.equal(statusOf(chunks), 400, JSON.stringify(chunks));
});

test('what comes behind a request that says it is the last is not looked at', () => {
  const last = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1\r\n\r\na';
  const { seen, status } = read(Buffer.from(`${last}GET / HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n`), [80]);
  assert.equal(seen.length, 1);
  assert.equal(status, undefined);
});

test('headers behind a body cannot change what was read', () => {
  const start = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n';
  for (const name of ['Content-Length: 1', 'Transfer-Encoding: chunked', 'Host: y', 'Connection: close'])
    assert.equal(read(Buffer.from(`${start}${name}\r\n\r\n`)).status, 400, name);
});
