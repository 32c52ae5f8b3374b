import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExchangeCarrier, HttpExchange } from './http-exchange.ts';
import { HttpRefusal } from './http-refusal.ts';
import { BodyMemory, type ReadBody, readBody } from './read-body.ts';
import type { RequestHead } from './request-head.ts';

interface Came {
  readonly body: ReadBody | undefined;
  readonly failure: unknown;
}

const maxBytes = 1_000;
const maxBytesInFlight = 2_000;
const carrier: ExchangeCarrier = {
  peer: { isEncrypted: false, remoteAddress: '', localAddress: '', localPort: 0 },
  isClosed: false,
  isLastTurn: () => false,
  send: () => {},
};

function asked(bodyBytes: RequestHead['bodyBytes'], memory = new BodyMemory(maxBytesInFlight)) {
  const head = { method: 'POST', url: '/', fields: new Map(), isKeptAlive: true, isWaiting: false };
  const exchange = new HttpExchange({ ...head, bodyBytes }, carrier);
  const came: Came[] = [];
  readBody(exchange, { maxBytes, memory }, (body, failure) => came.push({ body, failure }));
  return { exchange, memory, came };
}

function codeOf(came: readonly Came[]): unknown {
  assert.equal(came.length, 1);
  return (came[0]?.failure as { code?: string } | undefined)?.code;
}

test('a body comes whole, and counts until it is released', () => {
  const { exchange, memory, came } = asked(1_000);
  exchange.part(Buffer.from('a'.repeat(600)));
  exchange.part(Buffer.from('b'.repeat(400)));
  assert.equal(came.length, 0);
  exchange.end();
  const [{ body } = { body: undefined }] = came;
  assert.equal(body?.bytes.toString(), 'a'.repeat(600) + 'b'.repeat(400));
  assert.equal(memory.bytes, 1_000);
  body?.release();
  body?.release();
  assert.equal(memory.bytes, 0);
});

test('a body that comes byte by byte is not kept byte by byte', () => {
  const { exchange, memory, came } = asked('chunked');
  const arrived = Buffer.from('abcdefghij'.repeat(100));
  const expected = arrived.toString();
  for (let at = 0; at < arrived.length; at++) exchange.part(arrived.subarray(at, at + 1));
  // What was joined is no longer in what arrived.
  arrived.fill('-', 0, 900);
  exchange.end();
  assert.equal(came[0]?.body?.bytes.toString(), expected);
  assert.equal(memory.bytes, 1_000);
});

test('a body that is too large is refused after its end, and nothing of it is kept', () => {
  const { exchange, memory, came } = asked('chunked');
  exchange.part(Buffer.alloc(900));
  exchange.part(Buffer.alloc(4_000));
  assert.equal(memory.bytes, 0);
  assert.equal(came.length, 0);
  exchange.end();
  assert.equal(codeOf(came), 'request-too-large');
});

test('one that is larger by far is not even read', () => {
  const { came } = asked(2 ** 31);
  assert.equal(codeOf(came), 'request-too-large');
});

test('one that turns out to be larger by far is not read to its end', () => {
  const { exchange, came } = asked('chunked');
  const part = Buffer.alloc(2 ** 20);
  for (let at = 0; at <= 64; at++) exchange.part(part);
  assert.equal(codeOf(came), 'request-too-large');
  exchange.part(part);
  exchange.end();
  assert.equal(came.length, 1);
});

test('a body that breaks off is refused, and nothing of it is kept', () => {
  const { exchange, memory, came } = asked(500);
  exchange.part(Buffer.from('abc'));
  exchange.fail(new HttpRefusal(400, 'gone'));
  assert.ok(came[0]?.failure instanceof HttpRefusal);
  assert.equal(came.length, 1);
  assert.equal(memory.bytes, 0);
});

test('when too much is in flight the next is told to come again', () => {
  const memory = new BodyMemory(maxBytesInFlight);
  memory.take(1_800);
  const { exchange, came } = asked(500, memory);
  exchange.part(Buffer.alloc(500));
  exchange.end();
  assert.equal(codeOf(came), 'too-much-in-flight');
  assert.equal(memory.bytes, 1_800);
});
