import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import { decodeResponse } from '../decode-response.samples.ts';
import type { ProtocolVersion } from '../protocol-version.ts';
import { type ResponsePrefix, ResponseWriter } from '../response-writer.ts';
import { type ErrorMessage, writeErrorMessage } from './error-message.ts';
import { writeNodeEvent } from './event.ts';
import { writePreparedResult } from './prepared-result.ts';
import { ResultMetadata, wholeMetadata } from './result-metadata.ts';
import { writeRowsResult } from './rows-result.ts';
import { writeSchemaChangeEvent, writeSchemaChangeResult } from './schema-change.ts';
import {
  writeAuthChallenge,
  writeAuthenticate,
  writeAuthSuccess,
  writeReady,
  writeSupported,
  writeVoidResult,
} from './simple-responses.ts';

const id = 'an id of sixteen' as ByteString;
const versions: readonly ProtocolVersion[] = [3, 4, 5];

function bytesOf(version: ProtocolVersion, write: (out: ResponseWriter) => void): Buffer {
  const out = new ResponseWriter(version, 16);
  write(out);
  return Buffer.concat(out.take());
}

/** Header, then what a client makes of the rest and writes again. */
function again(bytes: Buffer): Buffer {
  const version = (bytes.readUInt8() & 0x7f) as ProtocolVersion;
  const header = { flags: bytes.readUInt8(1), stream: bytes.readInt16BE(2), opcode: bytes.readUInt8(4) };
  assert.equal(bytes.readUInt32BE(5), bytes.length - 9);
  const decoded = decodeResponse({ version, ...header, body: bytes.subarray(9) });
  return bytesOf(version, (out) => decoded.rewrite(out));
}

function bodyHex(version: ProtocolVersion, write: (out: ResponseWriter) => void): string {
  return bytesOf(version, write).subarray(9).toString('hex');
}

const acknowledged = { consistency: 'QUORUM', received: 1, required: 2 } as const;
const failures = [{ address: Buffer.from('7f000001', 'hex'), reason: 2 }];
const errors: readonly ErrorMessage[] = [
  { error: 'server', message: 'é' },
  { error: 'protocol', message: '' },
  { error: 'bad-credentials', message: 'm' },
  { error: 'unavailable', message: 'm', consistency: 'ALL', required: 3, alive: 2 },
  { error: 'overloaded', message: 'RetryAfterMs=10, ' },
  { error: 'bootstrapping', message: 'm' },
  { error: 'truncate', message: 'm' },
  { error: 'write-timeout', message: 'm', ...acknowledged, writeType: 'SIMPLE' },
  { error: 'write-timeout', message: 'm', ...acknowledged, writeType: 'CAS', contentions: 7 },
  { error: 'read-timeout', message: 'm', ...acknowledged, dataPresent: true },
  { error: 'read-failure', message: 'm', ...acknowledged, failures, dataPresent: false },
  { error: 'function-failure', message: 'm', keyspace: 'k', functionName: 'f', argumentTypes: ['int'] },
  { error: 'write-failure', message: 'm', ...acknowledged, failures, writeType: 'BATCH_LOG' },
  { error: 'cdc-write-failure', message: 'm' },
  { error: 'cas-write-unknown', message: 'm', ...acknowledged },
  { error: 'syntax', message: 'm' },
  { error: 'unauthorized', message: 'm' },
  { error: 'invalid', message: 'm' },
  { error: 'config', message: 'm' },
  { error: 'already-exists', message: 'm', keyspace: 'k', table: '' },
  { error: 'unprepared', message: 'm', id },
];

test('every error is read by a client as it was written, in every version that knows it', () => {
  for (const version of versions) {
    for (const error of errors) {
      const bytes = bytesOf(version, (out) => writeErrorMessage(out, 3, error));
      assert.deepEqual(again(bytes), bytes, `${error.error} in version ${version}`);
    }
  }
});

test('an error that a version does not know becomes the one Cassandra has for it there', () => {
  const codeIn = (version: ProtocolVersion, error: ErrorMessage['error']) => {
    const [found] = errors.filter((each) => each.error === error);
    assert.ok(found !== undefined);
    return bytesOf(version, (out) => writeErrorMessage(out, 1, found)).readUInt32BE(9);
  };
  assert.deepEqual(
    versions.map((version) => codeIn(version, 'read-failure')),
    [0x1200, 0x1300, 0x1300],
  );
  assert.deepEqual(
    versions.map((version) => codeIn(version, 'write-failure')),
    [0x1100, 0x1500, 0x1500],
  );
  assert.deepEqual(
    versions.map((version) => codeIn(version, 'function-failure')),
    [0x2200, 0x1400, 0x1400],
  );
  assert.deepEqual(
    versions.map((version) => codeIn(version, 'cdc-write-failure')),
    [0x2200, 0x1600, 0x1600],
  );
  assert.deepEqual(
    versions.map((version) => codeIn(version, 'cas-write-unknown')),
    [0x1100, 0x1100, 0x1700],
  );
});

test('a message longer than a string can be is cut at a whole character', () => {
  const bytes = bytesOf(4, (out) =>
    writeErrorMessage(out, 1, { error: 'invalid', message: 'é'.repeat(40_000) }),
  );
  const length = bytes.readUInt16BE(13);
  assert.equal(bytes.length, 15 + length);
  assert.equal(bytes.subarray(15).toString(), 'é'.repeat(length / 2));
});

const types: readonly CqlType[] = [
  { kind: 'int' },
  { kind: 'text' },
  { kind: 'date' },
  { kind: 'duration' },
  { kind: 'list', element: { kind: 'smallint' }, frozen: true },
  {
    kind: 'map',
    key: { kind: 'uuid' },
    value: { kind: 'set', element: { kind: 'inet' }, frozen: true },
    frozen: true,
  },
  { kind: 'tuple', fields: [{ kind: 'time' }, { kind: 'blob' }] },
  {
    kind: 'udt',
    keyspace: 'k',
    name: 'Type',
    fields: [{ name: 'F', type: { kind: 'tinyint' } }],
    frozen: true,
  },
  { kind: 'vector', element: { kind: 'float' }, dimension: 3 },
];
const anyColumn: fc.Arbitrary<ColumnSpec> = fc.record({
  keyspace: fc.constantFrom('k', 'other'),
  table: fc.constant('t'),
  name: fc.string({ maxLength: 6 }),
  type: fc.constantFrom(...types),
});
const anyColumns = fc.array(anyColumn, { minLength: 1, maxLength: 5 });
const anyPrefix: fc.Arbitrary<ResponsePrefix> = fc.record(
  {
    tracingId: fc.constant(Buffer.alloc(16, 7)),
    warnings: fc.array(fc.string(), { minLength: 1, maxLength: 2 }),
    customPayload: fc.constant(new Map([['RequestCharge', Buffer.alloc(8, 1)]])),
  },
  { requiredKeys: [] },
);

test('rows are read by a client as they were written, with all that metadata can have', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...versions),
      anyColumns,
      fc.array(fc.option(fc.uint8Array({ maxLength: 100 })), { maxLength: 30 }),
      fc.option(fc.uint8Array({ maxLength: 50 }), { nil: undefined }),
      fc.boolean(),
      anyPrefix,
      (version, columns, values, pagingState, changed, prefix) => {
        const metadata = new ResultMetadata(columns);
        const rows: (Uint8Array | null)[][] = [];
        for (let at = 0; at + columns.length <= values.length; at += columns.length)
          rows.push(values.slice(at, at + columns.length));
        const options = { skip: false, pagingState, changedTo: changed ? id : undefined };
        const bytes = bytesOf(version, (out) => writeRowsResult(out, 5, metadata, options, rows, prefix));
        assert.deepEqual(again(bytes), bytes);
        const skipped = bytesOf(version, (out) =>
          writeRowsResult(out, 5, metadata, { ...wholeMetadata, pagingState, skip: true }, rows, prefix),
        );
        assert.ok(skipped.length <= bytes.length);
        assert.deepEqual(again(skipped), skipped);
      },
    ),
    { numRuns: 300 },
  );
});

test('prepared statements are read by a client as they were written', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...versions),
      fc.array(anyColumn, { maxLength: 4 }),
      fc.array(fc.nat(3), { maxLength: 2 }),
      fc.option(anyColumns, { nil: undefined }),
      anyPrefix,
      (version, variables, partitionKeyIndexes, columns, prefix) => {
        const resultMetadata = columns === undefined ? undefined : new ResultMetadata(columns);
        const prepared = { id, resultMetadataId: id, variables, partitionKeyIndexes, resultMetadata };
        const bytes = bytesOf(version, (out) => writePreparedResult(out, 5, prepared, prefix));
        assert.deepEqual(again(bytes), bytes);
      },
    ),
  );
});

test('types newer than the version go by the name of their Java class', () => {
  const optionOf = (version: ProtocolVersion, type: CqlType) => {
    const metadata = new ResultMetadata([{ keyspace: 'k', table: 't', name: 'c', type }]);
    return metadata.specsFor(version).subarray(9).toString('latin1');
  };
  const custom = (name: string) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(name.length);
    return `\0\0${length.toString('latin1')}${name}`;
  };
  assert.equal(optionOf(3, { kind: 'date' }), custom('org.apache.cassandra.db.marshal.SimpleDateType'));
  assert.equal(optionOf(4, { kind: 'date' }), '\0\x11');
  assert.equal(optionOf(4, { kind: 'duration' }), custom('org.apache.cassandra.db.marshal.DurationType'));
  assert.equal(optionOf(5, { kind: 'duration' }), '\0\x15');
  assert.equal(
    optionOf(5, { kind: 'vector', element: { kind: 'float' }, dimension: 2 }),
    custom('org.apache.cassandra.db.marshal.VectorType(org.apache.cassandra.db.marshal.FloatType , 2)'),
  );
});

test('changes of the schema are read by a client as they were written; version 3 hears of no functions', () => {
  const changes = [
    { change: 'CREATED', target: 'KEYSPACE', keyspace: 'k' },
    { change: 'UPDATED', target: 'TABLE', keyspace: 'k', name: 't' },
    { change: 'DROPPED', target: 'TYPE', keyspace: 'k', name: 't' },
    { change: 'CREATED', target: 'FUNCTION', keyspace: 'k', name: 'f', argumentTypes: ['int', 'text'] },
  ] as const;
  for (const change of changes) {
    for (const write of [
      (out: ResponseWriter) => writeSchemaChangeResult(out, 2, change),
      (out: ResponseWriter) => writeSchemaChangeEvent(out, change),
    ]) {
      const bytes = bytesOf(4, write);
      assert.deepEqual(again(bytes), bytes);
    }
  }
  const [, , , created] = changes;
  const old = bytesOf(3, (out) => writeSchemaChangeResult(out, 2, created))
    .subarray(13)
    .toString('latin1');
  assert.equal(old, '\0\x07UPDATED\0\x08KEYSPACE\0\x01k\0\0');
});

test('small responses have the bytes of the specification', () => {
  assert.equal(bytesOf(4, (out) => writeReady(out, 258)).toString('hex'), '840001020200000000');
  assert.equal(
    bodyHex(4, (out) => writeAuthenticate(out, 1, 'a.B')),
    '0003612e42',
  );
  assert.equal(
    bodyHex(4, (out) => writeAuthChallenge(out, 1, Buffer.from('x'))),
    '0000000178',
  );
  assert.equal(
    bodyHex(4, (out) => writeAuthSuccess(out, 1, null)),
    'ffffffff',
  );
  assert.equal(
    bodyHex(4, (out) => writeSupported(out, 1, new Map([['K', ['a', 'b']]]))),
    '000100014b00020001610001' + '62',
  );
  const event = { type: 'STATUS_CHANGE', change: 'DOWN' } as const;
  const down = bytesOf(4, (out) => writeNodeEvent(out, event, Buffer.from('7f000001', 'hex'), 9042));
  assert.deepEqual(again(down), down);
  assert.equal(down.readInt16BE(2), -1);
});

test('tracing id, warnings and payload come first, in this order; version 3 gets only the id', () => {
  const prefix = {
    tracingId: Buffer.alloc(16, 0xaa),
    warnings: ['w'],
    customPayload: new Map([['k', Buffer.from('v')]]),
  };
  const v4 = bytesOf(4, (out) => writeVoidResult(out, 1, prefix));
  assert.equal(v4[1], 0x0e);
  assert.equal(v4.subarray(9).toString('hex'), `${'aa'.repeat(16)}0001000177000100016b000000017600000001`);
  const v3 = bytesOf(3, (out) => writeVoidResult(out, 1, prefix));
  assert.equal(v3[1], 0x02);
  assert.equal(v3.length, 9 + 16 + 4);
});
