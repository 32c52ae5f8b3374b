import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { etagOf } from '../../../values/etag.ts';
import { decodeStoredItem } from '../../../values/stored-item.ts';
import { draftItem } from './item-draft.ts';
import { nosqlOperationKinds } from './item-operation-kinds.ts';
import { ItemRows, sampleContainer } from './item-rows.samples.ts';
import type { ItemStep } from './item-step.ts';

let lastRid = 0;

function draft(container: ContainerDefinition, item: object) {
  return draftItem(container, Buffer.from(JSON.stringify({ pk: 'p', ...item })));
}

function create(container: ContainerDefinition, item: object): ItemStep {
  return { kind: 'create', draft: draft(container, item), rid: ++lastRid };
}

function outcomes(answer: { readonly results: readonly { readonly outcome: string }[] }): string[] {
  return answer.results.map(({ outcome }) => outcome);
}

test('steps see what those before them did, and have etags of their own', () => {
  const container = sampleContainer();
  const rows = new ItemRows(container);
  const { results } = rows.run(
    create(container, { id: 'a', n: 1 }),
    { kind: 'upsert', draft: draft(container, { id: 'a', n: 2 }), rid: 99, ifMatch: undefined },
    { kind: 'read', id: 'a', ifNoneMatch: undefined },
  );
  assert.deepEqual(outcomes({ results }), ['created', 'replaced', 'read']);
  const [first, second, third] = results.map(({ item }) => item);
  assert.notEqual(first?.timestamp, second?.timestamp);
  assert.equal(second?.rid, first?.rid);
  assert.equal(third?.timestamp, second?.timestamp);
  assert.equal(rows.lsn, 1);
});

test('a refused step leaves no row behind, and its work is a look', () => {
  const container = sampleContainer();
  const rows = new ItemRows(container);
  const answer = rows.run(create(container, { id: 'a' }), { kind: 'delete', id: 'none', ifMatch: undefined });
  assert.deepEqual(outcomes(answer), ['created', 'refused']);
  assert.equal(answer.isApplied, false);
  assert.equal(answer.results[1]?.error?.code, 'item-not-found');
  assert.equal(rows.rows.size, 0);
});

test('an etag of another version is refused by replace, delete, patch and by an upsert of what is there', () => {
  const container = sampleContainer();
  const rows = new ItemRows(container);
  const { results } = rows.run(create(container, { id: 'a' }));
  const etag = etagOf(results[0]?.item?.timestamp ?? 0);
  const item = draft(container, { id: 'a' });
  const patch = {
    operations: [{ kind: 'set', path: ['n'], from: [], value: '1' }],
    condition: undefined,
  } as const;
  const steps = (ifMatch: string): ItemStep[] => [
    { kind: 'upsert', draft: item, rid: 1, ifMatch },
    { kind: 'replace', id: 'a', draft: item, ifMatch },
    { kind: 'patch', id: 'a', patch, ifMatch },
    { kind: 'delete', id: 'a', ifMatch },
  ];
  for (const step of steps('other')) assert.equal(rows.run(step).results[0]?.error?.code, 'etag-mismatch');
  const [upsert] = steps(etag);
  assert.ok(upsert !== undefined && rows.run(upsert).isApplied);
});

test('a patch whose condition does not hold is refused', () => {
  const container = sampleContainer();
  const rows = new ItemRows(container);
  rows.run(create(container, { id: 'a', n: 1 }));
  let seen: unknown;
  const condition = (document: unknown) => {
    seen = document;
    return false;
  };
  const operations = [{ kind: 'set', path: ['n'], from: [], value: '2' }] as const;
  const { results } = rows.run({
    kind: 'patch',
    id: 'a',
    patch: { operations, condition },
    ifMatch: undefined,
  });
  assert.equal(results[0]?.error?.code, 'patch-condition-failed');
  assert.equal((seen as { _ts: number })._ts, 1_000, 'it sees system properties too');
});

test('changes are kept where the container keeps them, in the same transaction', () => {
  const container = sampleContainer({ changeFeedRetentionMinutes: 5, defaultTtlSeconds: 10 });
  const rows = new ItemRows(container);
  rows.run(create(container, { id: 'a', n: 1 }));
  rows.run({ kind: 'replace', id: 'a', draft: draft(container, { id: 'a', n: 2 }), ifMatch: undefined });
  rows.run({ kind: 'delete', id: 'a', ifMatch: undefined });
  rows.run(create(container, { id: 'b', n: 3 }));
  rows.nowSeconds += 20;
  rows.remove(rows.keysOf('item'));
  const changes = rows.keysOf('change').map((key) => {
    const stored = rows.rows.get(key);
    assert.ok(stored);
    return JSON.parse(decodeStoredItem(stored).payload.toString('utf8')) as Change;
  });
  assert.deepEqual(
    changes.map(({ metadata, current, previous }) => [
      metadata.operationType,
      metadata.lsn,
      current?.n,
      previous?.n,
    ]),
    [
      ['create', 1_001, 1, undefined],
      ['replace', 1_002, 2, 1],
      ['delete', 1_003, undefined, 2],
      ['create', 1_004, 3, undefined],
      ['delete', 1_005, undefined, 3],
    ],
  );
  assert.deepEqual(
    changes.map(({ metadata }) => metadata.timeToLiveExpired),
    [undefined, undefined, false, undefined, true],
  );
  assert.deepEqual(changes[4]?.metadata.partitionKey, { pk: 'p' });
  assert.equal(changes[1]?.metadata.previousImageLSN, 1_001);
});

interface Change {
  readonly current?: { readonly n: number };
  readonly previous?: { readonly n: number };
  readonly metadata: {
    readonly operationType: string;
    readonly lsn: number;
    readonly previousImageLSN?: number;
    readonly timeToLiveExpired?: boolean;
    readonly partitionKey?: unknown;
  };
}

test('what is expired or deleted with its key is absent for every step, and written over', () => {
  for (const end of ['expired', 'deleted'] as const) {
    const container = sampleContainer({ defaultTtlSeconds: 10 });
    const rows = new ItemRows(container);
    rows.run(create(container, { id: 'a' }));
    if (end === 'expired') rows.nowSeconds += 10;
    else rows.deletedThrough = rows.timestamp;
    for (const step of [
      { kind: 'read', id: 'a', ifNoneMatch: undefined },
      { kind: 'delete', id: 'a', ifMatch: undefined },
      { kind: 'replace', id: 'a', draft: draft(container, { id: 'a' }), ifMatch: undefined },
    ] as const)
      assert.equal(rows.run(step).results[0]?.error?.code, 'item-not-found', `${end} ${step.kind}`);
    assert.deepEqual(outcomes(rows.run(create(container, { id: 'a' }))), ['created']);
    assert.equal(rows.keysOf('item').length, 1);
    assert.equal(rows.keysOf('rid').length, 1);
  }
});

test('a replace begins the time anew', () => {
  const container = sampleContainer({ defaultTtlSeconds: 10 });
  const rows = new ItemRows(container);
  rows.run(create(container, { id: 'a' }));
  rows.nowSeconds += 9;
  rows.run({ kind: 'replace', id: 'a', draft: draft(container, { id: 'a' }), ifMatch: undefined });
  rows.nowSeconds += 9;
  assert.equal(rows.run({ kind: 'read', id: 'a', ifNoneMatch: undefined }).isApplied, true);
  rows.nowSeconds += 1;
  assert.equal(rows.run({ kind: 'read', id: 'a', ifNoneMatch: undefined }).isApplied, false);
});

test('a condition that breaks, or a row that cannot be read, fails its transaction and nothing else', () => {
  const container = sampleContainer();
  const rows = new ItemRows(container);
  rows.run(create(container, { id: 'a' }));
  const condition = () => {
    throw new RangeError('a bug');
  };
  const patch = { operations: [], condition };
  const transaction = {
    container,
    prefix: rows.prefix,
    partitionKey: ['p'],
    steps: [{ kind: 'patch', id: 'a', patch, ifMatch: undefined }],
    timestamp: 1,
    visibility: { nowSeconds: 0, defaultTtlSeconds: undefined, deletedThrough: 0 },
    keys: new Set(rows.keysOf('item')),
  };
  const kind = nosqlOperationKinds.get('nosql-items');
  assert.ok(kind);
  const declared = (value: Buffer | undefined) => ({ get: () => value ?? null, range: () => [] });
  const [key] = rows.keysOf('item');
  const stored = rows.rows.get(key ?? rows.prefix);
  const broken = kind(transaction, declared(stored), 1);
  assert.ok(broken.kind === 'refuse' && broken.error.code === 'internal-error');
  const corrupt = kind(transaction, declared(Buffer.from([0xff])), 1);
  assert.ok(corrupt.kind === 'refuse' && corrupt.error.code === 'corrupt-data');
});

// A model that is right by being simple: items by id, with their unique values and the second they were written.
test('any sequence of steps keeps items, unique keys and numbers in step with a plain model', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd');
  const value = fc.constantFrom(1, 2, 3, undefined);
  const step = fc.record({
    kind: fc.constantFrom('create', 'upsert', 'replace', 'patch', 'delete', 'wait', 'purge', 'drop'),
    id,
    u: value,
    v: value,
  });
  fc.assert(
    fc.property(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 25 }), (batches) => {
      const container = sampleContainer({
        defaultTtlSeconds: 10,
        uniqueKeys: [[['u']], [['v'], ['w']]],
      });
      const rows = new ItemRows(container);
      let model = new Map<string, { u: unknown; v: unknown; second: number }>();
      for (const batch of batches) {
        for (const { kind } of batch) {
          if (kind === 'wait') rows.nowSeconds += 4;
          if (kind === 'purge') rows.remove(rows.keysOf('item'));
          if (kind === 'drop') {
            rows.deletedThrough = rows.timestamp;
            model.clear();
          }
        }
        const steps = batch.flatMap(({ kind, id, u, v }): ItemStep[] => {
          const item = draft(container, { id, u, v });
          switch (kind) {
            case 'create':
              return [{ kind, draft: item, rid: ++lastRid }];
            case 'upsert':
              return [{ kind, draft: item, rid: ++lastRid, ifMatch: undefined }];
            case 'replace':
              return [{ kind, id, draft: item, ifMatch: undefined }];
            case 'patch': {
              const operations = [
                { kind: 'set', path: ['u'], from: [], value: JSON.stringify(u ?? null) },
              ] as const;
              return [{ kind, id, patch: { operations, condition: undefined }, ifMatch: undefined }];
            }
            case 'delete':
              return [{ kind, id, ifMatch: undefined }];
            default:
              return [];
          }
        });
        if (steps.length === 0) continue;
        const { next, codes } = expected(model, batch, rows.nowSeconds);
        const answer = rows.run(...steps);
        assert.deepEqual(
          answer.results.map(({ outcome, error }) => error?.code ?? outcome),
          codes,
        );
        if (answer.isApplied) model = next;
        checkInvariant(rows);
      }
      const live = new Set(
        [...model].filter(([, item]) => item.second + 10 > rows.nowSeconds).map(([key]) => key),
      );
      for (const key of ['a', 'b', 'c', 'd']) {
        const { outcome } = rows.run({ kind: 'read', id: key, ifNoneMatch: undefined }).results[0] ?? {};
        assert.equal(outcome === 'read', live.has(key));
      }
    }),
    { numRuns: 120 },
  );
});

type Model = Map<string, { u: unknown; v: unknown; second: number }>;

function expected(
  model: Model,
  batch: readonly { kind: string; id: string; u: unknown; v: unknown }[],
  second: number,
): { next: Model; codes: string[] } {
  const next: Model = new Map([...model].filter(([, item]) => item.second + 10 > second));
  const codes: string[] = [];
  for (const { kind, id, u, v } of batch) {
    if (['wait', 'purge', 'drop'].includes(kind)) continue;
    const old = next.get(id);
    const code = codeOf(next, kind, { id, u, v: kind === 'patch' ? old?.v : v }, old !== undefined);
    codes.push(code);
    if (code === 'deleted') next.delete(id);
    else if (code === 'created' || code === 'replaced')
      next.set(id, { u: u ?? null, v: (kind === 'patch' ? old?.v : v) ?? null, second });
    else break;
  }
  return { next, codes };
}

function codeOf(
  model: Model,
  kind: string,
  { id, u, v }: { id: string; u: unknown; v: unknown },
  isThere: boolean,
): string {
  if (kind === 'create' && isThere) return 'item-exists';
  if (!isThere && kind !== 'create' && kind !== 'upsert') return 'item-not-found';
  if (kind === 'delete') return 'deleted';
  const isTaken = [...model].some(
    ([other, item]) => other !== id && (item.u === (u ?? null) || item.v === (v ?? null)),
  );
  if (isTaken) return 'unique-key-violation';
  return isThere ? 'replaced' : 'created';
}

/** Each stored item has one row for its number and one for each unique key, and there are no others. */
function checkInvariant(rows: ItemRows): void {
  const items = rows.keysOf('item').length;
  assert.equal(rows.keysOf('rid').length, items);
  assert.equal(rows.keysOf('unique-key').length, 2 * items);
}
