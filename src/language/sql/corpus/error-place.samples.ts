/** A query that is refused, with brackets round the place that the error names, its code, and what its message must hold. */
export const errorPlaceSamples: string = `
SELECT * FROM c WHERE c.id =⟦=⟧ 1 → SC1001 near '='
⟦SELECT⟧ → SC1001 near 'SELECT'
⟦SELEC⟧ * FROM c → SC1001 near 'SELEC'
⟦FROM⟧ c → SC1001 near 'FROM'
SELECT * ⟦FROM⟧ → SC1001 near 'FROM'
SELECT * FROM c ⟦WHERE⟧ → SC1001 near 'WHERE'
SELECT c.id, ⟦FROM⟧ c → SC1001 near 'FROM'
SELECT *⟦,⟧ c.id FROM c → SC1001 near ','
SELECT VALUE ⟦*⟧ FROM c → SC1001 near '*'
SELECT c.id c⟦.⟧size FROM c → SC1001 near '.'
SELECT c.⟦order⟧ FROM c → SC1001 near 'order'
SELECT c.id AS ⟦select⟧ FROM c → SC1001 near 'select'
SELECT * FROM c ORDER ⟦c⟧.id → SC1001 near 'c'
SELECT * FROM c GROUP ⟦c⟧.id → SC1001 near 'c'
SELECT * FROM c ORDER ⟦BY⟧ → SC1001 near 'BY'
SELECT * FROM c⟦;⟧ SELECT 1 → SC1001 near ';'
SELECT TOP ⟦-⟧1 * FROM c → SC1001 near '-'
SELECT TOP ⟦1.5⟧ * FROM c → SC1001 near '1.5'
SELECT TOP ⟦4294967296⟧ * FROM c → SC2060 TOP
SELECT * FROM c OFFSET ⟦4294967296⟧ LIMIT 1 → SC2062 OFFSET
SELECT * FROM c OFFSET 0 LIMIT ⟦4294967296⟧ → SC2061 LIMIT
SELECT * FROM c OFFSET ⟦1⟧ → SC1001 near '1'
SELECT * FROM c LIMIT ⟦1⟧ → SC1001 near '1'
SELECT c[⟦]⟧ FROM c → SC1001 near ']'
SELECT VALUE (1 ⟦FROM⟧ c → SC1001 near 'FROM'
SELECT VALUE [1, ⟦FROM⟧ c → SC1001 near 'FROM'
SELECT VALUE {"a" ⟦1⟧} → SC1001 near '1'
SELECT VALUE ⟦"open⟧ → SC1001 near '"open'
SELECT VALUE ⟦12ab⟧ → SC1001 near '12ab'
SELECT VALUE 1 ⟦#⟧ 2 → SC1001 near '#'
SELECT VALUE "é" = ⟦§⟧ → SC1001 near '§'
SELECT VALUE 1 IN (⟦)⟧ → SC1001 near ')'
SELECT * FROM c WHERE ⟦d⟧.id = 1 → SC2001 'd'
SELECT VALUE ⟦x⟧ FROM c → SC2001 'x'
SELECT VALUE t FROM c JOIN t IN ⟦d⟧.tags → SC2001 'd'
SELECT VALUE c.id FROM c ORDER BY ⟦d⟧.id → SC2001 'd'
SELECT VALUE c.id FROM c JOIN ⟦c IN c.kids⟧ → SC2011 'c'
SELECT VALUE ⟦NOSUCH(1)⟧ FROM c → SC2005 'NOSUCH'
SELECT VALUE ⟦udf.mine(c)⟧ FROM c → SC2006 'mine'
SELECT VALUE ⟦ABS()⟧ FROM c → SC2050 ABS
SELECT VALUE 1 + ⟦CONTAINS(c.a)⟧ FROM c → SC2050 CONTAINS
⟦SELECT *⟧ → SC2040 FROM
⟦SELECT *⟧ FROM c JOIN k IN c.kids → SC2042 single
⟦SELECT *⟧ FROM c GROUP BY c.id → SC2041 GROUP BY
SELECT ⟦c.id⟧, COUNT(1) FROM c → SC2102 'c.id'
SELECT ⟦c⟧, COUNT(1) FROM c → SC2102 'c'
SELECT VALUE SUM(⟦COUNT(1)⟧) FROM c → SC2101 aggregate
SELECT * FROM c WHERE ⟦COUNT(1)⟧ > 1 → SC2101 COUNT
SELECT c.a FROM c GROUP BY c.a ORDER BY ⟦c.a⟧ → SC2103 GROUP BY
  SELECT *    -- remark
⟦FORM⟧ c → SC1001 near 'FORM'
`;
