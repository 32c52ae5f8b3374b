import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, test } from 'node:test';
import { HttpRequest } from './http-request.ts';
import { BodyMemory, type ReadBody, readBody } from './read-body.ts';

interface Came {
  readonly body: ReadBody | undefined;
  readonly failure: unknown;
}

const maxBytes = 1_000;
let memory = new BodyMemory(10_000);
let come: (came: Came) => void = () => {};
const server = createServer({ IncomingMessage: HttpRequest }, (request, response) => {
  readBody(request, { maxBytes, memory }, (body, failure) => {
    come({ body, failure });
    response.end();
  });
});
before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
after(() => {
  server.closeAllConnections();
  server.close();
});

function send(parts: readonly string[], declared: number): Promise<Came> {
  memory = new BodyMemory(2_000);
  const came = new Promise<Came>((resolve) => {
    come = resolve;
  });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${declared}\r\n\r\n`);
  for (const part of parts) socket.write(part);
  if (parts.join('').length < declared) setTimeout(() => socket.destroy(), 20);
  return came;
}

test('a body comes whole, and counts until it is released', async () => {
  const { body } = await send(['a'.repeat(600), 'b'.repeat(400)], 1_000);
  assert.equal(body?.bytes.toString(), 'a'.repeat(600) + 'b'.repeat(400));
  assert.equal(memory.bytes, 1_000);
  body?.release();
  body?.release();
  assert.equal(memory.bytes, 0);
});

test('a body that is too large is refused after its end, and nothing of it is kept', async () => {
  const { failure } = await send(['a'.repeat(5_000)], 5_000);
  assert.equal((failure as { code: string }).code, 'request-too-large');
  assert.equal(memory.bytes, 0);
});

test('one that is larger by far is not even read', async () => {
  const { failure } = await send([], 2 ** 31);
  assert.equal((failure as { code: string }).code, 'request-too-large');
});

test('a body that breaks off is refused, and nothing of it is kept', async () => {
  const { failure } = await send(['abc'], 500);
  assert.ok(failure instanceof Error);
  assert.equal(memory.bytes, 0);
});

test('when too much is in flight the next is told to come again', async () => {
  const came = send(['a'.repeat(500)], 500);
  memory.take(1_800);
  const { failure } = await came;
  assert.equal((failure as { code: string }).code, 'too-much-in-flight');
  assert.equal(memory.bytes, 1_800);
});
