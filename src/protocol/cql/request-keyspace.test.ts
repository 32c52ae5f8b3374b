import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from './exchange.ts';
import { requestKeyspace } from './request-keyspace.ts';

const exchange = {
  session: { keyspace: 'used' },
  context: { parts: { catalog: { schema: { keyspaces: new Map([['there', {}]]) } } } },
} as unknown as Exchange;

test('names belong to the keyspace of the request, else to the one that USE set', () => {
  assert.equal(requestKeyspace('there', exchange), 'there');
  assert.equal(requestKeyspace(undefined, exchange), 'used');
});

test('a request in a keyspace that is not there is refused whatever it names', () => {
  assert.throws(
    () => requestKeyspace('gone', exchange),
    (error: { details?: { reason?: string } }) => error.details?.reason === "Keyspace 'gone' does not exist",
  );
});
