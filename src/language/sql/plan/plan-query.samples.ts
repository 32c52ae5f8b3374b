/** A query, and what of its plan is not as in the plan of `SELECT * FROM c`. In rewritten queries `¶` stands for a new line. */
export const planSamples: string = `
SELECT * FROM c → {}
SELECT c.id FROM c WHERE c.a > 5 → {}
SELECT VALUE c.id FROM c → {"hasSelectValue":true}
SELECT VALUE t FROM c JOIN t IN c.tags → {"hasSelectValue":true}
SELECT TOP 5 * FROM c → {"top":5}
SELECT TOP @n * FROM c → {"top":3}
SELECT * FROM c OFFSET 10 LIMIT 5 → {"offset":10,"limit":5,"rewrittenQuery":"SELECT *¶FROM c¶OFFSET 0 LIMIT 15"}
SELECT * FROM c OFFSET @n LIMIT @n → {"offset":3,"limit":3,"rewrittenQuery":"SELECT *¶FROM c¶OFFSET 0 LIMIT 6"}
SELECT DISTINCT c.a FROM c → {"distinctType":"Unordered","rewrittenQuery":"SELECT DISTINCT c.a¶FROM c¶-- distinct by page"}
SELECT DISTINCT VALUE c.a FROM c → {"distinctType":"Unordered","hasSelectValue":true,"rewrittenQuery":"SELECT DISTINCT VALUE c.a¶FROM c¶-- distinct by page"}
SELECT DISTINCT TOP 5 VALUE c.a FROM c → {"distinctType":"Unordered","hasSelectValue":true,"top":5,"rewrittenQuery":"SELECT DISTINCT VALUE c.a¶FROM c¶-- distinct by page"}
SELECT * FROM c ORDER BY c.a → {"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, c AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a"}
SELECT * FROM root r WHERE r.x = 'y' ORDER BY r.a DESC → {"orderBy":["Descending"],"orderByExpressions":["r.a"],"rewrittenQuery":"SELECT r._rid, [{\\"item\\": r.a}] AS orderByItems, r AS payload¶FROM root AS r¶WHERE ((r.x = \\"y\\") AND ({documentdb-formattableorderbyquery-filter}))¶ORDER BY r.a DESC"}
SELECT c.id, c.b.d, 1 FROM c ORDER BY c.a ASC, c.b DESC → {"orderBy":["Ascending","Descending"],"orderByExpressions":["c.a","c.b"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}, {\\"item\\": c.b}] AS orderByItems, {\\"id\\": c.id, \\"d\\": c.b.d, \\"$1\\": 1} AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a ASC, c.b DESC"}
SELECT VALUE c.b FROM c ORDER BY c.a → {"hasSelectValue":true,"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, c.b AS payload¶FROM c¶WHERE (IS_DEFINED(c.b) AND ({documentdb-formattableorderbyquery-filter}))¶ORDER BY c.a"}
SELECT TOP 5 * FROM c ORDER BY c.a → {"top":5,"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT TOP 5 c._rid, [{\\"item\\": c.a}] AS orderByItems, c AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a"}
SELECT * FROM c ORDER BY c.a OFFSET 2 LIMIT 3 → {"offset":2,"limit":3,"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, c AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a¶OFFSET 0 LIMIT 5"}
SELECT DISTINCT VALUE c.a FROM c ORDER BY c.a → {"distinctType":"Ordered","hasSelectValue":true,"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, c.a AS payload¶FROM c¶WHERE (IS_DEFINED(c.a) AND ({documentdb-formattableorderbyquery-filter}))¶ORDER BY c.a"}
SELECT VALUE COUNT(1) FROM c → {"hasSelectValue":true,"aggregates":["Count"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": COUNT(1)}]¶FROM c"}
SELECT VALUE SUM(c.a) FROM c WHERE c.b → {"hasSelectValue":true,"aggregates":["Sum"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": SUM(c.a)}]¶FROM c¶WHERE c.b"}
SELECT VALUE AVG(c.a) FROM c → {"hasSelectValue":true,"aggregates":["Average"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": {\\"sum\\": SUM(c.a), \\"count\\": COUNT(c.a)}}]¶FROM c"}
SELECT VALUE MIN(c.a) FROM c → {"hasSelectValue":true,"aggregates":["Min"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": MIN(c.a), \\"item2\\": {\\"min\\": MIN(c.a), \\"count\\": COUNT(c.a)}}]¶FROM c"}
SELECT VALUE MAX(c.a) FROM c → {"hasSelectValue":true,"aggregates":["Max"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": MAX(c.a), \\"item2\\": {\\"max\\": MAX(c.a), \\"count\\": COUNT(c.a)}}]¶FROM c"}
SELECT VALUE COUNTIF(c.a > 1) FROM c → {"hasSelectValue":true,"aggregates":["CountIf"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": COUNTIF((c.a > 1))}]¶FROM c"}
SELECT VALUE MAKESET(c.a) FROM c → {"hasSelectValue":true,"aggregates":["MakeSet"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": MAKESET(c.a)}]¶FROM c"}
SELECT COUNT(1) AS n, SUM(c.a) FROM c → {"groupByAliases":["n","$1"],"groupByAliasToAggregateType":{"n":"Count","$1":"Sum"},"rewrittenQuery":"SELECT {\\"n\\": {\\"item\\": COUNT(1)}, \\"$1\\": {\\"item\\": SUM(c.a)}} AS payload¶FROM c"}
SELECT TOP 3 VALUE COUNT(1) FROM c → {"top":3,"hasSelectValue":true,"aggregates":["Count"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": COUNT(1)}]¶FROM c"}
SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a → {"groupByExpressions":["c.a"],"groupByAliases":["a","n"],"groupByAliasToAggregateType":{"a":null,"n":"Count"},"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, {\\"a\\": c.a, \\"n\\": {\\"item\\": COUNT(1)}} AS payload¶FROM c¶GROUP BY c.a"}
SELECT VALUE COUNT(1) FROM c GROUP BY c.a → {"hasSelectValue":true,"aggregates":["Count"],"groupByExpressions":["c.a"],"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, [{\\"item\\": COUNT(1)}] AS payload¶FROM c¶GROUP BY c.a"}
SELECT VALUE c.a FROM c GROUP BY c.a → {"hasSelectValue":true,"groupByExpressions":["c.a"],"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, c.a AS payload¶FROM c¶GROUP BY c.a"}
SELECT c.a FROM c GROUP BY c.a, c.b OFFSET 1 LIMIT 2 → {"offset":1,"limit":2,"groupByExpressions":["c.a","c.b"],"groupByAliases":["a"],"groupByAliasToAggregateType":{"a":null},"rewrittenQuery":"SELECT [{\\"item\\": c.a}, {\\"item\\": c.b}] AS groupByItems, {\\"a\\": c.a} AS payload¶FROM c¶GROUP BY c.a, c.b"}
SELECT c.id, (SELECT VALUE COUNT(1) FROM t IN c.tags) AS n FROM c → {}
SELECT * FROM c ORDER BY VectorDistance(c.v, [1, 2]) → {"hasNonStreamingOrderBy":true,"orderBy":["Descending"],"orderByExpressions":["VectorDistance(c.v, [1, 2])"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": VectorDistance(c.v, [1, 2])}] AS orderByItems, c AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY VectorDistance(c.v, [1, 2])"}
SELECT COUNT(1) AS n FROM (SELECT DISTINCT VALUE c.a FROM c) → {"distinctType":"Unordered","dCountInfo":{"dCountAlias":"n"},"rewrittenQuery":"SELECT DISTINCT VALUE c.a¶FROM c¶-- distinct by page"}
SELECT VALUE MIN(c.a) / 2 FROM c → error SC2105
SELECT VALUE [SUM(c.a)] FROM c → error SC2105
SELECT FLOOR(AVG(c.a)) FROM c → error SC2105
SELECT c.a, c.b FROM c → {}
SELECT c["a"] FROM c → {}
SELECT * FROM c WHERE c.pk = 1 → {}
SELECT * FROM root → {}
SELECT c FROM c → {}
SELECT 1 → {}
SELECT * FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags) → {}
SELECT ARRAY(SELECT VALUE t FROM t IN c.tags) AS x FROM c → {}
SELECT c.id, (SELECT VALUE MAX(t) FROM t IN c.tags) AS n FROM c → {}
SELECT c.id FROM c WHERE (SELECT VALUE COUNT(1) FROM t IN c.tags) > 1 → {}
SELECT c.id FROM c JOIN (SELECT DISTINCT VALUE t FROM t IN c.tags) t → {}
SELECT c.id FROM c JOIN (SELECT VALUE COUNT(1) FROM t IN c.tags) n → {}
SELECT x.id FROM (SELECT * FROM c) x → {}
SELECT * FROM (SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a) g WHERE g.n > 1 → {}
SELECT x.a FROM (SELECT TOP 3 c.a FROM c ORDER BY c.a) x → {}
SELECT * FROM c WHERE c.a LIKE "%x" AND c.b BETWEEN 1 AND 2 → {}
SELECT VALUE 1 → {"hasSelectValue":true}
SELECT VALUE {"a": c.a} FROM c → {"hasSelectValue":true}
SELECT VALUE [c.a, c.b] FROM c WHERE c.c → {"hasSelectValue":true}
SELECT VALUE x FROM (SELECT VALUE COUNT(1) FROM c) x → {"hasSelectValue":true}
SELECT VALUE x FROM (SELECT DISTINCT VALUE c.a FROM c) x → {"hasSelectValue":true}
SELECT VALUE (SELECT VALUE SUM(t) FROM t IN c.tags) FROM c → {"hasSelectValue":true}
SELECT VALUE t FROM t IN c.tags WHERE t = 1 → {"hasSelectValue":true}
SELECT TOP 0 * FROM c → {"top":0}
SELECT TOP 1 c.id FROM c WHERE c.a → {"top":1}
SELECT TOP 7 VALUE c.a FROM c → {"top":7,"hasSelectValue":true}
SELECT TOP 2147483648 * FROM c → {"top":2147483648}
SELECT TOP @m * FROM c → error SC2060
SELECT * FROM c OFFSET 0 LIMIT 0 → {"offset":0,"limit":0,"rewrittenQuery":"SELECT *¶FROM c¶OFFSET 0 LIMIT 0"}
SELECT c.id FROM c WHERE c.a = 1 OFFSET 5 LIMIT 10 → {"offset":5,"limit":10,"rewrittenQuery":"SELECT c.id¶FROM c¶WHERE (c.a = 1)¶OFFSET 0 LIMIT 15"}
SELECT VALUE c.id FROM c OFFSET 1 LIMIT 1 → {"offset":1,"limit":1,"hasSelectValue":true,"rewrittenQuery":"SELECT VALUE c.id¶FROM c¶OFFSET 0 LIMIT 2"}
SELECT * FROM c WHERE c.pk IN (1, 2) OFFSET 1 LIMIT 1 → {"offset":1,"limit":1,"rewrittenQuery":"SELECT *¶FROM c¶WHERE (c.pk IN (1, 2))¶OFFSET 0 LIMIT 2"}
SELECT * FROM c WHERE c.pk = "x" OFFSET 1 LIMIT 1 → {}
SELECT VALUE t FROM c JOIN t IN c.tags OFFSET 2 LIMIT 2 → {"offset":2,"limit":2,"hasSelectValue":true,"rewrittenQuery":"SELECT VALUE t¶FROM c¶JOIN t IN c.tags¶OFFSET 0 LIMIT 4"}
SELECT DISTINCT * FROM c → {"distinctType":"Unordered","rewrittenQuery":"SELECT DISTINCT *¶FROM c¶-- distinct by page"}
SELECT DISTINCT c.a, c.b FROM c → {"distinctType":"Unordered","rewrittenQuery":"SELECT DISTINCT c.a, c.b¶FROM c¶-- distinct by page"}
SELECT DISTINCT VALUE {"a": c.a} FROM c WHERE c.b > 1 → {"distinctType":"Unordered","hasSelectValue":true,"rewrittenQuery":"SELECT DISTINCT VALUE {\\"a\\": c.a}¶FROM c¶WHERE (c.b > 1)¶-- distinct by page"}
SELECT DISTINCT TOP 2 c.a FROM c → {"distinctType":"Unordered","top":2,"rewrittenQuery":"SELECT DISTINCT c.a¶FROM c¶-- distinct by page"}
SELECT DISTINCT c.a FROM c OFFSET 1 LIMIT 2 → {"distinctType":"Unordered","offset":1,"limit":2,"rewrittenQuery":"SELECT DISTINCT c.a¶FROM c¶-- distinct by page"}
SELECT DISTINCT c.a FROM c WHERE c.pk = "x" OFFSET 1 LIMIT 2 → {"distinctType":"Unordered","offset":1,"limit":2,"rewrittenQuery":"SELECT DISTINCT c.a¶FROM c¶WHERE (c.pk = \\"x\\")¶-- distinct by page"}
SELECT DISTINCT VALUE t FROM c JOIN t IN c.tags → {"distinctType":"Unordered","hasSelectValue":true,"rewrittenQuery":"SELECT DISTINCT VALUE t¶FROM c¶JOIN t IN c.tags¶-- distinct by page"}
SELECT DISTINCT c.a FROM c ORDER BY c.a → {"distinctType":"Ordered","orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, {\\"a\\": c.a} AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a"}
SELECT DISTINCT c.a FROM c ORDER BY c.b → {"distinctType":"Unordered","orderBy":["Ascending"],"orderByExpressions":["c.b"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.b}] AS orderByItems, {\\"a\\": c.a} AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.b"}
SELECT DISTINCT c.a, c.b FROM c ORDER BY c.a, c.b DESC → {"distinctType":"Ordered","orderBy":["Ascending","Descending"],"orderByExpressions":["c.a","c.b"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}, {\\"item\\": c.b}] AS orderByItems, {\\"a\\": c.a, \\"b\\": c.b} AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a, c.b DESC"}
SELECT DISTINCT c.a, c.b FROM c ORDER BY c.a → {"distinctType":"Unordered","orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, {\\"a\\": c.a, \\"b\\": c.b} AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a"}
SELECT * FROM c ORDER BY c.a ASC → {"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, c AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a ASC"}
SELECT * FROM c ORDER BY c._ts DESC → {"orderBy":["Descending"],"orderByExpressions":["c._ts"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c._ts}] AS orderByItems, c AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c._ts DESC"}
SELECT * FROM c ORDER BY c["a"]["b"] → {"orderBy":["Ascending"],"orderByExpressions":["c[\\"a\\"][\\"b\\"]"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c[\\"a\\"][\\"b\\"]}] AS orderByItems, c AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c[\\"a\\"][\\"b\\"]"}
SELECT * FROM c ORDER BY c.a.b.c DESC, c.d, c.e ASC → {"orderBy":["Descending","Ascending","Ascending"],"orderByExpressions":["c.a.b.c","c.d","c.e"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a.b.c}, {\\"item\\": c.d}, {\\"item\\": c.e}] AS orderByItems, c AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a.b.c DESC, c.d, c.e ASC"}
SELECT * FROM c WHERE c.a > 1 AND c.b < 2 ORDER BY c.a → {"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, c AS payload¶FROM c¶WHERE (((c.a > 1) AND (c.b < 2)) AND ({documentdb-formattableorderbyquery-filter}))¶ORDER BY c.a"}
SELECT * FROM c WHERE c.a = 'it\\'s' ORDER BY c.a → {"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, c AS payload¶FROM c¶WHERE ((c.a = \\"it's\\") AND ({documentdb-formattableorderbyquery-filter}))¶ORDER BY c.a"}
SELECT VALUE c FROM c ORDER BY c.a → {"hasSelectValue":true,"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, c AS payload¶FROM c¶WHERE (IS_DEFINED(c) AND ({documentdb-formattableorderbyquery-filter}))¶ORDER BY c.a"}
SELECT VALUE {"x": c.a} FROM c ORDER BY c.a → {"hasSelectValue":true,"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, {\\"x\\": c.a} AS payload¶FROM c¶WHERE (IS_DEFINED({\\"x\\": c.a}) AND ({documentdb-formattableorderbyquery-filter}))¶ORDER BY c.a"}
SELECT VALUE c.b FROM c WHERE c.x ORDER BY c.a DESC → {"hasSelectValue":true,"orderBy":["Descending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, c.b AS payload¶FROM c¶WHERE ((c.x AND IS_DEFINED(c.b)) AND ({documentdb-formattableorderbyquery-filter}))¶ORDER BY c.a DESC"}
SELECT c.id AS x, UPPER(c.b) FROM c ORDER BY c.a → {"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, {\\"x\\": c.id, \\"$1\\": UPPER(c.b)} AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a"}
SELECT 1, 2, c.id FROM c ORDER BY c.a → {"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, {\\"$1\\": 1, \\"$2\\": 2, \\"id\\": c.id} AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a"}
SELECT c FROM c ORDER BY c.a → {"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, {\\"c\\": c} AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a"}
SELECT TOP @n c.id FROM c ORDER BY c.a DESC → {"top":3,"orderBy":["Descending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT TOP @n c._rid, [{\\"item\\": c.a}] AS orderByItems, {\\"id\\": c.id} AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a DESC"}
SELECT c.id FROM c WHERE c.z ORDER BY c.a OFFSET 10 LIMIT 20 → {"offset":10,"limit":20,"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, {\\"id\\": c.id} AS payload¶FROM c¶WHERE (c.z AND ({documentdb-formattableorderbyquery-filter}))¶ORDER BY c.a¶OFFSET 0 LIMIT 30"}
SELECT * FROM Products p ORDER BY p.price → {"orderBy":["Ascending"],"orderByExpressions":["p.price"],"rewrittenQuery":"SELECT p._rid, [{\\"item\\": p.price}] AS orderByItems, p AS payload¶FROM Products AS p¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY p.price"}
SELECT c.id, t FROM c JOIN t IN c.tags ORDER BY c.a → {"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, {\\"id\\": c.id, \\"t\\": t} AS payload¶FROM c¶JOIN t IN c.tags¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a"}
SELECT * FROM c WHERE c.pk = 1 ORDER BY c.a → {"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, c AS payload¶FROM c¶WHERE ((c.pk = 1) AND ({documentdb-formattableorderbyquery-filter}))¶ORDER BY c.a"}
SELECT c.id, ARRAY(SELECT VALUE t FROM t IN c.tags) AS ts FROM c ORDER BY c.a → {"orderBy":["Ascending"],"orderByExpressions":["c.a"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": c.a}] AS orderByItems, {\\"id\\": c.id, \\"ts\\": ARRAY(SELECT VALUE t FROM t IN c.tags)} AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY c.a"}
SELECT t FROM t IN c.tags ORDER BY t → error SC2106
SELECT * FROM (SELECT * FROM c) x ORDER BY x.a → error SC2106
SELECT VALUE COUNT(c.a) FROM c → {"hasSelectValue":true,"aggregates":["Count"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": COUNT(c.a)}]¶FROM c"}
SELECT VALUE count(1) FROM c → {"hasSelectValue":true,"aggregates":["Count"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": COUNT(1)}]¶FROM c"}
SELECT VALUE COUNT(1) FROM c WHERE c.a = 1 → {"hasSelectValue":true,"aggregates":["Count"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": COUNT(1)}]¶FROM c¶WHERE (c.a = 1)"}
SELECT VALUE SUM(c.a * 2) FROM c → {"hasSelectValue":true,"aggregates":["Sum"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": SUM((c.a * 2))}]¶FROM c"}
SELECT VALUE AVG(c.a + c.b) FROM c → {"hasSelectValue":true,"aggregates":["Average"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": {\\"sum\\": SUM((c.a + c.b)), \\"count\\": COUNT((c.a + c.b))}}]¶FROM c"}
SELECT VALUE MIN(c["a"]) FROM c → {"hasSelectValue":true,"aggregates":["Min"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": MIN(c[\\"a\\"]), \\"item2\\": {\\"min\\": MIN(c[\\"a\\"]), \\"count\\": COUNT(c[\\"a\\"])}}]¶FROM c"}
SELECT VALUE MAX(c.a) FROM c WHERE c.b → {"hasSelectValue":true,"aggregates":["Max"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": MAX(c.a), \\"item2\\": {\\"max\\": MAX(c.a), \\"count\\": COUNT(c.a)}}]¶FROM c¶WHERE c.b"}
SELECT VALUE MAKELIST(c.a) FROM c → {"hasSelectValue":true,"aggregates":["MakeList"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": MAKELIST(c.a)}]¶FROM c"}
SELECT VALUE SUM(t.n) FROM c JOIN t IN c.tags → {"hasSelectValue":true,"aggregates":["Sum"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": SUM(t.n)}]¶FROM c¶JOIN t IN c.tags"}
SELECT VALUE COUNT(1) FROM t IN c.tags → {"hasSelectValue":true,"aggregates":["Count"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": COUNT(1)}]¶FROM t IN c.tags"}
SELECT VALUE COUNT(1) FROM c OFFSET 0 LIMIT 1 → {"hasSelectValue":true,"offset":0,"limit":1,"aggregates":["Count"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": COUNT(1)}]¶FROM c"}
SELECT VALUE COUNT(1) FROM c ORDER BY c.a → {"hasSelectValue":true,"aggregates":["Count"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": COUNT(1)}]¶FROM c¶ORDER BY c.a"}
SELECT VALUE COUNT(1) FROM c WHERE c.pk = 1 → {"hasSelectValue":true,"aggregates":["Count"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": COUNT(1)}]¶FROM c¶WHERE (c.pk = 1)"}
SELECT VALUE SUM(UDFLESS.a) FROM UDFLESS → {"hasSelectValue":true,"aggregates":["Sum"],"rewrittenQuery":"SELECT VALUE [{\\"item\\": SUM(UDFLESS.a)}]¶FROM UDFLESS"}
SELECT COUNT(1) FROM c → {"groupByAliases":["$1"],"groupByAliasToAggregateType":{"$1":"Count"},"rewrittenQuery":"SELECT {\\"$1\\": {\\"item\\": COUNT(1)}} AS payload¶FROM c"}
SELECT COUNT(1) AS n FROM c WHERE c.a → {"groupByAliases":["n"],"groupByAliasToAggregateType":{"n":"Count"},"rewrittenQuery":"SELECT {\\"n\\": {\\"item\\": COUNT(1)}} AS payload¶FROM c¶WHERE c.a"}
SELECT AVG(c.a) AS m FROM c → {"groupByAliases":["m"],"groupByAliasToAggregateType":{"m":"Average"},"rewrittenQuery":"SELECT {\\"m\\": {\\"item\\": {\\"sum\\": SUM(c.a), \\"count\\": COUNT(c.a)}}} AS payload¶FROM c"}
SELECT MIN(c.a) AS lo, MAX(c.a) AS hi FROM c → {"groupByAliases":["lo","hi"],"groupByAliasToAggregateType":{"lo":"Min","hi":"Max"},"rewrittenQuery":"SELECT {\\"lo\\": {\\"item\\": MIN(c.a), \\"item2\\": {\\"min\\": MIN(c.a), \\"count\\": COUNT(c.a)}}, \\"hi\\": {\\"item\\": MAX(c.a), \\"item2\\": {\\"max\\": MAX(c.a), \\"count\\": COUNT(c.a)}}} AS payload¶FROM c"}
SELECT SUM(c.a), SUM(c.b) FROM c → {"groupByAliases":["$1","$2"],"groupByAliasToAggregateType":{"$1":"Sum","$2":"Sum"},"rewrittenQuery":"SELECT {\\"$1\\": {\\"item\\": SUM(c.a)}, \\"$2\\": {\\"item\\": SUM(c.b)}} AS payload¶FROM c"}
SELECT COUNTIF(c.a) AS n, MAKESET(c.b) AS s FROM c → {"groupByAliases":["n","s"],"groupByAliasToAggregateType":{"n":"CountIf","s":"MakeSet"},"rewrittenQuery":"SELECT {\\"n\\": {\\"item\\": COUNTIF(c.a)}, \\"s\\": {\\"item\\": MAKESET(c.b)}} AS payload¶FROM c"}
SELECT VALUE {"n": COUNT(1), "s": SUM(c.a)} FROM c → {"groupByAliases":["n","s"],"groupByAliasToAggregateType":{"n":"Count","s":"Sum"},"rewrittenQuery":"SELECT {\\"n\\": {\\"item\\": COUNT(1)}, \\"s\\": {\\"item\\": SUM(c.a)}} AS payload¶FROM c"}
SELECT VALUE {"m": AVG(c.a)} FROM c WHERE c.b → {"groupByAliases":["m"],"groupByAliasToAggregateType":{"m":"Average"},"rewrittenQuery":"SELECT {\\"m\\": {\\"item\\": {\\"sum\\": SUM(c.a), \\"count\\": COUNT(c.a)}}} AS payload¶FROM c¶WHERE c.b"}
SELECT TOP 1 COUNT(1) AS n FROM c → {"top":1,"groupByAliases":["n"],"groupByAliasToAggregateType":{"n":"Count"},"rewrittenQuery":"SELECT {\\"n\\": {\\"item\\": COUNT(1)}} AS payload¶FROM c"}
SELECT COUNT(1) AS n, "x" AS k FROM c → {"groupByAliases":["n","k"],"groupByAliasToAggregateType":{"n":"Count","k":null},"rewrittenQuery":"SELECT {\\"n\\": {\\"item\\": COUNT(1)}, \\"k\\": \\"x\\"} AS payload¶FROM c"}
SELECT c.a FROM c GROUP BY c.a → {"groupByExpressions":["c.a"],"groupByAliases":["a"],"groupByAliasToAggregateType":{"a":null},"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, {\\"a\\": c.a} AS payload¶FROM c¶GROUP BY c.a"}
SELECT c.a AS x FROM c GROUP BY c.a → {"groupByExpressions":["c.a"],"groupByAliases":["x"],"groupByAliasToAggregateType":{"x":null},"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, {\\"x\\": c.a} AS payload¶FROM c¶GROUP BY c.a"}
SELECT c.a, c.b, COUNT(1) AS n FROM c GROUP BY c.a, c.b → {"groupByExpressions":["c.a","c.b"],"groupByAliases":["a","b","n"],"groupByAliasToAggregateType":{"a":null,"b":null,"n":"Count"},"rewrittenQuery":"SELECT [{\\"item\\": c.a}, {\\"item\\": c.b}] AS groupByItems, {\\"a\\": c.a, \\"b\\": c.b, \\"n\\": {\\"item\\": COUNT(1)}} AS payload¶FROM c¶GROUP BY c.a, c.b"}
SELECT COUNT(1) FROM c GROUP BY c.a → {"groupByExpressions":["c.a"],"groupByAliases":["$1"],"groupByAliasToAggregateType":{"$1":"Count"},"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, {\\"$1\\": {\\"item\\": COUNT(1)}} AS payload¶FROM c¶GROUP BY c.a"}
SELECT AVG(c.b) AS m, c.a FROM c GROUP BY c.a → {"groupByExpressions":["c.a"],"groupByAliases":["m","a"],"groupByAliasToAggregateType":{"m":"Average","a":null},"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, {\\"m\\": {\\"item\\": {\\"sum\\": SUM(c.b), \\"count\\": COUNT(c.b)}}, \\"a\\": c.a} AS payload¶FROM c¶GROUP BY c.a"}
SELECT UPPER(c.a) AS u FROM c GROUP BY UPPER(c.a) → {"groupByExpressions":["UPPER(c.a)"],"groupByAliases":["u"],"groupByAliasToAggregateType":{"u":null},"rewrittenQuery":"SELECT [{\\"item\\": UPPER(c.a)}] AS groupByItems, {\\"u\\": UPPER(c.a)} AS payload¶FROM c¶GROUP BY UPPER(c.a)"}
SELECT c.a, MAX(c.b) AS hi FROM c WHERE c.d GROUP BY c.a → {"groupByExpressions":["c.a"],"groupByAliases":["a","hi"],"groupByAliasToAggregateType":{"a":null,"hi":"Max"},"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, {\\"a\\": c.a, \\"hi\\": {\\"item\\": MAX(c.b), \\"item2\\": {\\"max\\": MAX(c.b), \\"count\\": COUNT(c.b)}}} AS payload¶FROM c¶WHERE c.d¶GROUP BY c.a"}
SELECT t, COUNT(1) AS n FROM c JOIN t IN c.tags GROUP BY t → {"groupByExpressions":["t"],"groupByAliases":["t","n"],"groupByAliasToAggregateType":{"t":null,"n":"Count"},"rewrittenQuery":"SELECT [{\\"item\\": t}] AS groupByItems, {\\"t\\": t, \\"n\\": {\\"item\\": COUNT(1)}} AS payload¶FROM c¶JOIN t IN c.tags¶GROUP BY t"}
SELECT VALUE SUM(c.b) FROM c GROUP BY c.a → {"hasSelectValue":true,"aggregates":["Sum"],"groupByExpressions":["c.a"],"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, [{\\"item\\": SUM(c.b)}] AS payload¶FROM c¶GROUP BY c.a"}
SELECT VALUE AVG(c.b) FROM c GROUP BY c.a → {"hasSelectValue":true,"aggregates":["Average"],"groupByExpressions":["c.a"],"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, [{\\"item\\": {\\"sum\\": SUM(c.b), \\"count\\": COUNT(c.b)}}] AS payload¶FROM c¶GROUP BY c.a"}
SELECT VALUE {"x": c.a} FROM c GROUP BY c.a → {"hasSelectValue":true,"groupByExpressions":["c.a"],"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, {\\"x\\": c.a} AS payload¶FROM c¶GROUP BY c.a"}
SELECT VALUE {"x": c.a, "n": COUNT(1)} FROM c GROUP BY c.a → {"groupByExpressions":["c.a"],"groupByAliases":["x","n"],"groupByAliasToAggregateType":{"x":null,"n":"Count"},"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, {\\"x\\": c.a, \\"n\\": {\\"item\\": COUNT(1)}} AS payload¶FROM c¶GROUP BY c.a"}
SELECT TOP 5 c.a FROM c GROUP BY c.a → {"top":5,"groupByExpressions":["c.a"],"groupByAliases":["a"],"groupByAliasToAggregateType":{"a":null},"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, {\\"a\\": c.a} AS payload¶FROM c¶GROUP BY c.a"}
SELECT VALUE c.a FROM c GROUP BY c.a OFFSET 1 LIMIT 2 → {"hasSelectValue":true,"offset":1,"limit":2,"groupByExpressions":["c.a"],"rewrittenQuery":"SELECT [{\\"item\\": c.a}] AS groupByItems, c.a AS payload¶FROM c¶GROUP BY c.a"}
SELECT c.a + 1 AS n FROM c GROUP BY c.a + 1 → {"groupByExpressions":["(c.a + 1)"],"groupByAliases":["n"],"groupByAliasToAggregateType":{"n":null},"rewrittenQuery":"SELECT [{\\"item\\": (c.a + 1)}] AS groupByItems, {\\"n\\": (c.a + 1)} AS payload¶FROM c¶GROUP BY (c.a + 1)"}
SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.a FROM c) → {"distinctType":"Unordered","hasSelectValue":true,"dCountInfo":{"dCountAlias":""},"rewrittenQuery":"SELECT DISTINCT VALUE c.a¶FROM c¶-- distinct by page"}
SELECT COUNT(1) FROM (SELECT DISTINCT c.a, c.b FROM c WHERE c.d) → {"distinctType":"Unordered","dCountInfo":{"dCountAlias":"$1"},"rewrittenQuery":"SELECT DISTINCT c.a, c.b¶FROM c¶WHERE c.d¶-- distinct by page"}
SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.v, [1, 2], false, {"distanceFunction": "euclidean"}) → {"top":3,"hasNonStreamingOrderBy":true,"orderBy":["Ascending"],"orderByExpressions":["VectorDistance(c.v, [1, 2], false, {\\"distanceFunction\\": \\"euclidean\\"})"],"rewrittenQuery":"SELECT TOP 3 c._rid, [{\\"item\\": VectorDistance(c.v, [1, 2], false, {\\"distanceFunction\\": \\"euclidean\\"})}] AS orderByItems, {\\"id\\": c.id} AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY VectorDistance(c.v, [1, 2], false, {\\"distanceFunction\\": \\"euclidean\\"})"}
SELECT * FROM c ORDER BY VectorDistance(c.v, [1, 2], true, {"distanceFunction": "dotproduct"}) → {"hasNonStreamingOrderBy":true,"orderBy":["Descending"],"orderByExpressions":["VectorDistance(c.v, [1, 2], true, {\\"distanceFunction\\": \\"dotproduct\\"})"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": VectorDistance(c.v, [1, 2], true, {\\"distanceFunction\\": \\"dotproduct\\"})}] AS orderByItems, c AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY VectorDistance(c.v, [1, 2], true, {\\"distanceFunction\\": \\"dotproduct\\"})"}
SELECT * FROM c ORDER BY VECTORDISTANCE(c.v, [3]) ASC → {"hasNonStreamingOrderBy":true,"orderBy":["Ascending"],"orderByExpressions":["VECTORDISTANCE(c.v, [3])"],"rewrittenQuery":"SELECT c._rid, [{\\"item\\": VECTORDISTANCE(c.v, [3])}] AS orderByItems, c AS payload¶FROM c¶WHERE ({documentdb-formattableorderbyquery-filter})¶ORDER BY VECTORDISTANCE(c.v, [3]) ASC"}
SELECT VALUE COUNT(1) + 1 FROM c → error SC2105
SELECT SUM(c.a) / COUNT(1) AS m FROM c → error SC2105
SELECT VALUE {"a": {"b": COUNT(1)}} FROM c → error SC2105
SELECT VALUE {"a": COUNT(1) * 2} FROM c → error SC2105
SELECT VALUE [COUNT(1), c.a] FROM c GROUP BY c.a → error SC2105
SELECT IIF(COUNT(1) > 1, 1, 2) FROM c → error SC2105
SELECT c.a, ABS(MIN(c.b)) FROM c GROUP BY c.a → error SC2105
SELECT VALUE -SUM(c.a) FROM c → error SC2105
SELECT VALUE COUNT(1) > 0 FROM c → error SC2105
SELECT VALUE COUNT(1) FROM (SELECT c.a FROM c GROUP BY c.a) x → error SC2110
SELECT TOP 2 * FROM (SELECT c.a FROM c GROUP BY c.a) x → error SC2110
SELECT DISTINCT x.a FROM (SELECT TOP 5 c.a FROM c) x → error SC2110
SELECT x.a FROM (SELECT TOP 5 c.a FROM c) x OFFSET 1 LIMIT 1 → error SC2110
SELECT DISTINCT VALUE COUNT(1) FROM c GROUP BY c.a → error SC2110
SELECT DISTINCT c.a FROM c GROUP BY c.a, c.b → error SC2110
SELECT DISTINCT c.a, c.b AS a FROM c GROUP BY c.a, c.b → error SC2110
SELECT VALUE SUM(COUNT(1)) FROM c → error SC2101
`;

/** A filter on containers by /pk and by /a/b, and the keys it leaves; \`all\` for any. */
export const targetSamples: string = `
true → all
false → []
c.pk = "x" → [["x"]]
"x" = c.pk → [["x"]]
c["pk"] = "x" → [["x"]]
c.pk = null → [[null]]
c.pk = @n → [[3]]
c.pk = undefined → []
c.pk = c.other → all
c.pk = [1] → all
c.pk > "x" → all
c.pk != "x" → all
NOT c.pk = "x" → all
c.pk IN ("x", "y", "x") → [["x"],["y"]]
c.pk NOT IN ("x") → all
c.pk IN ("x", c.other) → all
c.pk = "x" AND c.other = 1 → [["x"]]
c.pk = "x" AND c.pk = "y" → []
c.pk = "x" AND c.pk IN ("x", "y") → [["x"]]
c.pk = "x" OR c.pk = "y" → [["x"],["y"]]
c.pk = "x" OR c.other = 1 → all
(c.pk = "x" AND c.other = 1) OR (c.pk = "y" AND c.other > 2) → [["x"],["y"]]
c.pk = "x" AND (c.other = 1 OR c.more = 2) → [["x"]]
c.id = "i" → all
c.id = "i" AND c.pk = "x" → [["x","#i"]]
(c.id = "i" AND c.pk = "x") OR (c.id = "j" AND c.pk = 5) → [["x","#i"],[5,"#j"]]
c.id IN ("i", "j") AND c.pk = "x" → [["x","#i"],["x","#j"]]
c.deep.pk = "x" → all
ARRAY_CONTAINS(["x"], c.pk) → all
c.pk = "x" ? true : false → all
c.pk = true → [[true]]
c.pk = -0 → [[0]]
c.pk = -5 → [[-5]]
c.pk IN (-1, - 2) → [[-1],[-2]]
c.pk = 1.5 AND c.a > 2 → [[1.5]]
c.pk IN (@n, "x") → [[3],["x"]]
c.pk IN (null) → [[null]]
c.pk = "x" AND NOT c.a → [["x"]]
c.pk = "x" AND c.pk > "a" → [["x"]]
c.pk = "x" AND false → []
c.pk = "x" OR false → [["x"]]
c.pk = "x" OR true → all
c.pk IN ("x", "y") AND c.pk IN ("y", "z") → [["y"]]
c.pk = {"a": 1} → all
c.pk = "x" AND c.id IN ("i", "j") AND c.id = "j" → [["x","#j"]]
c.pk = "x" AND c.id = 5 → [["x"]]
c.pk = "x" AND c.id > "i" → [["x"]]
c.pk BETWEEN "x" AND "x" → all
c.pk LIKE "x" → all
STARTSWITH(c.pk, "x") → all
IS_NULL(c.pk) → all
(c.pk = "x") = true → all
d.pk = "x" → all
c.pk = "x" || "y" → all
(((c.pk = "x"))) → [["x"]]
c.PK = "x" → all
c.pk = "x" AND c.pk = "x" → [["x"]]
`;
