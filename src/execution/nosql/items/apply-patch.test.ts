import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { applyPatch } from './apply-patch.ts';
import { parsePatch } from './item-patch.ts';

function patched(before: unknown, operations: readonly unknown[]): unknown {
  return JSON.parse(applyPatch(JSON.stringify(before), parsePatch(JSON.stringify(operations)).operations));
}

function refused(before: unknown, operations: readonly unknown[]): void {
  assert.throws(
    () => patched(before, operations),
    (error) => error instanceof RingfoldError && error.code === 'bad-request',
    JSON.stringify(operations),
  );
}

test('integers of 64 bits are added exactly, others as doubles', () => {
  const sum = (left: string, right: string) =>
    applyPatch(`{"n":${left}}`, parsePatch(`[{"op":"incr","path":"/n","value":${right}}]`).operations);
  assert.equal(sum('9007199254740993', '1'), '{"n":9007199254740994}');
  assert.equal(sum('-9223372036854775808', '0'), '{"n":-9223372036854775808}');
  assert.equal(sum('9223372036854775807', '1'), '{"n":9223372036854776000}');
  assert.equal(sum('0.5', '1e1'), '{"n":10.5}');
  assert.equal(sum('1', '-1'), '{"n":0}');
});

test('an increment of what is no number, or beyond what JSON can hold, is refused', () => {
  refused({ n: 'x' }, [{ op: 'incr', path: '/n', value: 1 }]);
  refused({ n: null }, [{ op: 'incr', path: '/n', value: 1 }]);
  refused({ n: [] }, [{ op: 'incr', path: '/n', value: 1 }]);
  refused({ n: 1 }, [{ op: 'incr', path: '/n', value: 'x' }]);
  refused({ n: 1.7e308 }, [{ op: 'incr', path: '/n', value: 1.7e308 }]);
});

test('arrays are addressed by indexes up to their length, and - for their end', () => {
  assert.deepEqual(patched({ a: [1] }, [{ op: 'add', path: '/a/1', value: 2 }]), { a: [1, 2] });
  assert.deepEqual(patched({ a: [1] }, [{ op: 'set', path: '/a/-', value: 2 }]), { a: [1, 2] });
  for (const path of ['/a/2', '/a/-1', '/a/01', '/a/x', '/a/0/b'])
    refused({ a: [1] }, [{ op: 'add', path, value: 2 }]);
  refused({ a: [1] }, [{ op: 'replace', path: '/a/1', value: 2 }]);
  refused({ a: [1] }, [{ op: 'remove', path: '/a/-' }]);
});

test('a move takes what is there, to anywhere but into itself', () => {
  assert.deepEqual(patched({ a: 1, l: [2, 3] }, [{ op: 'move', from: '/l/0', path: '/a' }]), {
    a: 2,
    l: [3],
  });
  assert.deepEqual(patched({ l: [1, 2, 3] }, [{ op: 'move', from: '/l/2', path: '/l/0' }]), { l: [3, 1, 2] });
  refused({ a: {} }, [{ op: 'move', from: '/a', path: '/a/b' }]);
  refused({ a: {} }, [{ op: 'move', from: '/none', path: '/b' }]);
});

test('names such as __proto__ and constructor are names like any other', () => {
  const after = applyPatch(
    '{"id":"a"}',
    parsePatch(
      '[{"op":"add","path":"/__proto__","value":{"x":1}},{"op":"set","path":"/__proto__/y","value":2}]',
    ).operations,
  );
  assert.equal(after, '{"id":"a","__proto__":{"x":1,"y":2}}');
  refused({}, [{ op: 'remove', path: '/constructor' }]);
});

test('a set that is then removed leaves all else as it was', () => {
  const path = fc.constantFrom('/new', '/o/new', '/l/-', '/o/l/0/new');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), path, fc.jsonValue(), (own, at, value) => {
      const before = { ...own, o: { l: [{}] }, l: [1, 2] };
      const removed = at === '/l/-' ? '/l/2' : at;
      const after = patched(before, [
        { op: 'add', path: at, value },
        { op: 'remove', path: removed },
      ]);
      assert.deepEqual(after, JSON.parse(JSON.stringify(before)));
    }),
  );
});

test('what is nested without end takes no time, and is refused where a path would follow it', () => {
  const deep = `${'['.repeat(50_000)}1${']'.repeat(50_000)}`;
  const request = (path: string) =>
    `[{"op":"set","path":"/a","value":${deep}},{"op":"set","path":"${path}","value":2}]`;
  assert.throws(() => parsePatch(request(`/a${'/0'.repeat(50_000)}`)), /request is not valid/);
  const { operations } = parsePatch(request(`/a${'/0'.repeat(100)}`));
  const text = applyPatch('{"id":"a"}', operations);
  assert.ok(text.startsWith(`{"id":"a","a":${'['.repeat(100)}2`));
});
