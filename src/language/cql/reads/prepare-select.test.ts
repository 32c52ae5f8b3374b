import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DefinedCql } from '../../../../test/support/defined-cql.ts';
import {
  clusteringKey,
  commit,
  envelope,
  intBytes,
  type ModelPartition,
  now,
  shown,
  store,
  tableOf,
} from '../../../../test/support/stored-partitions.ts';
import { findTable } from '../../../catalog/cql/cql-schema.ts';
import { rowKey } from '../../../execution/cql/row-keys.ts';
import type {
  RowsAnswer,
  StatementAnswer,
  StatementRequest,
} from '../../../execution/cql/statement-request.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { LogicalPartition } from '../../../partitioning/logical-partition.ts';
import { cqlPartitionKey } from '../../../partitioning/partition-key.ts';
import { positionOfToken } from '../../../partitioning/ring-position.ts';
import { type Token, tokenOf } from '../../../partitioning/token.ts';
import type { PartitionAddress } from '../../../storage/partition-store.ts';
import type { CqlCell } from '../../../values/cql-cell.ts';
import { emptyRow } from '../../../values/cql-row.ts';
import { encodeRow } from '../../../values/cql-row-codec.ts';
import { parseCql } from '../cql-parser.ts';
import { prepareSelect } from './prepare-select.ts';

/** One row of the table (p, c, s static, v) as a reader sees it. */
type Shown = readonly [p: number, c: number | null, s: number | null, v: number | null];

const session = {
  keyspace: 'ks',
  role: undefined,
  localAddress: '127.0.0.1',
  localPort: 0,
  remoteAddress: '127.0.0.1',
};

function requestOf(fields: Partial<StatementRequest>): StatementRequest {
  return {
    values: [],
    consistency: 'ONE',
    serialConsistency: 'SERIAL',
    pageSize: undefined,
    pagingState: null,
    timestamp: undefined,
    nowInSeconds: now,
    session,
    trace: undefined,
    ...fields,
  };
}

test('pages of any size, with splits between them, give what one page gives, and that is what a model gives', async () => {
  await DefinedCql.use(async (cql) => {
    await cql.run(
      "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    );
    await cql.run('CREATE TABLE ks.t (p int, c int, s int static, v int, PRIMARY KEY (p, c))');
    let model: readonly ModelPartition[] = [];
    await fc.assert(
      fc.asyncProperty(
        anyModel(),
        fc.constantFrom(...queries),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: -3, max: 3 }),
        async (added, query, sizes, cut) => {
          // Rows of earlier runs stay, so later runs have ever more of them, in ever more physical partitions.
          model = merge(model, added);
          await store(cql, added);
          const expected = query.rows(model);
          const whole = await select(cql, query.text, {});
          assert.deepEqual(shown(whole), expected, query.text);
          assert.deepEqual(await allPages(cql, query.text, sizes, cut), expected, query.text);
        },
      ),
      { numRuns: 20 },
    );
  });
});

test('a row that memory knows is answered in the same turn', async () => {
  await withRows(async (cql) => {
    const { statement, markers } = parseCql('SELECT v, s FROM ks.t WHERE p = ? AND c = ?');
    assert.ok(statement.kind === 'select');
    const prepared = prepareSelect(statement, markers, contextOf(cql));
    assert.deepEqual(prepared.partitionKeyIndexes, [0]);
    assert.deepEqual(
      prepared.variables.map(({ name }) => name),
      ['p', 'c'],
    );
    await prepared.run(requestOf({ values: [intBytes(1), intBytes(2)] }));
    const answer = prepared.run(requestOf({ values: [intBytes(1), intBytes(2)] }));
    assert.ok(!(answer instanceof Promise));
    assert.deepEqual(shown(answer), [[20, 7]]);
    assert.ok(answer.chargeRu > 0);
  });
});

test('a row costs and gives the same whether memory knows it or the disk is asked', async () => {
  await withRows(async (cql) => {
    const text = 'SELECT * FROM ks.t WHERE p = 1 AND c = 2';
    const known = await select(cql, text, {});
    Object.defineProperty(cql.throughput.store, 'readCached', { value: () => undefined });
    const read = await select(cql, text, {});
    assert.deepEqual(shown(read), [[1, 2, 7, 20]]);
    const whenCopied = undefined;
    assert.deepEqual({ ...read, whenCopied }, { ...known, whenCopied });
    assert.deepEqual(shown(await select(cql, 'SELECT * FROM ks.t WHERE p = 1 AND c = 9', {})), []);
  });
});

test('where there are no clustering columns a partition has no header, and none is looked for', async () => {
  await withRows(async (cql) => {
    await cql.run('CREATE TABLE ks.plain (k int PRIMARY KEY, v int)');
    const { store: rows } = cql.throughput;
    const asked: ByteString[] = [];
    const read = rows.read.bind(rows);
    Object.defineProperty(rows, 'readCached', { value: () => undefined });
    Object.defineProperty(rows, 'read', {
      value: (address: PartitionAddress, key: ByteString) => {
        asked.push(key);
        return read(address, key);
      },
    });
    assert.deepEqual(shown(await select(cql, 'SELECT * FROM ks.plain WHERE k = 1', {})), []);
    assert.deepEqual(shown(await select(cql, 'SELECT * FROM ks.plain WHERE k IN (1, 2)', {})), []);
    assert.equal(asked.length, 3);
    await select(cql, 'SELECT * FROM ks.t WHERE p = 1 AND c = 2', {});
    assert.equal(asked.length, 5);
  });
});

test('a page state of another statement, of other values, or that is made up is refused', async () => {
  await withRows(async (cql) => {
    const first = await select(cql, 'SELECT * FROM ks.t', { pageSize: 1 });
    assert.ok(first.kind === 'encoded-rows' && first.pagingState !== undefined);
    const { pagingState } = first;
    const refused = { code: 'bad-page-token' };
    await assert.rejects(select(cql, 'SELECT * FROM ks.t LIMIT 5', { pageSize: 1, pagingState }), refused);
    const madeUp = Buffer.from('nonsense');
    await assert.rejects(select(cql, 'SELECT * FROM ks.t', { pageSize: 1, pagingState: madeUp }), refused);
  });
});

test('a query is charged by the physical partitions it visits and the rows it looks at, and twice at QUORUM', async () => {
  await withRows(async (cql) => {
    const one = await select(cql, 'SELECT * FROM ks.t WHERE p = 1', {});
    const all = await select(cql, 'SELECT * FROM ks.t', {});
    assert.ok(all.chargeRu > one.chargeRu);
    const quorum = await select(cql, 'SELECT * FROM ks.t WHERE p = 1', { consistency: 'QUORUM' });
    assert.equal(quorum.chargeRu, 2 * one.chargeRu);
    await assert.rejects(select(cql, 'SELECT * FROM ks.t', { consistency: 'ANY' }), { code: 'bad-request' });
  });
});

test('a page ends with its bytes', async () => {
  await DefinedCql.use(async (cql) => {
    await cql.run(
      "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    );
    await cql.run('CREATE TABLE ks.t (p int, c int, s int static, v int, w blob, PRIMARY KEY (p, c))');
    const { container, columnIds } = tableOf(cql);
    const partition = new LogicalPartition(container, cqlPartitionKey([intBytes(1)]));
    const value = Buffer.alloc(1_900_000);
    const cell: CqlCell = { kind: 'live', timestamp: 1n, expiry: undefined, value };
    const row = {
      ...emptyRow,
      columns: [{ kind: 'simple', columnId: columnIds.get('w') ?? 0, cell } as const],
    };
    for (let c = 0; c < 12; c++) {
      const stored = envelope('cql-row', encodeRow(row));
      await commit(cql, partition, [{ key: rowKey(partition, clusteringKey(c)), value: stored }]);
    }
    const counts: number[] = [];
    let pagingState: Buffer | null = null;
    do {
      const page: StatementAnswer = await select(cql, 'SELECT w FROM ks.t', { pageSize: 100, pagingState });
      assert.ok(page.kind === 'encoded-rows');
      counts.push(page.rowCount);
      pagingState = page.pagingState ?? null;
    } while (pagingState !== null);
    assert.deepEqual(counts, [9, 3]);
  });
});

test('a statement is not current any more when its table has changed', async () => {
  await withRows(async (cql) => {
    const { statement, markers } = parseCql('SELECT * FROM ks.t');
    assert.ok(statement.kind === 'select');
    const prepared = prepareSelect(statement, markers, contextOf(cql));
    assert.ok(prepared.isCurrent(cql.schema));
    await cql.run('ALTER TABLE ks.t ADD w int');
    assert.ok(!prepared.isCurrent(cql.schema));
  });
});

test('rows of a virtual table are sorted, restricted and paged as those of a stored one', async () => {
  await withRows(async (cql) => {
    const schema = findTable(cql.schema, 'ks', 't');
    assert.ok(schema !== undefined);
    const rows = [
      [2, 2, null, 5],
      [1, 3, 7, 30],
      [1, 1, 7, 10],
      [1, 2, 7, 20],
    ].map((row) => row.map((value) => (value === null ? null : intBytes(value))));
    const virtual = { ...schema, container: undefined };
    const keyspace = cql.schema.keyspaces.get('ks');
    assert.ok(keyspace !== undefined);
    const keyspaces = new Map([['ks', { ...keyspace, tables: new Map([['t', virtual]]) }]]);
    const virtualTables = new Map([['ks.t', { schema: virtual, rows: () => rows }]]);
    const context = {
      schema: { ...cql.schema, keyspaces },
      keyspace: 'ks',
      parts: { ...cql.parts, virtualTables },
    };
    const run = (text: string, fields: Partial<StatementRequest> = {}) => {
      const { statement, markers } = parseCql(text);
      assert.ok(statement.kind === 'select');
      const answer = prepareSelect(statement, markers, context).run(requestOf(fields));
      assert.ok(!(answer instanceof Promise));
      return answer;
    };
    assert.deepEqual(shown(run('SELECT c, v FROM t WHERE p = 1 AND c > 1')), [
      [2, 20],
      [3, 30],
    ]);
    assert.deepEqual(shown(run('SELECT c FROM t WHERE p = 1 ORDER BY c DESC LIMIT 2')), [[3], [2]]);
    assert.deepEqual(shown(run('SELECT p, c FROM t')), [
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 2],
    ]);
    const pages: unknown[] = [];
    let pagingState: Buffer | undefined;
    do {
      const page: StatementAnswer = run('SELECT p, c FROM t', {
        pageSize: 1,
        pagingState: pagingState ?? null,
      });
      assert.ok(page.kind === 'rows');
      pages.push(...shown(page));
      pagingState = page.pagingState;
    } while (pagingState !== undefined);
    assert.equal(pages.length, 4);
  });
});

const live = (model: readonly ModelPartition[]): Shown[] =>
  inRing(model).flatMap((partition) => rowsOf(partition));

const queries: readonly {
  readonly text: string;
  readonly rows: (model: readonly ModelPartition[]) => readonly (readonly (number | null)[])[];
}[] = [
  { text: 'SELECT * FROM ks.t', rows: live },
  { text: 'SELECT * FROM ks.t LIMIT 7', rows: (model) => live(model).slice(0, 7) },
  {
    text: 'SELECT * FROM ks.t PER PARTITION LIMIT 2',
    rows: (model) => inRing(model).flatMap((partition) => rowsOf(partition).slice(0, 2)),
  },
  {
    text: 'SELECT * FROM ks.t PER PARTITION LIMIT 2 LIMIT 5',
    rows: (model) =>
      inRing(model)
        .flatMap((partition) => rowsOf(partition).slice(0, 2))
        .slice(0, 5),
  },
  {
    text: 'SELECT DISTINCT p, s FROM ks.t',
    rows: (model) =>
      inRing(model)
        .filter((partition) => rowsOf(partition).length > 0)
        .map(({ p, s }) => [p, s]),
  },
  {
    text: 'SELECT * FROM ks.t WHERE p IN (3, 1, 2)',
    rows: (model) => [1, 2, 3].flatMap((p) => model.filter((one) => one.p === p).flatMap(rowsOf)),
  },
  {
    text: 'SELECT * FROM ks.t WHERE p = 1 AND c >= 2 AND c < 5',
    rows: (model) => live(model).filter(([p, c]) => p === 1 && c !== null && c >= 2 && c < 5),
  },
  {
    text: 'SELECT * FROM ks.t WHERE p = 2 AND c > 1 ORDER BY c DESC',
    rows: (model) =>
      live(model)
        .filter(([p, c]) => p === 2 && c !== null && c > 1)
        .toReversed(),
  },
  {
    text: 'SELECT * FROM ks.t WHERE p = 3 AND c IN (4, 0, 2)',
    rows: (model) => live(model).filter(([p, c]) => p === 3 && c !== null && [0, 2, 4].includes(c)),
  },
  {
    text: 'SELECT * FROM ks.t WHERE v > 50 ALLOW FILTERING',
    rows: (model) => live(model).filter(([, , , v]) => v !== null && v > 50),
  },
  {
    text: 'SELECT * FROM ks.t WHERE s > 4 ALLOW FILTERING',
    rows: (model) => live(model).filter(([, , s]) => s !== null && s > 4),
  },
  {
    text: 'SELECT * FROM ks.t WHERE c = 3 ALLOW FILTERING',
    rows: (model) => live(model).filter(([, c]) => c === 3),
  },
  {
    text: 'SELECT * FROM ks.t WHERE token(p) > -4069959284402364209 AND token(p) <= 9010454139840013625',
    rows: (model) =>
      live(model).filter(([p]) => p !== 1 && tokenOfInt(p) > tokenOfInt(1) && tokenOfInt(p) <= tokenOfInt(3)),
  },
  {
    text: 'SELECT p, v FROM ks.t WHERE token(p) > 0 AND token(p) <= -9223372036854775808',
    rows: (model) =>
      live(model)
        .filter(([p]) => tokenOfInt(p) > 0n)
        .map(([p, , , v]) => [p, v]),
  },
  {
    text: 'SELECT p, max(v) FROM ks.t GROUP BY p',
    rows: (model) =>
      inRing(model).flatMap((partition) => {
        const rows = rowsOf(partition);
        return rows.length === 0 ? [] : [[partition.p, largest(rows)]];
      }),
  },
  {
    text: 'SELECT p, c, max(v) FROM ks.t GROUP BY p, c LIMIT 9',
    rows: (model) =>
      live(model)
        .slice(0, 9)
        .map(([p, c, , v]) => [p, c, v]),
  },
  { text: 'SELECT max(v) FROM ks.t', rows: (model) => [[largest(live(model))]] },
];

/** Static columns stand alone where a partition has no rows. */
function rowsOf({ p, s, deletedBelow, rows }: ModelPartition): Shown[] {
  const alive = rows.filter(({ c, isDead }) => !isDead && c >= deletedBelow);
  if (alive.length === 0) return s === null ? [] : [[p, null, s, null]];
  return alive.map(({ c, v }) => [p, c, s, v]);
}

function largest(rows: readonly Shown[]): number | null {
  const values = rows.flatMap(([, , , v]) => (v === null ? [] : [v]));
  return values.length === 0 ? null : Math.max(...values);
}

function inRing(model: readonly ModelPartition[]): readonly ModelPartition[] {
  return model.toSorted((left, right) => (tokenOfInt(left.p) < tokenOfInt(right.p) ? -1 : 1));
}

function tokenOfInt(p: number): Token {
  return tokenOf(intBytes(p));
}

function merge(
  model: readonly ModelPartition[],
  added: readonly ModelPartition[],
): readonly ModelPartition[] {
  return [...model.filter(({ p }) => !added.some((other) => other.p === p)), ...added];
}

function anyModel(): fc.Arbitrary<readonly ModelPartition[]> {
  const row = fc.record({
    c: fc.nat(6),
    v: fc.option(fc.nat(99)),
    isDead: fc.oneof(fc.constant(false), fc.boolean()),
  });
  const partition = fc.record({
    p: fc.nat(8),
    s: fc.option(fc.nat(9)),
    deletedBelow: fc.constantFrom(0, 0, 0, 2, 9),
    rows: fc
      .uniqueArray(row, { maxLength: 6, selector: ({ c }) => c })
      .map((rows) => rows.toSorted((left, right) => left.c - right.c)),
  });
  return fc.uniqueArray(partition, { maxLength: 5, selector: ({ p }) => p });
}

async function withRows(run: (cql: DefinedCql) => Promise<void>): Promise<void> {
  await DefinedCql.use(async (cql) => {
    await cql.run(
      "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    );
    await cql.run('CREATE TABLE ks.t (p int, c int, s int static, v int, PRIMARY KEY (p, c))');
    const rows = [1, 2, 3].map((c) => ({ c, v: c * 10, isDead: false }));
    await store(cql, [
      { p: 1, s: 7, deletedBelow: 0, rows },
      { p: 2, s: null, deletedBelow: 0, rows },
    ]);
    await run(cql);
  });
}

function contextOf(cql: DefinedCql): Parameters<typeof prepareSelect>[2] {
  return { schema: cql.schema, keyspace: undefined, parts: cql.parts };
}

async function select(
  cql: DefinedCql,
  text: string,
  fields: Partial<StatementRequest>,
): Promise<StatementAnswer> {
  const { statement, markers } = parseCql(text);
  assert.ok(statement.kind === 'select');
  return prepareSelect(statement, markers, contextOf(cql)).run(requestOf(fields));
}

/** After the first page the ring is cut somewhere, unless it is already. */
async function allPages(
  cql: DefinedCql,
  text: string,
  sizes: readonly number[],
  cut: number,
): Promise<unknown[]> {
  const all: unknown[] = [];
  let pagingState: Buffer | null = null;
  for (let page = 0; ; page++) {
    assert.ok(page < 300, 'pages come to an end');
    const answer = await select(cql, text, { pageSize: sizes[page % sizes.length], pagingState });
    all.push(...shown(answer));
    if (page === 0) await cutAt(cql, cut);
    const state: Buffer | undefined = (answer as RowsAnswer).pagingState;
    if (state === undefined) return all;
    pagingState = state;
  }
}

async function cutAt(cql: DefinedCql, cut: number): Promise<void> {
  const { store: rows } = cql.throughput;
  const { container } = tableOf(cql);
  const map = rows.mapOf(container);
  const at = positionOfToken((BigInt(cut) * 2n ** 61n) as Token);
  const owner = map?.ownerOf(at);
  if (owner === undefined || owner.range.min >= at.replace(/\0+$/, '')) return;
  await rows.splitPartition(container, owner.id, at);
}
