import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ByteString } from '../foundation/byte-string.ts';
import { basicOperationKinds, putIfEqual, putRows } from './operation-kinds.ts';
import type { Decision, DeclaredRows, Operation } from './partition-store.ts';

const key = 'key' as ByteString;
const writes = [{ key, value: Buffer.from('new') }];

function decide(operation: Operation, found: Buffer | null): Decision {
  const kind = basicOperationKinds.get(operation.kind);
  assert(kind !== undefined);
  const rows: DeclaredRows = { get: () => found, range: () => [] };
  return kind(operation.body, rows, 1);
}

test('putting rows reads nothing and writes all of them', () => {
  const operation = putRows(writes);
  assert.deepEqual(operation.reads, { keys: [], ranges: [] });
  assert.deepEqual(decide(operation, null), { kind: 'write', writes });
});

test('a conditional put declares the row it looks at', () => {
  assert.deepEqual(putIfEqual(key, null, writes).reads, { keys: [key], ranges: [] });
});

test('a conditional put writes if and only if the row is as expected, absent and empty being different', () => {
  const content = fc.option(fc.uint8Array({ maxLength: 2, max: 1 }));
  fc.assert(
    fc.property(content, content, (expected, found) => {
      const stored = found === null ? null : Buffer.from(found);
      const decision = decide(putIfEqual(key, expected, writes), stored);
      const applied =
        expected === null || found === null ? expected === found : Buffer.compare(expected, found) === 0;
      assert.deepEqual(decision, { kind: 'write', writes: applied ? writes : [], answer: { applied } });
    }),
  );
});
