import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSql } from './parse-sql.ts';
import { adviceOn } from './query-advice.ts';

test('what makes a query dear is named by its id, wherever it stands, and once', () => {
  const wanted: readonly (readonly [query: string, ids: readonly string[]])[] = [
    ['SELECT * FROM c WHERE c.a = 1', []],
    ['SELECT VALUE ARRAY_CONTAINS(c.a, {b: 1}, true) FROM c', ['QA1000']],
    ['SELECT VALUE ARRAY_CONTAINS(c.a, 1) FROM c', []],
    ['SELECT DISTINCT c.id FROM c JOIN t IN c.tags', ['QA1001']],
    ['SELECT * FROM c WHERE CONTAINS(c.a, "x") OR contains(c.b, "y")', ['QA1002']],
    ['SELECT * FROM c WHERE STARTSWITH(c.a, "x", true)', ['QA1003']],
    ['SELECT * FROM c WHERE StringEquals(c.a, "x", true)', ['QA1003']],
    ['SELECT * FROM c WHERE STARTSWITH(c.a, "x", false)', []],
    ['SELECT * FROM c WHERE ENDSWITH(c.a, "x")', ['QA1004']],
    ['SELECT VALUE COUNT(1) FROM c GROUP BY FLOOR(c.a)', ['QA1005']],
    ['SELECT VALUE COUNT(1) FROM c GROUP BY c.a', []],
    ['SELECT * FROM c WHERE NOT (LOWER(c.a) = "x")', ['QA1006']],
    ['SELECT LOWER(c.a) FROM c WHERE c.b IN (UPPER(c.a), 1)', ['QA1006']],
    ['SELECT LOWER(c.a) FROM c', []],
    ['SELECT * FROM c WHERE c.t > GetCurrentDateTime()', ['QA1007']],
    ['SELECT GetCurrentTicks() FROM c WHERE GetCurrentTimestamp() > 10', ['QA1008', 'QA1009']],
    ['SELECT * FROM c WHERE c.t > GetCurrentTicksStatic()', []],
    ['SELECT * FROM c WHERE EXISTS (SELECT VALUE t FROM t IN c.tags WHERE ENDSWITH(t, "x"))', ['QA1004']],
    ['SELECT * FROM (SELECT VALUE c.a FROM c WHERE CONTAINS(c.a, "x")) AS s', ['QA1002']],
    ['SELECT udf.CONTAINS(c.a, "x") FROM c', []],
  ];
  for (const [query, ids] of wanted) assert.deepEqual(adviceOn(parseSql(query)), ids, query);
});
