import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  bytesOfRid,
  containerRid,
  databaseRid,
  encryptionKeyRid,
  numberOfItemRid,
  offerRid,
  permissionRid,
  ridInContainer,
  userRid,
} from './resource-id.ts';

const database = databaseRid(0xfb_ff_01_02);
const container = containerRid(database, 7);

function hex(rid: string): string | undefined {
  return bytesOfRid(rid)?.toString('hex');
}

test('a rid begins with its parent, and is written with - for /', () => {
  assert.equal(database, '+-8BAg==');
  assert.equal(hex(database), 'fbff0102');
  assert.equal(hex(container), 'fbff010280000007');
  assert.equal(hex(userRid(database, 7)), 'fbff010200000007');
  assert.equal(hex(permissionRid(userRid(database, 7), 3)), 'fbff0102000000070300000000000000');
  assert.equal(hex(encryptionKeyRid(database, 5)), 'fbff0102000000000500000002000000');
  assert.equal(hex(offerRid(0x010203)), '010203');
});

test('what is in a container has a little-endian number with its type in the highest four bits', () => {
  assert.equal(hex(ridInContainer(container, 'document', 258)), 'fbff0102800000070201000000000000');
  assert.equal(hex(ridInContainer(container, 'storedProcedure', 1)), 'fbff0102800000070100000000000080');
  assert.equal(hex(ridInContainer(container, 'trigger', 1)), 'fbff0102800000070100000000000070');
  assert.equal(hex(ridInContainer(container, 'userDefinedFunction', 1)), 'fbff0102800000070100000000000060');
});

test('an item is found by its rid again, and nothing else is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (number) => {
      assert.equal(numberOfItemRid(container, ridInContainer(container, 'document', number)), number);
    }),
  );
  assert.equal(numberOfItemRid(container, ridInContainer(container, 'trigger', 1)), undefined);
  assert.equal(
    numberOfItemRid(container, ridInContainer(containerRid(database, 8), 'document', 1)),
    undefined,
  );
  assert.equal(numberOfItemRid(container, container), undefined);
  for (const text of ['', 'a', 'items', 'a/b=', '====', 'ab c'])
    assert.equal(numberOfItemRid(container, text), undefined);
});
