import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { connect as connectTls, createSecureContext } from 'node:tls';
import { type Scheduler, systemScheduler } from '../../foundation/scheduler.ts';
import { selfSignedCertificate } from '../tls/self-signed-certificate.ts';
import type { HttpExchange, HttpListener } from './http-exchange.ts';
import { HttpFrontDoor } from './http-front-door.ts';

/** Time passes when the test says so. */
class HandScheduler implements Scheduler {
  readonly #tasks = new Set<() => void>();

  /** Only time is in our hands: what is due at the end of a turn comes by itself. */
  after(delayMs: number, task: () => void): () => void {
    if (delayMs === 0) return systemScheduler.after(0, task);
    this.#tasks.add(task);
    return () => this.#tasks.delete(task);
  }

  get size(): number {
    return this.#tasks.size;
  }

  runAll(): void {
    const tasks = [...this.#tasks];
    this.#tasks.clear();
    for (const task of tasks) task();
  }
}

const { certificate, key } = selfSignedCertificate('test', ['localhost'], Date.now());
const secureContext = createSecureContext({ cert: certificate, key });

async function openDoor(
  context: TestContext,
  listener: HttpListener,
  scheduler: Scheduler = systemScheduler,
): Promise<{ door: HttpFrontDoor; port: number }> {
  const door = new HttpFrontDoor(listener, () => secureContext, scheduler);
  const port = await door.listen('127.0.0.1', 0);
  context.after(() => door.stop());
  return { door, port };
}

function dial(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

const ok: HttpListener = (exchange) => exchange.answer({ status: 200, lines: '', body: '{}' });

test('a client that says nothing is given up', async (context) => {
  const scheduler = new HandScheduler();
  const { port } = await openDoor(context, ok, scheduler);
  const socket = dial(port).resume();
  while (scheduler.size === 0) await pause();
  const closed = once(socket, 'close');
  scheduler.runAll();
  await closed;
});

test('a client that begins a TLS handshake and does not end it is given up', async (context) => {
  const scheduler = new HandScheduler();
  const { port } = await openDoor(context, ok, scheduler);
  const socket = dial(port).resume();
  while (scheduler.size === 0) await pause();
  const [first] = [scheduler.size];
  assert.equal(first, 1);
  socket.write(Buffer.of(0x16, 3, 1, 2, 0, 1));
  // The wait for a first byte has ended, that for the handshake has begun.
  await pause(50);
  assert.equal(scheduler.size, 1);
  const closed = once(socket, 'close');
  scheduler.runAll();
  await closed;
});

test('a client that has spoken is not given up, and its next request is served', async (context) => {
  const scheduler = new HandScheduler();
  const { port } = await openDoor(context, ok, scheduler);
  const socket = dial(port);
  for (let round = 0; round < 3; round++) {
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
    scheduler.runAll();
  }
  socket.destroy();
});

test('the first request may come byte by byte', async (context) => {
  const { port } = await openDoor(context, ok);
  const socket = dial(port).setNoDelay();
  for (const byte of 'GET / HTTP/1.1\r\nhost: x\r\n\r\n') {
    socket.write(byte);
    await pause();
  }
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
  socket.destroy();
});

test('what is being answered when the server stops is answered, and told that it was the last', async (context) => {
  let exchange: HttpExchange | undefined;
  const { door, port } = await openDoor(context, (begun) => {
    exchange = begun;
  });
  const socket = dial(port);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  while (exchange === undefined) await pause();
  const stopped = door.stop();
  let answer = '';
  socket.on('data', (part) => {
    answer += String(part);
  });
  const closed = once(socket, 'close');
  exchange.answer({ status: 200, lines: '', body: 'done' });
  await closed;
  await stopped;
  assert.match(answer, /connection: close\r\n\r\ndone$/);
});

test('who speaks only HTTP/2 is told to come back with HTTP/1.1, with and without TLS', async (context) => {
  const { port } = await openDoor(context, ok);
  for (const scheme of ['http', 'https']) {
    const session = connectHttp2(`${scheme}://localhost:${port}`, { ca: certificate });
    session.on('error', () => {});
    session.request({ ':path': '/' }).on('error', () => {});
    const [reason] = await once(session, 'goaway');
    assert.equal(reason, constants.NGHTTP2_HTTP_1_1_REQUIRED, scheme);
  }
});

test('who speaks HTTP/2 is not told before there is a request to refuse', async (context) => {
  const { port } = await openDoor(context, ok);
  const socket = dial(port).setNoDelay();
  const emptySettings = Buffer.of(0, 0, 0, 4, 0, 0, 0, 0, 0);
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), emptySettings]));
  const [greeting] = (await once(socket, 'data')) as [Buffer];
  assert.deepEqual(greeting, emptySettings);
  const answered = once(socket, 'data') as Promise<[Buffer]>;
  const closed = once(socket, 'close');
  for (const byte of [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x82]) {
    socket.write(Buffer.of(byte));
    await pause();
  }
  const [answer] = await answered;
  const goAway = 7;
  assert.equal(answer[3], goAway);
  await closed;
});

test('who begins with HTTP/2 and asks for nothing is given up', async (context) => {
  const scheduler = new HandScheduler();
  const { port } = await openDoor(context, ok, scheduler);
  const socket = dial(port);
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  await once(socket, 'data');
  const closed = once(socket.resume(), 'close');
  scheduler.runAll();
  await closed;
});

test('who speaks both is served in HTTP/1.1', async (context) => {
  const { port } = await openDoor(context, ok);
  const socket = connectTls({ port, host: 'localhost', ca: certificate, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(socket, 'secureConnect');
  assert.equal(socket.alpnProtocol, 'http/1.1');
  socket.destroy();
});

test('a port that is taken is told by its flag', async (context) => {
  const { port } = await openDoor(context, ok);
  const second = new HttpFrontDoor(ok, () => secureContext, systemScheduler);
  await assert.rejects(second.listen('127.0.0.1', port), { code: 'bad-setting' });
});

function pause(ms = 1): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
