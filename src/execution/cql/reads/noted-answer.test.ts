import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rowsOfAnswer } from '../../../../test/support/answer-rows.ts';
import { hexOf, WrittenCql } from '../../../../test/support/written-cql.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { StatementAnswer, StatementRequest } from '../statement-request.ts';
import { NotedAnswer } from './noted-answer.ts';
import type { ReadPlan } from './read-plan.ts';

const table = 'CREATE TABLE ks.t (p int, c int, s int static, v int, m map<int, int>, PRIMARY KEY (p, c))';
const firstSecond = 1_800_000_000;

type Asked = Partial<StatementRequest>;

/** A statement that stays prepared as a connection keeps it: until its table is another. */
class Kept {
  readonly #cql: WrittenCql;
  readonly #text: string;
  #prepared: ReturnType<WrittenCql['prepare']>;

  constructor(cql: WrittenCql, text: string) {
    this.#cql = cql;
    this.#text = text;
    this.#prepared = cql.prepare(text);
  }

  async run(asked: Asked): Promise<StatementAnswer> {
    if (!this.#prepared.isCurrent(this.#cql.parts.catalog.schema))
      this.#prepared = this.#cql.prepare(this.#text);
    return await this.#prepared.run(this.#cql.request(asked));
  }

  /** As one that was never run says it: nothing was noted for it. */
  async runAnew(asked: Asked): Promise<StatementAnswer> {
    return await this.#cql.run(this.#text, asked);
  }
}

function shown(answer: StatementAnswer): unknown {
  assert.ok(answer.kind === 'encoded-rows');
  const { chargeRu, pagingState } = answer;
  return { rows: hexOf(rowsOfAnswer(answer)), chargeRu, isCut: pagingState !== undefined };
}

/** Counts how often rows were gone through; what is answered without that was noted. */
function countVisits({ parts }: WrittenCql): () => number {
  const { store } = parts.throughput;
  const visit = store.visitCached.bind(store);
  let visits = 0;
  const counted: typeof visit = (...given) => {
    visits++;
    return visit(...given);
  };
  Object.defineProperty(store, 'visitCached', { value: counted });
  return () => visits;
}

async function withTable(run: (cql: WrittenCql) => Promise<void>): Promise<void> {
  await WrittenCql.use(async (cql) => {
    await cql.run(table);
    await run(cql);
  });
}

test('the third read of a partition goes through no rows, and costs and says what the first did', () =>
  withTable(async (cql) => {
    for (const c of [1, 2, 3]) await cql.run(`INSERT INTO ks.t (p, c, s, v) VALUES (1, ${c}, 5, ${c * 10})`);
    const kept = new Kept(cql, 'SELECT * FROM ks.t WHERE p = 1');
    const answers = [await kept.run({}), await kept.run({}), await kept.run({})].map(shown);
    const visits = countVisits(cql);
    answers.push(shown(await kept.run({})), shown(await kept.run({ pageSize: 4 })));
    assert.equal(visits(), 0);
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.deepEqual(shown(await kept.run({ pageSize: 3 })), { ...(answers[0] as object), isCut: true });
    assert.equal(visits(), 1, 'a page that may be full is filled row by row');
  }));

test('nothing is noted of rows that expire', () =>
  withTable(async (cql) => {
    const kept = new Kept(cql, 'SELECT c, v FROM ks.t WHERE p = 1');
    const at = (seconds: number) => ({ nowInSeconds: firstSecond + seconds });
    await cql.run('INSERT INTO ks.t (p, c, v) VALUES (1, 1, 1)', at(0));
    await cql.run('INSERT INTO ks.t (p, c, v) VALUES (1, 2, 2) USING TTL 10', at(0));
    const counts: unknown[] = [];
    for (const second of [1, 2, 3, 9, 10, 11]) counts.push(rowsOfAnswer(await kept.run(at(second))).length);
    assert.deepEqual(counts, [2, 2, 2, 2, 1, 1]);
  }));

test('limits that come as values are held against what was noted', () =>
  withTable(async (cql) => {
    for (const c of [1, 2, 3]) await cql.run(`INSERT INTO ks.t (p, c) VALUES (1, ${c})`);
    for (const limit of ['LIMIT', 'PER PARTITION LIMIT']) {
      const kept = new Kept(cql, `SELECT c FROM ks.t WHERE p = 1 ${limit} ?`);
      const counts: number[] = [];
      for (const most of [2, 2, 2, 9, 9, 9, 2, 9])
        counts.push(rowsOfAnswer(await kept.run({ values: [Buffer.of(0, 0, 0, most)] })).length);
      assert.deepEqual(counts, [2, 2, 2, 3, 3, 3, 2, 3], limit);
    }
  }));

test('what was noted of one partition is not said of another of the same ring position', () => {
  const columns: ReadPlan['plainColumns'] = [];
  const figures = { itemsLoaded: 0, bytesLoaded: 0, itemsReturned: 0, bytesReturned: 0 };
  const note = new NotedAnswer(columns, 'one' as ByteString, figures, Buffer.alloc(3));
  assert.equal(note.isOf({ plainColumns: columns }, 'one' as ByteString), true);
  assert.equal(note.isOf({ plainColumns: columns }, 'other' as ByteString), false);
  assert.equal(note.isOf({ plainColumns: [] }, 'one' as ByteString), false);
});

test('whatever is written, altered or split between, a statement that noted its answers says what a new one says', async () => {
  const texts = [
    'SELECT p, c, s, v FROM ks.t WHERE p = ?',
    'SELECT * FROM ks.t WHERE p = ?',
    'SELECT v, m FROM ks.t WHERE p = ? LIMIT 3',
    'SELECT c FROM ks.t WHERE p = ? PER PARTITION LIMIT 2',
  ];
  let answered = 0;
  let visited = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep(), { minLength: 3, maxLength: 8 }), async (steps) => {
      await withTable(async (cql) => {
        const kept = texts.map((text) => new Kept(cql, text));
        const visits = countVisits(cql);
        let second = firstSecond;
        for (const [place, step] of steps.entries()) {
          if (step === 'wait') second += 4;
          else if (step === 'split') await split(cql);
          else await cql.run(step.replaceAll('COLUMN', `x${place}`), { nowInSeconds: second });
          for (const p of [0, 1]) {
            const values = [Buffer.of(0, 0, 0, p)];
            for (const statement of kept) {
              for (const pageSize of [undefined, 2]) {
                const asked = { values, pageSize, nowInSeconds: second };
                const anew = shown(await statement.runAnew(asked));
                assert.deepEqual(shown(await statement.run(asked)), anew);
                const before = visits();
                for (let time = 0; time < 3; time++)
                  assert.deepEqual(shown(await statement.run(asked)), anew);
                answered += 3;
                visited += visits() - before;
              }
            }
          }
        }
      });
    }),
    { numRuns: 4 },
  );
  assert.ok(answered - visited > 20, `${visited} of ${answered} went through rows`);
});

function anyStep(): fc.Arbitrary<string> {
  const place = fc.tuple(fc.nat(1), fc.nat(5), fc.nat(9));
  return fc.oneof(
    {
      weight: 6,
      arbitrary: place.map(([p, c, v]) => `INSERT INTO ks.t (p, c, v) VALUES (${p}, ${c}, ${v})`),
    },
    {
      weight: 1,
      arbitrary: place.map(([p, c, v]) => `UPDATE ks.t SET m[${v}] = 1 WHERE p = ${p} AND c = ${c}`),
    },
    { weight: 1, arbitrary: place.map(([p, , v]) => `UPDATE ks.t SET s = ${v} WHERE p = ${p}`) },
    {
      weight: 1,
      arbitrary: place.map(([p, c]) => `UPDATE ks.t USING TTL 6 SET v = 7 WHERE p = ${p} AND c = ${c}`),
    },
    { weight: 1, arbitrary: place.map(([p, c]) => `DELETE FROM ks.t WHERE p = ${p} AND c = ${c}`) },
    { weight: 1, arbitrary: place.map(([p, c]) => `DELETE FROM ks.t WHERE p = ${p} AND c > ${c}`) },
    { weight: 1, arbitrary: place.map(([p]) => `DELETE FROM ks.t WHERE p = ${p}`) },
    { weight: 1, arbitrary: place.map(([p]) => `DELETE s FROM ks.t WHERE p = ${p}`) },
    { weight: 1, arbitrary: fc.constant('ALTER TABLE ks.t ADD COLUMN int') },
    { weight: 1, arbitrary: fc.constant('TRUNCATE ks.t') },
    { weight: 1, arbitrary: fc.constantFrom('wait', 'split') },
  );
}

async function split({ parts }: WrittenCql): Promise<void> {
  const { store } = parts.throughput;
  const container = store.containers().at(-1) ?? 0;
  const [first] = store.mapOf(container)?.partitions ?? [];
  if (first !== undefined) await store.splitPartition(container, first.id, 'midpoint');
}
