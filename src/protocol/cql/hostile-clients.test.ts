// Clients that break the protocol, send too much or read too little: they hurt themselves, and nobody else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { StatementAnswer } from '../../execution/cql/statement-request.ts';
import { integerBetween, type Random, SeededRandom } from '../../foundation/random.ts';
import { fromHundredths } from '../../throughput/request-units.ts';
import { encodeRequest, frameOf, plainParameters } from './encode-request.samples.ts';
import { opcodes } from './opcode.ts';
import { RequestMemory } from './request-memory.ts';
import type { Request } from './requests/request.ts';
import { segmentsOf } from './segment.ts';
import { TestClient, TestDoor, voidAnswer } from './test-door.samples.ts';

const column = { keyspace: 'ks', table: 't', name: 'v', type: { kind: 'blob' as const } };

function rowsOf(bytes: number, each = 1): StatementAnswer {
  const rows = [[Buffer.alloc(bytes, each)]];
  return {
    kind: 'rows',
    columns: [column],
    rows,
    pagingState: undefined,
    chargeRu: fromHundredths(100),
    warnings: [],
  };
}

function select(table: string): Request {
  return { kind: 'query', text: `SELECT * FROM ks.${table}`, parameters: plainParameters };
}

/** A client's whole talk, with the faults that the seed says. */
function faultyTalk(random: Random): Buffer {
  const version = ([3, 4, 5] as const)[integerBetween(random, 0, 2)] ?? 4;
  const requests: Request[] = [
    { kind: 'startup', options: new Map([['CQL_VERSION', '3.0.0']]) },
    { kind: 'options' },
    { kind: 'register', events: ['SCHEMA_CHANGE'] },
    { kind: 'prepare', text: 'SELECT * FROM ks.small WHERE a = ?', keyspace: undefined },
    {
      ...select('small'),
      parameters: { ...plainParameters, values: [Buffer.from('v'), null, undefined] },
    } as Request,
    { kind: 'auth-response', token: Buffer.from('\0a\0b') },
  ];
  const first = encodeRequest(version, 0, requests[0] as Request);
  const chosen = Array.from({ length: integerBetween(random, 1, 12) }, (_, stream) =>
    encodeRequest(version, stream, requests[integerBetween(random, 0, requests.length - 1)] as Request),
  );
  const isHonestStart = random.next() < 0.7;
  const rest = Buffer.concat(chosen);
  const framed =
    version === 5 && isHonestStart ? Buffer.concat(segmentsOf(rest, [rest.length], undefined)) : rest;
  const damaged = damage(framed, random);
  // What begins like a handshake of TLS goes another way.
  if (random.next() < 0.1) return Buffer.concat([Buffer.of(0x16, 0x03, 0x01), damaged]);
  return isHonestStart ? Buffer.concat([first, damaged]) : damaged;
}

function damage(bytes: Buffer, random: Random): Buffer {
  let talk = Buffer.from(bytes);
  for (let faults = integerBetween(random, 0, 4); faults > 0; faults--) {
    const at = integerBetween(random, 0, Math.max(0, talk.length - 1));
    const kind = integerBetween(random, 0, 4);
    if (kind === 0) talk[at] = integerBetween(random, 0, 255);
    if (kind === 1) talk = talk.subarray(0, at);
    if (kind === 2) talk = Buffer.concat([talk.subarray(0, at), randomBytes(random, 20), talk.subarray(at)]);
    if (kind === 3) talk = Buffer.concat([talk.subarray(at), talk.subarray(0, at)]);
    if (kind === 4 && talk.length >= at + 4) talk.writeUInt32BE(integerBetween(random, 0, 2 ** 32 - 1), at);
    if (talk.length === 0) break;
  }
  return talk;
}

/** Waits as long as a busy machine may take. */
async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !condition(); tries++) await pause(10);
  assert.ok(condition(), 'it came to be');
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => integerBetween(random, 0, 255)));
}

async function talkAndLeave(port: number, talk: Buffer, random: Random): Promise<void> {
  const client = await TestClient.open(port, 4);
  client.socket.removeAllListeners('data');
  client.socket.resume();
  for (let at = 0; at < talk.length; ) {
    const length = integerBetween(random, 1, 200);
    client.socket.write(talk.subarray(at, at + length));
    at += length;
    if (random.next() < 0.2) await pause(0);
  }
  if (random.next() < 0.3) client.close();
  else client.socket.end();
  await client.closed();
}

test('whatever bytes clients send, others are served, nothing breaks and every connection ends', async () => {
  const door = await TestDoor.open({ small: () => ({ run: () => rowsOf(10) }) });
  const witness = await door.connect();
  for (let seed = 1; seed <= 60; seed++) {
    const random = new SeededRandom(seed);
    const talks = Array.from({ length: 3 }, () => talkAndLeave(door.port, faultyTalk(random), random));
    assert.equal((await witness.ask(select('small'))).what, 'rows', `seed ${seed}`);
    await Promise.all(talks);
    assert.deepEqual(door.seen.warnings, [], `seed ${seed}`);
  }
  assert.equal((await witness.ask(select('small'))).what, 'rows');
  await until(() => door.clients.length === 1);
  witness.close();
  await door.stop();
});

test('a request above the limit is refused by its header, passed over as it comes, and the next is served', async () => {
  const door = await TestDoor.open({ small: () => ({ run: () => rowsOf(10) }) }, { maxFrameBytes: 10_000 });
  for (const version of [4, 5] as const) {
    const client = await door.connect(version);
    client.write(frameOf(version, 0, 7, opcodes.query, Buffer.alloc(300_000)));
    assert.deepEqual((await client.answer(7))?.error, {
      error: 'invalid',
      message: 'Request is too big: length 300009 exceeds maximum allowed length 10000.',
    });
    assert.equal((await client.ask(select('small'))).what, 'rows');
    client.close();
  }
  await door.stop();
});

test('a segment with a wrong checksum is answered with one error and ends the connection', async () => {
  const door = await TestDoor.open({});
  const client = await door.connect(5);
  const frame = encodeRequest(5, 3, select('small'));
  const [segment = Buffer.alloc(0)] = segmentsOf(frame, [frame.length], undefined);
  segment[10] = 0xff ^ (segment[10] ?? 0);
  client.socket.write(segment);
  assert.match(
    (await client.answer(0))?.error?.message ?? '',
    /unrecoverable CRC mismatch detected in frame body/,
  );
  await client.closed();
  await door.stop();
});

test('a client that does not read is not read from; when it reads, it gets everything as it was written', async () => {
  const bytes = 100_000;
  const count = 400;
  let answers = 0;
  const door = await TestDoor.open({ large: () => ({ run: () => rowsOf(bytes, answers++ % 256) }) });
  const client = await door.connect();
  client.socket.pause();
  for (let stream = 0; stream < count; stream++) client.send(select('large'), stream + 10);
  let served = 0;
  while (served !== door.seen.requests.length || served === 0) {
    served = door.seen.requests.length;
    await pause(30);
  }
  // What the sockets of the system hold, and a megabyte of ours.
  assert.ok(served * bytes < 20_000_000, `${served} were served`);
  client.socket.resume();
  for (let stream = 0; stream < count; stream++) {
    const [row] = (await client.answer(stream + 10))?.rows ?? [];
    assert.ok(row?.[0]?.equals(Buffer.alloc(bytes, stream % 256)), `answer ${stream}`);
  }
  client.close();
  await door.stop();
});

test('a client may have only so many requests in flight; the others wait in its socket', async () => {
  const waiting: (() => void)[] = [];
  const door = await TestDoor.open(
    {
      slow: () => ({ run: () => new Promise((resolve) => waiting.push(() => resolve(voidAnswer))) }),
      small: () => ({ run: () => rowsOf(10) }),
    },
    { maxInFlightRequests: 20 },
  );
  const [client, other] = [await door.connect(), await door.connect()];
  const frames = Array.from({ length: 100 }, (_, stream) => encodeRequest(4, stream + 10, select('slow')));
  client.write(Buffer.concat(frames));
  assert.equal((await other.ask(select('small'))).what, 'rows');
  await until(() => waiting.length === 20);
  await pause(20);
  assert.equal(waiting.length, 20);
  for (let stream = 10; stream < 110; stream++) {
    await until(() => waiting.length > 0);
    const next = waiting.shift() ?? assert.fail('one is in flight');
    next();
    assert.equal((await client.answer(stream))?.what, 'void');
    await pause(0);
  }
  client.close();
  other.close();
  await door.stop();
});

test('clients that begin large requests and do not end them lose their connections when there are too many', async () => {
  const memory = new RequestMemory(1_000_000);
  const door = await TestDoor.open({ small: () => ({ run: () => rowsOf(10) }) }, {}, memory);
  const witness = await door.connect();
  const hostile = await Promise.all(Array.from({ length: 5 }, () => door.connect()));
  for (const client of hostile) {
    const large = frameOf(4, 0, 1, opcodes.query, Buffer.alloc(10_000_000));
    client.write(large.subarray(0, 600_000));
  }
  // There is room for one of them.
  await until(() => hostile.filter((client) => client.isClosed).length >= 4);
  for (const client of hostile.filter((one) => one.isClosed))
    assert.match((await client.answer(0))?.error?.message ?? '', /^Request rate is large: /);
  assert.equal((await witness.ask(select('small'))).what, 'rows');
  for (const client of hostile) client.close();
  await until(() => door.clients.length === 1);
  assert.ok(memory.hold(999_999), 'everything was given back');
  witness.close();
  await door.stop();
});

test('when all clients together have sent too much, they wait for one another', async () => {
  const waiting: (() => void)[] = [];
  const memory = new RequestMemory(1_000);
  const door = await TestDoor.open(
    { slow: () => ({ run: () => new Promise((resolve) => waiting.push(() => resolve(voidAnswer))) }) },
    {},
    memory,
  );
  const [one, other] = [await door.connect(), await door.connect()];
  const request: Request = {
    kind: 'query',
    text: 'SELECT * FROM ks.slow',
    parameters: { ...plainParameters, values: [], pagingState: Buffer.alloc(2_000) },
  };
  const first = one.ask(request);
  await until(() => waiting.length === 1);
  const second = other.ask(request);
  await pause(20);
  assert.equal(waiting.length, 1);
  assert.ok(memory.isFull);
  waiting.shift()?.();
  assert.equal((await first).what, 'void');
  await until(() => waiting.length === 1);
  waiting.shift()?.();
  assert.equal((await second).what, 'void');
  assert.ok(!memory.isFull);
  one.close();
  other.close();
  await door.stop();
});
