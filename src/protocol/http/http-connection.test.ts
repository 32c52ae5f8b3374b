import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { systemScheduler } from '../../foundation/scheduler.ts';
import { HttpConnection } from './http-connection.ts';
import type { HttpExchange, HttpListener } from './http-exchange.ts';
import { Outbox } from './outbox.ts';
import { BodyMemory, readBody } from './read-body.ts';

const long = 'ä'.repeat(20_000);
const bodies: Readonly<Record<string, string>> = { '/text': 'grün', '/long': long, '/none': '' };

interface Opened {
  readonly client: Socket;
  readonly connection: HttpConnection;
  /** All that has come so far. */
  readonly said: () => string;
  /** How much of what the client sent has been read. */
  readonly readBytes: () => number;
  readonly closed: Promise<unknown>;
}

async function open(context: TestContext, listener: HttpListener): Promise<Opened> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const address = server.address();
  const client = connect({
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    allowHalfOpen: true,
  });
  const parts: Buffer[] = [];
  client.on('data', (part: Buffer) => parts.push(part));
  client.on('end', () => client.end());
  client.on('error', () => {});
  const [socket] = (await accepted) as [Socket];
  context.after(() => {
    socket.destroy();
    client.destroy();
    server.close();
  });
  const connection = new HttpConnection(socket, listener, new Outbox(systemScheduler));
  const closed = once(client, 'close');
  const said = () => Buffer.concat(parts).toString('utf8');
  return { client, connection, said, readBytes: () => socket.bytesRead, closed };
}

function answer(exchange: HttpExchange): void {
  exchange.answer({ status: 200, lines: '', body: bodies[exchange.request.url] ?? '{}' });
}

/** Answers with what came. */
const echo: HttpListener = (exchange) => {
  readBody(exchange, { maxBytes: 1_000, memory: new BodyMemory(1_000_000) }, (body, failure) => {
    const status = failure === undefined ? 200 : 400;
    if (!exchange.isClosed) exchange.answer({ status, lines: '', body: body?.bytes ?? String(failure) });
  });
};

function request(method: string, path: string, more = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
}

function bodiesIn(text: string): string[] {
  return text
    .split(/HTTP\/1\.1 /)
    .slice(1)
    .map((each) => each.slice(each.indexOf('\r\n\r\n') + 4));
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}

test('requests that come at once are answered in their order, whichever is ready first', async (context) => {
  const paths = ['/text', '/long', '/text', '/none', '/text'];
  const all = paths.map((path) => request('GET', path)).join('');
  for (const late of ['', '/text', '/long', '/none']) {
    const { client, said, closed } = await open(context, (exchange) => {
      if (exchange.request.url === late) setTimeout(() => answer(exchange), 5);
      else answer(exchange);
    });
    client.write(all + request('GET', '/last', 'Connection: close\r\n'));
    await closed;
    assert.deepEqual(bodiesIn(said()), ['grün', long, 'grün', '', 'grün', '{}'], late);
  }
});

test('a client that sends many requests and reads nothing is not read any further', async (context) => {
  let begun = 0;
  const { client } = await open(context, (exchange) => {
    begun += 1;
    exchange.answer({ status: 200, lines: '', body: Buffer.alloc(200_000, 'x') });
  });
  client.pause();
  const count = 200;
  client.write(request('GET', '/text').repeat(count));
  await until(() => begun > 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(begun < 100, `${begun} were served`);
  client.resume();
  let bytes = 0;
  client.on('data', (part: Buffer) => {
    bytes += part.length;
  });
  await until(() => bytes > 200_000 * count);
  assert.equal(begun, count);
});

test('no more than some requests are in the works for one client', async (context) => {
  const waiting: HttpExchange[] = [];
  const { client, said } = await open(context, (exchange) => void waiting.push(exchange));
  client.write(request('GET', '/text').repeat(100));
  await until(() => waiting.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(waiting.length, 32);
  for (let at = 0; at < 100; at++) {
    await until(() => waiting.length > at);
    answer(waiting[at] as HttpExchange);
  }
  await until(() => bodiesIn(said()).length === 100);
});

test('who asks first whether a body is wanted is told so, in turn', async (context) => {
  const waiting: HttpExchange[] = [];
  const { client, said, closed } = await open(context, (exchange) => {
    if (exchange.request.method === 'GET') waiting.push(exchange);
    else echo(exchange);
  });
  client.write(request('GET', '/text'));
  client.write(request('POST', '/', 'Expect: 100-continue\r\nContent-Length: 4\r\nConnection: close\r\n'));
  await until(() => waiting.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(said(), '');
  for (const exchange of waiting) answer(exchange);
  await until(() => said().includes('100 Continue'));
  client.write('body');
  await closed;
  assert.deepEqual(bodiesIn(said()), ['grün', '', 'body']);
});

test('a request whose body was not read is the last of its connection, and what comes of it is thrown away', async (context) => {
  const { client, said, closed } = await open(context, answer);
  client.write(request('POST', '/text', 'Content-Length: 1000000\r\n'));
  await until(() => said() !== '');
  client.write('x'.repeat(500_000));
  client.write('x'.repeat(500_000) + request('GET', '/text'));
  await closed;
  assert.match(said(), /connection: close/);
  assert.deepEqual(bodiesIn(said()), ['grün']);
});

test('what comes in one piece with a request whose answer is the last is not served', async (context) => {
  const served: string[] = [];
  const { client, said, closed } = await open(context, (exchange) => {
    served.push(exchange.request.url);
    answer(exchange);
  });
  client.write(`${request('POST', '/text', 'Content-Length: 4\r\n')}body${request('POST', '/none')}`);
  await closed;
  assert.deepEqual(served, ['/text']);
  assert.deepEqual(bodiesIn(said()), ['grün']);
});

test('what is no HTTP is refused in turn, and nothing after it is read', async (context) => {
  const waiting: HttpExchange[] = [];
  const { client, said, closed } = await open(context, (exchange) => void waiting.push(exchange));
  client.write(`${request('GET', '/text')}GARBAGE\r\n\r\n${request('GET', '/text')}`);
  await until(() => waiting.length > 0);
  for (const exchange of waiting) answer(exchange);
  await closed;
  assert.equal(waiting.length, 1);
  assert.match(said(), /grünHTTP\/1\.1 400 Bad Request\r\n.*"code":"BadRequest"/s);
});

test('a body that is no body is refused by whoever asked for it', async (context) => {
  const { client, said, closed } = await open(context, echo);
  client.write(`${request('POST', '/', 'Transfer-Encoding: chunked\r\n')}4\r\nbodyX\r\n`);
  await closed;
  assert.match(said(), /^HTTP\/1\.1 400 .*connection: close\r\n\r\nHttpRefusal: a chunk/s);
});

test('a client that has sent everything and says so still gets its answers', async (context) => {
  const { client, said, closed } = await open(context, (exchange) => setTimeout(() => answer(exchange), 5));
  client.end(request('GET', '/text').repeat(3));
  await closed;
  assert.deepEqual(bodiesIn(said()), ['grün', 'grün', 'grün']);
});

test('a client that goes away within a body is known to have gone', async (context) => {
  let failure: unknown;
  let isBegun = false;
  const { client } = await open(context, (exchange) => {
    isBegun = true;
    readBody(exchange, { maxBytes: 100, memory: new BodyMemory(100) }, (_body, failed) => {
      failure = failed;
      assert.ok(exchange.isClosed);
    });
  });
  client.write(`${request('POST', '/', 'Content-Length: 4\r\n')}bo`);
  await until(() => isBegun);
  client.resetAndDestroy();
  await until(() => failure !== undefined);
});

test('a request that takes a minute to come is refused, however it trickles', async (context) => {
  for (const [start, rest] of [
    ['GET / HTTP/1.1\r\n', 'a: b\r\n'],
    [request('POST', '/', 'Content-Length: 1000\r\n'), 'x'],
  ] as const) {
    const { client, connection, said, readBytes, closed } = await open(context, echo);
    client.write(start);
    await until(() => readBytes() > 0);
    for (let beat = 0; beat < 12; beat++) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      client.write(rest);
      connection.beat();
    }
    assert.equal(said(), '');
    await new Promise((resolve) => setTimeout(resolve, 5));
    connection.beat();
    await closed;
    assert.match(said(), /^HTTP\/1\.1 40[08] .*too long/s);
  }
});

test('a last answer that is long is not cut off while it is taken, and not waited for without end', async (context) => {
  const body = Buffer.alloc(32 * 2 ** 20, 'x');
  for (const isTaken of [true, false]) {
    const { client, connection, said, closed } = await open(context, (exchange) =>
      exchange.answer({ status: 200, lines: '', body }),
    );
    client.pause();
    client.write(request('GET', '/', 'Connection: close\r\n'));
    await until(() => client.readableLength > 0);
    for (let beat = 0; beat < (isTaken ? 24 : 25); beat++) connection.beat();
    assert.equal(connection.isClosed, !isTaken);
    client.resume();
    await closed;
    if (isTaken) assert.equal(bodiesIn(said())[0]?.length, body.length);
  }
});

test('a connection that carries nothing is closed after two and a half minutes, and not while something is answered', async (context) => {
  const waiting: HttpExchange[] = [];
  const { client, connection, said, closed } = await open(context, (exchange) => void waiting.push(exchange));
  client.write(request('GET', '/text'));
  await until(() => waiting.length > 0);
  for (let beat = 0; beat < 100; beat++) connection.beat();
  for (const exchange of waiting) answer(exchange);
  await until(() => said() !== '');
  for (let beat = 0; beat < 30; beat++) connection.beat();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(!client.destroyed);
  connection.beat();
  await closed;
  assert.deepEqual(bodiesIn(said()), ['grün']);
});
