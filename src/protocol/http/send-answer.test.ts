import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { HttpRequest } from './http-request.ts';
import { type HttpAnswer, headerLine, sendAnswer } from './send-answer.ts';

const long = 'ä'.repeat(20_000);
const answers: Readonly<Record<string, HttpAnswer>> = {
  '/text': { status: 200, lines: headerLine('x-a', 'b'), body: 'grün' },
  '/bytes': { status: 201, lines: '', body: Buffer.from('grün') },
  '/none': { status: 200, lines: '', body: undefined },
  '/gone': { status: 204, lines: '', body: undefined },
  '/long': { status: 200, lines: headerLine('x-a', 'b'), body: Buffer.from(long) },
};

async function open(context: TestContext, delayMs: (path: string) => number): Promise<Server> {
  const server = createServer({ IncomingMessage: HttpRequest }, (request, response) => {
    const path = request.url ?? '';
    const answer = answers[path] ?? { status: 404, lines: '', body: '{}' };
    const send = (): void => sendAnswer(request, response, answer);
    if (delayMs(path) === 0) send();
    else setTimeout(send, delayMs(path));
  });
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** Everything that comes back until the server closes. */
async function exchange(server: Server, text: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(parts).toString('utf8');
}

function request(method: string, path: string, connection = 'keep-alive'): string {
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`;
}

function bodiesIn(text: string): string[] {
  return text
    .split(/HTTP\/1\.1 /)
    .slice(1)
    .map((each) => each.slice(each.indexOf('\r\n\r\n') + 4));
}

test('requests that come at once are answered in their order, whichever is ready first', async (context) => {
  const paths = ['/text', '/long', '/bytes', '/none', '/gone', '/text'];
  const all = paths.map((path) => request('GET', path)).join('') + request('GET', '/last', 'close');
  for (const late of ['', ...paths]) {
    const server = await open(context, (path) => (path === late ? 5 : 0));
    assert.deepEqual(
      bodiesIn(await exchange(server, all)),
      ['grün', long, 'grün', '', '', 'grün', '{}'],
      late,
    );
  }
});

test('the length is that of the bytes, and an answer that has no body has no length', async (context) => {
  const server = await open(context, () => 0);
  const told = async (path: string, method = 'GET'): Promise<string> =>
    (await exchange(server, request(method, path) + request('GET', '/last', 'close'))).split('\r\n\r\n')[0] ??
    '';
  assert.match(
    await told('/text'),
    /^HTTP\/1\.1 200 OK\r\nx-a: b\r\ncontent-length: 5\r\nconnection: keep-alive\r\nkeep-alive: timeout=150$/,
  );
  assert.match(await told('/bytes'), /^HTTP\/1\.1 201 Created\r\ncontent-length: 5\r\n/);
  assert.match(await told('/none'), /\r\ncontent-length: 0\r\n/);
  assert.doesNotMatch(await told('/gone'), /content-length|transfer-encoding/i);
  assert.match(await told('/long'), /content-length: 40000/i);
  assert.match(await told('/text', 'HEAD'), /content-length: 5/i);
});

test('HEAD is answered without a body', async (context) => {
  const server = await open(context, () => 0);
  const text = await exchange(server, request('HEAD', '/text') + request('GET', '/last', 'close'));
  assert.deepEqual(bodiesIn(text), ['', '{}']);
});

test('a request whose body was not read is the last of its connection', async (context) => {
  const server = await open(context, () => 0);
  const text = await exchange(server, 'POST /text HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n');
  assert.match(text, /connection: close/i);
});

test('no value of a header can begin another line', () => {
  assert.equal(headerLine('a', 'b\r\nc: d\u{1f600}€ü\t~'), 'a: b??c: d??ü\t~\r\n');
});

test('names are known in any letters, a second host is none, and other values are joined', async (context) => {
  const server = createServer({ IncomingMessage: HttpRequest }, (request, response) => {
    response.end(JSON.stringify([...request.fields].filter(([name]) => name !== 'connection')));
  });
  context.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const headers = 'HOST: x\r\nX-Ms-A: 1\r\nx-ms-a: 2\r\nUser-Agent: u\r\nuser-agent: v\r\nConnection: close';
  const text = await exchange(server, `GET / HTTP/1.1\r\n${headers}\r\n\r\n`);
  assert.ok(text.endsWith('[["host","x"],["x-ms-a","1, 2"],["user-agent","u"]]'), text);
});
