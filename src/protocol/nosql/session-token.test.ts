import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lsnInSessionToken, refuseUnreached, sessionToken } from './session-token.ts';

test('what is written for a range is read for it, and for no other', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(10_000), { minLength: 2 }),
      fc.nat(),
      ([a = 0, b = 0, ...others], lsn) => {
        const token = [a, ...others].map((range) => sessionToken(range, String(lsn))).join(',');
        assert.equal(lsnInSessionToken(token, a), lsn);
        assert.equal(lsnInSessionToken(token, b), undefined);
      },
    ),
    { verbose: 1 },
  );
});

test('a range that came from others has seen at least what was seen of them', () => {
  assert.equal(lsnInSessionToken('0:-1#7,1:-1#9,2:-1#30', 3, [0, 1]), 9);
  assert.equal(lsnInSessionToken('3:-1#12,0:-1#7', 3, [0]), 12);
});

test('tokens with a version, with regions, without either are read', () => {
  assert.equal(lsnInSessionToken('0:1#100#1=20#2=5', 0), 100);
  assert.equal(lsnInSessionToken('0:100', 0), 100);
  assert.equal(lsnInSessionToken(' 0:-1#5 , 1:-1#6 ', 1), 6);
});

test('what is no session token is refused', () => {
  for (const text of ['', 'x', '0', '0:', '0:-1#', '0:-1#1,', '0:1#2#3', `0:${'9'.repeat(400)}x`])
    assert.throws(() => lsnInSessionToken(text, 0), { code: 'bad-request' }, text);
});

test('only a state that was not reached is refused', () => {
  refuseUnreached(undefined, 0);
  refuseUnreached(5, 5);
  assert.throws(() => refuseUnreached(6, 5), { code: 'session-not-available' });
});
