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
SELECT DISTINCT c.a FROM c → {"distinctType":"Unordered"}
SELECT DISTINCT VALUE c.a FROM c → {"distinctType":"Unordered","hasSelectValue":true}
SELECT DISTINCT TOP 5 VALUE c.a FROM c → {"distinctType":"Unordered","hasSelectValue":true,"top":5,"rewrittenQuery":"SELECT DISTINCT VALUE c.a¶FROM c"}
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
SELECT COUNT(1) AS n FROM (SELECT DISTINCT VALUE c.a FROM c) → {"distinctType":"Unordered","dCountInfo":{"dCountAlias":"n"},"rewrittenQuery":"SELECT DISTINCT VALUE c.a¶FROM c"}
SELECT VALUE MIN(c.a) / 2 FROM c → error SC2105
SELECT VALUE [SUM(c.a)] FROM c → error SC2105
SELECT FLOOR(AVG(c.a)) FROM c → error SC2105
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
`;
