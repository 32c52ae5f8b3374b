import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeRequest, frameOf } from '../encode-request.samples.ts';
import { type Frame, FrameDecoder } from '../frame.ts';
import { opcodes } from '../opcode.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { ProtocolVersion } from '../protocol-version.ts';
import { anyRequest, anyVersionAndRequest } from './request.test.samples.ts';
import { readCustomPayload, readRequest, wantsTracing } from './request.ts';

function decode(bytes: Buffer): Frame {
  const decoder = new FrameDecoder(2 ** 20);
  decoder.push(bytes);
  const frame = decoder.next();
  assert.ok(frame !== undefined && !('fault' in frame));
  return frame;
}

test('a request is read as it was written, in every version', () => {
  fc.assert(
    fc.property(
      anyVersionAndRequest,
      fc.integer({ min: -32768, max: 32767 }),
      ([version, request], stream) => {
        const frame = decode(encodeRequest(version, stream, request));
        assert.deepEqual(readRequest(frame), request);
        assert.deepEqual([frame.version, frame.stream], [version, stream]);
      },
    ),
    { numRuns: 500 },
  );
});

test('a custom payload comes before the message and does not disturb it', () => {
  const payload = new Map([
    ['a', Buffer.from('b')],
    ['none', null],
  ]);
  const request = { kind: 'prepare', text: 'SELECT', keyspace: undefined } as const;
  const frame = decode(encodeRequest(4, 1, request, payload));
  assert.deepEqual(readRequest(frame), request);
  assert.deepEqual(readCustomPayload(frame), payload);
  assert.equal(readCustomPayload(decode(encodeRequest(4, 1, request))), undefined);
  assert.ok(wantsTracing({ ...frame, flags: 0x02 }) && !wantsTracing(frame));
});

test('a request that was cut, lengthened or damaged is read as something or is a ProtocolError', () => {
  const damage = fc.oneof(
    fc.record({ how: fc.constant('cut' as const), at: fc.nat(400) }),
    fc.record({ how: fc.constant('extend' as const), with: fc.uint8Array({ maxLength: 20 }) }),
    fc.record({ how: fc.constant('flip' as const), at: fc.nat(400), bit: fc.nat(7) }),
    fc.record({
      how: fc.constant('set' as const),
      at: fc.nat(400),
      to: fc.constantFrom(0, 0x7f, 0x80, 0xff),
    }),
  );
  fc.assert(
    fc.property(
      anyVersionAndRequest,
      fc.array(damage, { minLength: 1, maxLength: 4 }),
      ([version, request], damages) => {
        const frame = decode(encodeRequest(version, 0, request));
        let body = Buffer.from(frame.body);
        for (const each of damages) {
          if (each.how === 'cut') body = body.subarray(0, each.at);
          else if (each.how === 'extend') body = Buffer.concat([body, each.with]);
          else if (body.length > 0) {
            const at = each.at % body.length;
            body[at] = each.how === 'set' ? each.to : (body[at] ?? 0) ^ (1 << each.bit);
          }
        }
        readOrRefuse({ ...frame, body });
        readOrRefuse({ ...frame, body, flags: 0x04 });
      },
    ),
    { numRuns: 2_000 },
  );
});

test('every prefix of every request is read as something or is a ProtocolError', () => {
  for (const version of [3, 4, 5] as const) {
    for (const request of fc.sample(anyRequest(version), { numRuns: 40, seed: 7 })) {
      const frame = decode(encodeRequest(version, 0, request));
      for (let end = 0; end < frame.body.length; end++)
        readOrRefuse({ ...frame, body: frame.body.subarray(0, end) });
    }
  }
});

function readOrRefuse(frame: Frame): void {
  try {
    readRequest(frame);
  } catch (error) {
    assert.ok(error instanceof ProtocolError, String(error));
  }
}

const query = '0000001a53454c454354202a2046524f4d2073797374656d2e6c6f63616c';

// Asked of Apache Cassandra 5.0.5 on 2026-11-16, frame by frame.
const refusals: readonly (readonly [string, number, string, string])[] = [
  ['a text longer than its message', opcodes.query, '0000001041', textTooShort(4)],
  ['a text of negative length', opcodes.query, 'ffffffff', textTooShort(4)],
  ['an unknown consistency', opcodes.query, `${query}006300`, 'Unknown code 99 for a consistency level'],
  [
    'a text that is no UTF-8',
    opcodes.query,
    '00000002c328000100',
    "Cannot decode string as UTF8: 'c328'; java.nio.charset.MalformedInputException: Input length = 1",
  ],
  ['a value of length -3', opcodes.query, `${query}0001010001fffffffd`, 'Invalid ByteBuf length -3'],
  ['a page size of 0', opcodes.query, `${query}00010400000000`, 'The page size cannot be 0'],
  [
    'the smallest timestamp',
    opcodes.query,
    `${query}0001208000000000000000`,
    'Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807] (got -9223372036854775808)',
  ],
  ['an unknown type of batch', opcodes.batch, '090000000100', 'Invalid BATCH message type 9'],
  [
    'an unknown kind of statement in a batch',
    opcodes.batch,
    '00000105000100',
    'Invalid query kind in BATCH messages. Must be 0 or 1 but got 5',
  ],
  ['an unknown event', opcodes.register, '000100044e4f5045', "Invalid value 'NOPE' for Type"],
  [
    'an id longer than its message',
    opcodes.execute,
    '0010aa',
    'Not enough bytes to read a byte array preceded by its 2 bytes length',
  ],
];

function textTooShort(lengthBytes: number): string {
  return `Not enough bytes to read an UTF8 serialized string preceded by its ${lengthBytes} bytes length`;
}

test('what Cassandra refuses is refused in its words', () => {
  for (const [what, opcode, body, message] of refusals) {
    const frame = decode(frameOf(4, 0, 7, opcode, Buffer.from(body, 'hex')));
    assert.throws(() => readRequest(frame), { name: 'ProtocolError', message }, what);
  }
  const payload = (version: ProtocolVersion, body: string) =>
    decode(frameOf(version, 0x04, 7, opcodes.options, Buffer.from(body, 'hex')));
  assert.throws(() => readRequest(payload(3, '0000')), {
    message: 'Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4',
  });
  assert.throws(() => readRequest(payload(4, '0001')), { message: textTooShort(2) });
});

test('Cassandra takes what follows a message, a null paging state, and events in lower case; so it is here', () => {
  const read = (opcode: number, body: string) =>
    readRequest(decode(frameOf(4, 0, 7, opcode, Buffer.from(body, 'hex'))));
  assert.deepEqual(read(opcodes.options, 'aabbcc'), { kind: 'options' });
  const paged = read(opcodes.query, `${query}00010c00000005ffffffff`);
  assert.ok(paged.kind === 'query' && paged.parameters.pagingState === null);
  const lower = Buffer.from('schema_change').toString('hex');
  assert.deepEqual(read(opcodes.register, `0001000d${lower}`), {
    kind: 'register',
    events: ['SCHEMA_CHANGE'],
  });
});

test('in version 3 every negative length is null, and nothing is unset', () => {
  const frame = decode(
    frameOf(3, 0, 1, opcodes.query, Buffer.from(`${query}0001010002fffffffeffffff00`, 'hex')),
  );
  const request = readRequest(frame);
  assert.ok(request.kind === 'query');
  assert.deepEqual(request.parameters.values, [null, null]);
});
