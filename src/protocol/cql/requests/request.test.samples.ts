import fc from 'fast-check';
import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { consistencyOfCode } from '../consistency.ts';
import type { ProtocolVersion } from '../protocol-version.ts';
import type { QueryParameters } from './query-parameters.ts';
import type { EventType, Request } from './request.ts';

// Any request that a client of a version can write, for properties.

// Plain objects: what is read has a prototype, and deepEqual looks at it.
function record<Fields extends object>(
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
): fc.Arbitrary<Fields> {
  return fc.record<Fields>(fields, { noNullPrototype: true }) as fc.Arbitrary<Fields>;
}

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('é', 'ein Wörtchen', '😀 \ufffd'));
const bytes = fc.uint8Array({ maxLength: 40 }).map((random) => Buffer.from(random));
const id = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((random) => Buffer.from(random).toString('latin1') as ByteString);
const consistency = fc.nat(10).map(consistencyOfCode);

function anyValue(version: ProtocolVersion): fc.Arbitrary<BoundValue> {
  return fc.oneof(
    { weight: 4, arbitrary: bytes },
    fc.constantFrom(null, ...(version >= 4 ? [undefined] : [])),
  );
}

function anyParameters(version: ProtocolVersion): fc.Arbitrary<QueryParameters> {
  const onlyIn5 = <Value>(value: fc.Arbitrary<Value>) =>
    version >= 5 ? fc.option(value, { nil: undefined }) : fc.constant(undefined);
  return record({
    consistency,
    entries: fc.array(fc.tuple(text, anyValue(version)), { maxLength: 4 }),
    named: fc.boolean(),
    skipMetadata: fc.boolean(),
    pageSize: fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { nil: undefined }),
    pagingState: fc.option(bytes),
    serialConsistency: fc.constantFrom('SERIAL' as const, 'LOCAL_SERIAL' as const),
    timestamp: fc.option(fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 1n), { nil: undefined }),
    keyspace: onlyIn5(text),
    nowInSeconds: onlyIn5(fc.nat(2 ** 32 - 1)),
  }).map(({ entries, named, ...rest }) => ({
    ...rest,
    values: entries.map(([, value]) => value),
    names: named && entries.length > 0 ? entries.map(([name]) => name) : undefined,
  }));
}

export function anyRequest(version: ProtocolVersion): fc.Arbitrary<Request> {
  const values = fc.array(anyValue(version), { maxLength: 3 });
  const statement = fc.oneof(record({ text, values }), record({ id, values }));
  const eventType = fc.constantFrom<EventType>('TOPOLOGY_CHANGE', 'STATUS_CHANGE', 'SCHEMA_CHANGE');
  return fc.oneof(
    record({
      kind: fc.constant('startup' as const),
      options: fc
        .array(fc.tuple(fc.stringMatching(/^[A-Z_]{1,12}$/), text), { maxLength: 4 })
        .map((entries) => new Map(entries)),
    }),
    fc.constant({ kind: 'options' as const }),
    record({ kind: fc.constant('auth-response' as const), token: fc.option(bytes) }),
    record({ kind: fc.constant('query' as const), text, parameters: anyParameters(version) }),
    record({
      kind: fc.constant('prepare' as const),
      text,
      keyspace: version >= 5 ? fc.option(text, { nil: undefined }) : fc.constant(undefined),
    }),
    record({
      kind: fc.constant('execute' as const),
      id,
      resultMetadataId: version >= 5 ? id : fc.constant(undefined),
      parameters: anyParameters(version),
    }),
    record({
      kind: fc.constant('batch' as const),
      type: fc.constantFrom('logged' as const, 'unlogged' as const, 'counter' as const),
      statements: fc.array(statement, { maxLength: 3 }),
      parameters: anyParameters(version).map((given) => ({ ...given, values: [], names: undefined })),
    }),
    record({ kind: fc.constant('register' as const), events: fc.array(eventType, { maxLength: 3 }) }),
  );
}

// Made once: making an arbitrary costs more than drawing from it.
const requestsOfVersions = ([3, 4, 5] as const).map((version) =>
  fc.tuple(fc.constant(version), anyRequest(version)),
);

export const anyVersionAndRequest: fc.Arbitrary<[ProtocolVersion, Request]> = fc.oneof(...requestsOfVersions);
