import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  cqlRingPosition,
  positionAfterToken,
  positionOfToken,
  type RingPosition,
  ringEnd,
  ringStart,
  tokenOfPosition,
} from './ring-position.ts';
import { maximumToken, minimumToken, type Token, tokenOf } from './token.ts';
import { singleKeyTokens } from './token.vectors.ts';

const keyBytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
const tokens = fc.bigInt({ min: minimumToken, max: maximumToken }).map((value) => value as Token);

test("a CQL position begins with the key's token", () => {
  for (const [name, hex, token] of singleKeyTokens) {
    assert.equal(tokenOfPosition(cqlRingPosition(Buffer.from(hex, 'hex'))), BigInt(token), name);
  }
});

test('CQL positions are 16 bytes in token order', () => {
  fc.assert(
    fc.property(keyBytes, keyBytes, (a, b) => {
      const [first, second] = [cqlRingPosition(a), cqlRingPosition(b)];
      assert.equal(first.length, 16);
      if (tokenOf(a) < tokenOf(b)) assert.ok(first < second);
    }),
  );
});

test('a token comes back from its first position', () => {
  fc.assert(fc.property(tokens, (token) => assert.equal(tokenOfPosition(positionOfToken(token)), token)));
});

test('the positions of a token lie between its first position and the one after it', () => {
  fc.assert(
    fc.property(keyBytes, (key) => {
      const position = cqlRingPosition(key);
      assert.ok(positionOfToken(tokenOf(key)) <= position);
      assert.ok(position < positionAfterToken(tokenOf(key)));
    }),
  );
});

test('positions of tokens sort as the tokens do', () => {
  fc.assert(
    fc.property(tokens, tokens, (a, b) => assert.equal(positionOfToken(a) < positionOfToken(b), a < b)),
  );
});

test('the ends of the ring enclose every position', () => {
  assert.ok(ringStart < positionOfToken(minimumToken));
  assert.ok(('\xff'.repeat(16) as RingPosition) < ringEnd);
  assert.equal(positionAfterToken(maximumToken), ringEnd);
  assert.equal(cqlRingPosition(new Uint8Array(0)), positionOfToken(minimumToken));
});

test('a boundary with its zeros cut off keeps its token', () => {
  assert.equal(tokenOfPosition('\x80' as RingPosition), 0n);
  assert.equal(tokenOfPosition(ringStart), minimumToken);
});
