import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { draftItem } from './item-draft.ts';
import { sampleContainer } from './item-rows.samples.ts';

const container = sampleContainer();

function refusal(body: string | Buffer, of = container): string {
  try {
    draftItem(of, Buffer.from(body as string));
  } catch (error) {
    assert.ok(error instanceof RingfoldError, String(error));
    return error.code;
  }
  return 'none';
}

test('the text is what came, without what only the server says', () => {
  const { text } = draftItem(container, Buffer.from('{"_ts":5, "id" : "a","pk":"p","_etag":"x"}'));
  assert.equal(text.toString(), '{"id" : "a","pk":"p"}');
});

test('any bytes are an item or refused, and nothing else happens', () => {
  const seeds = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(`{"id":"a","pk":"p","x":${text}}`)),
  );
  fc.assert(
    fc.property(seeds, (body) => {
      const code = refusal(body);
      assert.ok(['none', 'bad-request', 'partition-key-mismatch'].includes(code), code);
    }),
    { numRuns: 500 },
  );
});

test('nesting is bounded, also where nothing is indexed', () => {
  const nested = (levels: number) => `{"id":"a","pk":"p","x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const bare = sampleContainer({ indexingPolicy: { ...container.indexingPolicy, mode: 'none' } });
  assert.equal(refusal(nested(127)), 'none');
  assert.equal(refusal(nested(128)), 'bad-request');
  assert.equal(refusal(nested(100_000), bare), 'bad-request');
  assert.equal(refusal(nested(100_000), sampleContainer({ uniqueKeys: [[['x']]] })), 'bad-request');
});

test('the partition key is that of the path: missing is not null, and neither is -0 another than 0', () => {
  const key = (rest: string) => draftItem(container, Buffer.from(`{"id":"a"${rest}}`)).partitionKey[0];
  assert.equal(key(''), undefined);
  assert.equal(key(',"pk":null'), null);
  assert.ok(Object.is(key(',"pk":-0'), 0));
  assert.equal(refusal('{"id":"a","pk":{}}'), 'partition-key-mismatch');
});

test('a key path through __proto__ or constructor finds only what the item has', () => {
  const odd = sampleContainer({ partitionKeyPaths: [['constructor', 'name']] });
  assert.equal(draftItem(odd, Buffer.from('{"id":"a"}')).partitionKey[0], undefined);
  const proto = sampleContainer({ partitionKeyPaths: [['__proto__', 'x']] });
  assert.equal(draftItem(proto, Buffer.from('{"id":"a","__proto__":{"x":5}}')).partitionKey[0], 5);
});

test('index terms follow the policy: deeper rules win, and id always counts', () => {
  const terms = (includedPaths: string[], excludedPaths: string[], item: string) =>
    draftItem(
      sampleContainer({ indexingPolicy: { ...container.indexingPolicy, includedPaths, excludedPaths } }),
      Buffer.from(item),
    ).indexTerms / 2;
  const item = '{"id":"a","pk":"p","x":{"y":1,"z":[1,2]},"_ts":5}';
  assert.equal(terms(['/*'], [], item), 5);
  assert.equal(terms(['/*'], ['/x/*'], item), 2);
  assert.equal(terms(['/*', '/x/y/?'], ['/x/*'], item), 3);
  assert.equal(terms(['/x/z/[]/?'], ['/*'], item), 3);
  assert.equal(terms([], ['/*'], item), 1);
  assert.equal(terms(['/*'], ['/"x"/?'], item), 5, 'x itself is no value');
});

test('composite indexes and unique keys are a term each', () => {
  const order = 'ascending' as const;
  const of = sampleContainer({
    uniqueKeys: [[['u']]],
    indexingPolicy: {
      ...container.indexingPolicy,
      includedPaths: [],
      excludedPaths: ['/*'],
      compositeIndexes: [
        [
          { path: '/a', order },
          { path: '/b', order },
        ],
      ],
    },
  });
  assert.equal(draftItem(of, Buffer.from('{"id":"a","pk":"p","a":1,"b":2}')).indexTerms, 4);
  assert.equal(draftItem(of, Buffer.from('{"id":"a","pk":"p","a":1}')).indexTerms, 3);
});
