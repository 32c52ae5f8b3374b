import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseResourcePath, resourceTypes } from './resource-path.ts';

test('a path is its types and decoded ids in turn; the last may be a feed', () => {
  const ids = fc.string({ minLength: 1, unit: 'grapheme' });
  const segments = fc.array(
    fc.tuple(fc.constantFrom(...resourceTypes), ids).map(([type, id]) => ({ type, id })),
    {
      maxLength: 4,
    },
  );
  fc.assert(
    fc.property(
      segments,
      fc.option(fc.constantFrom(...resourceTypes)),
      fc.boolean(),
      (owners, feed, isOdd) => {
        const slash = isOdd ? '//' : '/';
        const path = owners.map(({ type, id }) => `${type}${slash}${encodeURIComponent(id)}`);
        const url = `/${[...path, ...(feed === null ? [] : [feed])].join(slash)}${isOdd ? '/?a=/dbs/b' : ''}`;
        const expected = [...owners, ...(feed === null ? [] : [{ type: feed, id: undefined }])];
        const parsed = parseResourcePath(url);
        assert.deepEqual(parsed.segments, expected);
        assert.equal(parsed.type, expected.at(-1)?.type);
        assert.equal(parsed.id, expected.at(-1)?.id);
      },
    ),
    { verbose: 1 },
  );
});

test('types are of any letters; what is none, and what cannot be decoded, is refused', () => {
  assert.equal(parseResourcePath('/DBS/A').type, 'dbs');
  assert.equal(parseResourcePath('').type, undefined);
  assert.throws(() => parseResourcePath('/dbs/a/nothing'), { code: 'resource-not-found' });
  assert.throws(() => parseResourcePath('/dbs/%E0%A4%A'), { code: 'bad-request' });
});
