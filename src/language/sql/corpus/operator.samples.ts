export const operatorSamples: string = String.raw`
1 + 2 * 3 → 7
(1 + 2) * 3 → 9
7 % 4 → 3
-7 % 4 → -3
7 / 2 → 3.5
1 / 0 → undefined
0 / 0 → undefined
1 + "1" → undefined
1 + null → undefined
1 - undefined → undefined
true + 1 → undefined
-"1" → undefined
-(-1) → 1
+1 → 1
+true → undefined
~5 → -6
~"a" → undefined
5 & 3 → 1
5 | 3 → 7
5 ^ 3 → 6
1 << 4 → 16
-16 >> 2 → -4
-1 >>> 28 → 15
1 | 2 & 2 → 3
1 = 1 → true
1 = 1.0 → true
1 = 2 → false
1 = "1" → undefined
1 = true → undefined
null = null → true
null = false → undefined
undefined = undefined → undefined
"a" = "a" → true
"a" = "A" → false
[1, 2] = [1, 2] → true
[1, 2] = [2, 1] → false
[1] = ["1"] → false
{"a": 1, "b": 2} = {"b": 2, "a": 1} → true
{"a": 1} = {"a": 1, "b": 2} → false
{"a": [1, {"b": null}]} = {"a": [1, {"b": null}]} → true
[] = {} → undefined
1 != 2 → true
1 != 1 → false
1 <> 2 → true
1 != "1" → true
null != undefined → undefined
1 < 2 → true
2 <= 2 → true
1 > 2 → false
"a" < "b" → true
"B" < "a" → true
"a" < "ab" → true
"\uffff" < "\ud83d\ude00" → true
"a" < 1 → undefined
false < true → true
true >= true → true
null <= null → true
null < 1 → undefined
[1] < [2] → undefined
{} >= {} → undefined
true AND true → true
true AND false → false
false AND undefined → false
undefined AND false → false
true AND undefined → undefined
true AND 1 → undefined
"a" AND "b" → undefined
false OR true → true
undefined OR true → true
true OR undefined → true
false OR undefined → undefined
false OR false → false
NOT true → false
NOT false → true
NOT undefined → undefined
NOT 1 → undefined
NOT 1 = 2 → true
NOT false AND false → false
true OR false AND false → true
1 = 1 AND NOT 2 = 3 → true
true ? 1 : 2 → 1
false ? 1 : 2 → 2
undefined ? 1 : 2 → 2
1 ? 1 : 2 → 2
true ? undefined : 2 → undefined
false ? 1 : true ? 2 : 3 → 2
1 < 2 ? "yes" : "no" → "yes"
undefined ?? 1 → 1
null ?? 1 → null
1 ?? 2 → 1
undefined ?? undefined ?? 3 → 3
{}.a ?? "none" → "none"
1 + 1 ?? 5 → 2
2 BETWEEN 1 AND 3 → true
1 BETWEEN 1 AND 1 → true
0 BETWEEN 1 AND 3 → false
4 NOT BETWEEN 1 AND 3 → true
2 NOT BETWEEN 1 AND 3 → false
"b" BETWEEN "a" AND "c" → true
"b" BETWEEN 1 AND 3 → undefined
2 BETWEEN 1 AND "3" → undefined
0 BETWEEN 1 AND "3" → false
undefined BETWEEN 1 AND 2 → undefined
2 BETWEEN 1 AND 1 + 1 AND true → true
1 IN (1, 2) → true
3 IN (1, 2) → false
3 IN (1, "a") → undefined
1 IN (1, "a") → true
"a" IN ("b", "a") → true
null IN (null) → true
1 NOT IN (2, 3) → true
1 NOT IN (1, 3) → false
1 NOT IN (2, "x") → undefined
[1] IN ([1], [2]) → true
undefined IN (1, 2) → undefined
1 + 1 IN (2) → true
true IN (true, false) → true
[1, 2, 3][1] → 2
[1, 2, 3][9] → undefined
[1, 2, 3][-1] → undefined
[1, 2, 3]["1"] → undefined
{"a": 1}["a"] → 1
{"a": 1}["b"] → undefined
{"a": 1}.a → 1
{a: 1}.a → 1
{"a": {"b": 2}}.a.b → 2
{"a": 1}.a.b → undefined
{"a": [5]}.a[0] → 5
{"0": 1}[0] → undefined
"abc"[0] → undefined
"abc".length → undefined
[1].length → undefined
{}.toString → undefined
{}["__proto__"] → undefined
{"__proto__": 7}["__proto__"] → 7
{}.constructor → undefined
[1, undefined, 2] → [1,2]
{"a": undefined, "b": 1} → {"b":1}
{"a": null} → {"a":null}
[] → []
{} → {}
[[]] → [[]]
{"a b": 1, 'c': 2} → {"a b":1,"c":2}
'it''s' → error SC1001
'it\'s' → "it's"
"\u0041\n\t\"" → "A\n\t\""
"\q" → error SC1001
"open → error SC1001
1.5e3 → 1500
.5 → 0.5
5. → 5
0x1F → 31
1e400 = 1e400 → true
1abc → error SC1001
tru → error SC2001
true → true
null → null
undefined → undefined
TRUE → error SC2001
@missing → error SC2001
1 + → error SC1001
(1 → error SC1001
1) → error SC1001
[1, → error SC1001
{"a" 1} → error SC1001
{1: 1} → error SC1001
1 IN () → error SC1001
1 ; 2 → error SC1001
NOSUCH(1) → error SC2005
udf.mine(1) → error SC2006
COUNT() → error SC2050
COUNT(SUM(1)) → error SC2101
ABS(COUNT(1)) → 1
(SELECT VALUE 1) → 1
(SELECT VALUE undefined) → undefined
(SELECT 1 AS a) → {"a":1}
ARRAY(SELECT VALUE x FROM x IN [3, 1, 2]) → [3,1,2]
ARRAY(SELECT VALUE x FROM x IN [3, 1, 2] WHERE x > 1) → [3,2]
ARRAY(SELECT VALUE x FROM x IN [3, 1, 2] ORDER BY x) → [1,2,3]
ARRAY(SELECT VALUE x FROM x IN [3, 1, 2] ORDER BY x DESC) → [3,2,1]
ARRAY(SELECT TOP 1 VALUE x FROM x IN [3, 1, 2]) → [3]
ARRAY(SELECT VALUE x FROM x IN [3, 1, 2] OFFSET 1 LIMIT 1) → [1]
ARRAY(SELECT VALUE x FROM x IN [3, 1, 2] ORDER BY x OFFSET 1 LIMIT 5) → [2,3]
ARRAY(SELECT DISTINCT VALUE x FROM x IN [1, 1, 2]) → [1,2]
ARRAY(SELECT VALUE COUNT(1) FROM x IN [1, 1, 2] GROUP BY x) → [2,1]
ARRAY(SELECT VALUE [x, y] FROM x IN [1, 2] JOIN y IN [3, 4]) → [[1,3],[1,4],[2,3],[2,4]]
ARRAY(SELECT VALUE x FROM x IN 5) → []
ARRAY(SELECT VALUE x FROM x IN "abc") → []
(SELECT VALUE SUM(x) FROM x IN [1, 2, 3]) → 6
(SELECT VALUE MAX(x) FROM x IN [1, "a", null]) → "a"
(SELECT VALUE MIN(x) FROM x IN [1, "a", null]) → null
(SELECT VALUE MIN(x) FROM x IN [1, []]) → undefined
(SELECT VALUE AVG(x) FROM x IN [1, 2]) → 1.5
(SELECT VALUE AVG(x) FROM x IN []) → undefined
(SELECT VALUE SUM(x) FROM x IN []) → 0
(SELECT VALUE SUM(x) FROM x IN [1, "a"]) → undefined
(SELECT VALUE COUNT(x.a) FROM x IN [{"a": null}, {}, {"a": 1}]) → 2
(SELECT VALUE COUNTIF(x > 1) FROM x IN [1, 2, 3]) → 2
(SELECT VALUE MAKELIST(x) FROM x IN [2, 1, 2]) → [1,2,2]
(SELECT VALUE MAKESET(x) FROM x IN [2, 1, 2]) → [1,2]
EXISTS(SELECT VALUE x FROM x IN [1, 2] WHERE x = 2) → true
EXISTS(SELECT VALUE x FROM x IN [1, 2] WHERE x = 3) → false
EXISTS(SELECT VALUE undefined) → false
NOT EXISTS(SELECT VALUE 1) → false
ALL(SELECT VALUE x > 0 FROM x IN [1, 2]) → true
ALL(SELECT VALUE x > 1 FROM x IN [1, 2]) → false
FIRST(SELECT VALUE x FROM x IN [7, 8]) → 7
LAST(SELECT VALUE x FROM x IN [7, 8]) → 8
(SELECT VALUE (SELECT VALUE x + y FROM y IN [10]) FROM x IN [1]) → 11
(SELECT * FROM x IN [9]) → 9
(SELECT * FROM x IN [9] JOIN y IN [1]) → error SC2042
(SELECT *) → error SC2040
2 * 3 + 4 → 10
2 + 3 * 4 - 1 → 13
10 - 3 - 2 → 5
2 * (3 + 4) → 14
100 / 10 / 2 → 5
5.5 % 2 → 1.5
7 % 0 → undefined
1e308 * 10 → undefined
-1 - -1 → 0
- - 1 → 1
~~5 → 5
~2.7 → -3
1.9 & 3 → 1
4294967296 | 1 → 1
-1 >>> 0 → 4294967295
1 << 31 → -2147483648
1 << 32 → 1
2 ^ 3 & 1 → 3
1 + 1 << 1 → 4
1 < 2 = true → true
1 + 2 = 3 → true
5 & 3 = 3 → undefined
"a" || "b" = "ab" → undefined
NOT NOT true → true
NOT true OR true → true
NOT (true OR true) → false
true AND true AND undefined → undefined
false AND 1 → false
true OR "a" → true
1 = 1 ? 1 = 2 : 3 → false
true ? true ? 1 : 2 : 3 → 1
(true ? undefined : 1) ?? 7 → 7
undefined ?? null → null
null ?? undefined → null
1 = 1 AND 2 = 2 OR 3 = 4 → true
1 = 2 OR 2 = 2 AND 3 = 3 → true
"10" < "9" → true
"" < "a" → true
"a" <= "a" → true
"Z" < "a" → true
true > false → true
null >= null → true
-1 < 0 → true
0.1 + 0.2 = 0.3 → false
0 = -0 → true
[] = [] → true
[1, [2]] = [1, [2]] → true
[null] = [undefined] → false
{} = {} → true
{"a": undefined} = {} → true
{"a": 1} != {"a": 2} → true
[1] != [1] → false
"a" IN ("a") → true
null IN (1, null) → true
undefined IN (undefined) → undefined
{"a": 1} IN ({"a": 1}) → true
1 IN (0.5 + 0.5) → true
1 NOT IN (1) → false
5 BETWEEN 5 AND 4 → false
"m" BETWEEN "a" AND "z" → true
true BETWEEN false AND true → true
null BETWEEN null AND null → true
NOT 2 BETWEEN 1 AND 3 → false
1 BETWEEN 0 AND 2 = true → undefined
[1, 2, 3][0] + [1, 2, 3][2] → 4
[[1, 2], [3]][0][1] → 2
[1, 2][1.5] → undefined
{"a": {"b": {"c": 5}}}["a"].b["c"] → 5
{"a": [{"b": 7}]}.a[0].b → 7
{"a": 1}["A"] → undefined
{"a": 1, "a": 2} → {"a":2}
{"": 1}[""] → 1
{"é": 1}.é → 1
{ "x" : [ 1 , { "y" : null } ] } → {"x":[1,{"y":null}]}
[undefined] → []
[null, undefined, [undefined]] → [null,[]]
"\u00e9" = "é" → true
"tab\tend" → "tab\tend"
'a"b' → "a\"b"
"a'b" → "a'b"
"\/" → "/"
"\u12" → error SC1001
'single' = "single" → true
0X1f → 31
1E2 → 100
1e-2 → 0.01
00 → 0
1.2.3 → error SC1001
1 2 → error SC1001
@ → error SC1001
# → error SC1001
! true → error SC1001
1 == 1 → error SC1001
true && true → error SC1001
a.b → error SC2001
{a} → error SC1001
[1 2] → error SC1001
IIF(true, 1, → error SC1001
EXISTS(1) → error SC1001
ARRAY(1) → error SC1001
ARRAY(SELECT VALUE x.a FROM x IN [{"a": 1}, {}, {"a": null}]) → [1,null]
ARRAY(SELECT x FROM x IN [1, 2]) → [{"x":1},{"x":2}]
ARRAY(SELECT VALUE x FROM x IN [1, 2, 3] WHERE x != 2 ORDER BY x DESC) → [3,1]
ARRAY(SELECT VALUE x FROM x IN ["b", 1, null, "a", true] ORDER BY x) → [null,true,1,"a","b"]
ARRAY(SELECT DISTINCT VALUE x FROM x IN [{"a": 1, "b": 2}, {"b": 2, "a": 1}]) → [{"a":1,"b":2}]
ARRAY(SELECT x.k, SUM(x.v) AS s FROM x IN [{"k": "a", "v": 1}, {"k": "b", "v": 2}, {"k": "a", "v": 3}] GROUP BY x.k) → [{"k":"a","s":4},{"k":"b","s":2}]
ARRAY(SELECT VALUE y FROM x IN [[1, 2], [3]] JOIN y IN x) → [1,2,3]
ARRAY(SELECT TOP 2 VALUE x FROM x IN [5, 4, 3] ORDER BY x) → [3,4]
(SELECT VALUE COUNT(1) FROM x IN []) → 0
(SELECT VALUE MAX(x) FROM x IN []) → undefined
(SELECT VALUE MIN(x) FROM x IN [3, 1, 2]) → 1
(SELECT VALUE COUNT(x) FROM x IN [null, 1]) → 2
(SELECT VALUE SUM(x) FROM x IN [0.5, 0.25]) → 0.75
(SELECT VALUE AVG(x.a) FROM x IN [{"a": 1}, {}, {"a": 3}]) → 2
(SELECT VALUE x FROM x IN [4, 5]) → 4
(SELECT COUNT(1) AS n FROM x IN [1, 2]).n → 2
EXISTS(SELECT VALUE x.a FROM x IN [{}]) → false
EXISTS(SELECT VALUE null) → true
EXISTS(SELECT VALUE false) → true
EXISTS(SELECT x.a FROM x IN [{}]) → true
ALL(SELECT VALUE x FROM x IN []) → true
FIRST(SELECT VALUE x FROM x IN []) → undefined
LAST(SELECT VALUE x FROM x IN [1, 2] WHERE x < 2) → 1
`;
