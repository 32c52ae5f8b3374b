import type { SqlValue } from '../sql-value.ts';

/** What the queries below are asked of, in this order. */
export const families: readonly SqlValue[] = [
  {
    id: 'A',
    city: 'Oslo',
    size: 3,
    kids: [
      { name: 'Ann', age: 5, pets: ['cat', 'dog'] },
      { name: 'Bo', age: 9, pets: [] },
    ],
    tags: ['x', 'y'],
    address: { zip: 10, street: 'Main' },
    order: 1,
  },
  { id: 'B', city: 'Rome', size: 1, kids: [], tags: 'x', address: null, value: 'v' },
  { id: 'C', city: 'Oslo', size: 2, kids: [{ name: 'Cy', age: 2, pets: ['cat'] }], address: { zip: '10' } },
  { id: 'D', size: '2', kids: null, tags: ['y', 'z', 'y'], _ts: 100 },
  { id: 'E', city: null, size: true, tags: [['x']], address: { zip: 10, street: null } },
];

export const querySamples: string = `
SELECT VALUE c.id FROM c → ["A","B","C","D","E"]
SELECT VALUE f.id FROM Families f → ["A","B","C","D","E"]
SELECT VALUE f.id FROM Families AS f → ["A","B","C","D","E"]
SELECT VALUE root.id FROM root → ["A","B","C","D","E"]
select value c.id from c → ["A","B","C","D","E"]
SELECT VALUE c["id"] FROM c → ["A","B","C","D","E"]
SELECT c.id FROM c WHERE c.id = "A" → [{"id":"A"}]
SELECT c.id AS name FROM c WHERE c.id = "A" → [{"name":"A"}]
SELECT c.id name FROM c WHERE c.id = "A" → [{"name":"A"}]
SELECT c.id, c.size FROM c WHERE c.id = "A" → [{"id":"A","size":3}]
SELECT c["id"], c.kids[0] FROM c WHERE c.id = "C" → [{"id":"C","$1":{"name":"Cy","age":2,"pets":["cat"]}}]
SELECT 1, c.id, 2 FROM c WHERE c.id = "A" → [{"$1":1,"id":"A","$2":2}]
SELECT c.address.zip FROM c WHERE c.id = "A" → [{"zip":10}]
SELECT c.missing FROM c WHERE c.id = "A" → [{}]
SELECT VALUE c.missing FROM c → []
SELECT VALUE c.city FROM c → ["Oslo","Rome","Oslo",null]
SELECT VALUE {"i": c.id, "m": c.missing} FROM c WHERE c.id = "A" → [{"i":"A"}]
SELECT VALUE [c.id, c.missing, c.size] FROM c WHERE c.id = "A" → [["A",3]]
SELECT {"i": c.id} AS o FROM c WHERE c.id = "A" → [{"o":{"i":"A"}}]
SELECT * FROM c WHERE c.id = "B" → [{"id":"B","city":"Rome","size":1,"kids":[],"tags":"x","address":null,"value":"v"}]
SELECT VALUE c FROM c WHERE c.id = "B" → [{"id":"B","city":"Rome","size":1,"kids":[],"tags":"x","address":null,"value":"v"}]
SELECT c FROM c WHERE c.id = "E" → [{"c":{"id":"E","city":null,"size":true,"tags":[["x"]],"address":{"zip":10,"street":null}}}]
SELECT 1 → [{"$1":1}]
SELECT VALUE 1 → [1]
SELECT 1 AS a, "x" AS b → [{"a":1,"b":"x"}]
SELECT VALUE 1 WHERE false → []
SELECT VALUE c.order FROM c → error SC1001
SELECT VALUE c.value FROM c → error SC1001
SELECT VALUE c["order"] FROM c → [1]
SELECT VALUE c["value"] FROM c → ["v"]
SELECT VALUE c.id FROM c WHERE c.size > 1 → ["A","C"]
SELECT VALUE c.id FROM c WHERE c.size >= "2" → ["D"]
SELECT VALUE c.id FROM c WHERE c.size = true → ["E"]
SELECT VALUE c.id FROM c WHERE c.city = "Oslo" → ["A","C"]
SELECT VALUE c.id FROM c WHERE c.city != "Oslo" → ["B","E"]
SELECT VALUE c.id FROM c WHERE c.city != null → ["A","B","C"]
SELECT VALUE c.id FROM c WHERE c.city <> null AND c.size != "2" → ["A","B","C"]
SELECT VALUE c.id FROM c WHERE NOT (c.city = "Oslo") → ["B"]
SELECT VALUE c.id FROM c WHERE NOT c.city = "Oslo" → ["B"]
SELECT VALUE c.id FROM c WHERE c.city = null → ["E"]
SELECT VALUE c.id FROM c WHERE IS_NULL(c.city) → ["E"]
SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.city) → ["D"]
SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.address.street) → ["A","E"]
SELECT VALUE c.id FROM c WHERE c.address.zip = 10 → ["A","E"]
SELECT VALUE c.id FROM c WHERE c.address = {"zip": 10, "street": "Main"} → ["A"]
SELECT VALUE c.id FROM c WHERE c.kids[0].name = "Ann" → ["A"]
SELECT VALUE c.id FROM c WHERE c.kids[0].pets[1] = "dog" → ["A"]
SELECT VALUE c.id FROM c WHERE c.tags = ["x", "y"] → ["A"]
SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(c.tags, "x") → ["A"]
SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(c.kids, {"name": "Bo"}, true) → ["A"]
SELECT VALUE c.id FROM c WHERE c.id IN ("A", "E", "Z") → ["A","E"]
SELECT VALUE c.id FROM c WHERE c.id NOT IN ("A", "E") → ["B","C","D"]
SELECT VALUE c.id FROM c WHERE c.city NOT IN ("Oslo") → ["B"]
SELECT VALUE c.id FROM c WHERE c.size BETWEEN 1 AND 2 → ["B","C"]
SELECT VALUE c.id FROM c WHERE c.city LIKE "%o%" → ["A","B","C"]
SELECT VALUE c.id FROM c WHERE c.city LIKE "O%" AND c.size < 3 → ["C"]
SELECT VALUE c.id FROM c WHERE c.size = 3 OR c.size = 1 → ["A","B"]
SELECT VALUE c.id FROM c WHERE c.size = 3 OR c.city = "Oslo" AND c.size = 2 → ["A","C"]
SELECT VALUE c.id FROM c WHERE true → ["A","B","C","D","E"]
SELECT VALUE c.id FROM c WHERE false → []
SELECT VALUE c.id FROM c WHERE null → []
SELECT VALUE c.id FROM c WHERE "true" → []
SELECT VALUE c.id FROM c WHERE c.size → ["E"]
SELECT VALUE c.id FROM c WHERE (c.city ?? "none") = "none" → ["D"]
SELECT VALUE c.id FROM c WHERE c._ts = 100 → ["D"]
SELECT VALUE c.city ?? "none" FROM c → ["Oslo","Rome","Oslo","none",null]
SELECT VALUE c.size > 1 ? "big" : "small" FROM c → ["big","small","big","small","small"]
SELECT VALUE k.name FROM c JOIN k IN c.kids → ["Ann","Bo","Cy"]
SELECT VALUE k.name FROM k IN c.kids → ["Ann","Bo","Cy"]
SELECT c.id, k.age FROM c JOIN k IN c.kids WHERE k.age > 4 → [{"id":"A","age":5},{"id":"A","age":9}]
SELECT VALUE [k.name, p] FROM c JOIN k IN c.kids JOIN p IN k.pets → [["Ann","cat"],["Ann","dog"],["Cy","cat"]]
SELECT VALUE [c.id, t] FROM c JOIN t IN c.tags → [["A","x"],["A","y"],["D","y"],["D","z"],["D","y"],["E",["x"]]]
SELECT VALUE [t, k.name] FROM c JOIN t IN c.tags JOIN k IN c.kids → [["x","Ann"],["x","Bo"],["y","Ann"],["y","Bo"]]
SELECT VALUE c.address FROM c.address → error SC2001
SELECT VALUE address FROM c.address → [{"zip":10,"street":"Main"},null,{"zip":"10"},{"zip":10,"street":null}]
SELECT VALUE a.zip FROM c.address a → [10,"10",10]
SELECT VALUE z FROM c.address.zip z → [10,"10",10]
SELECT VALUE z FROM c["address"]["zip"] AS z → [10,"10",10]
SELECT VALUE first.name FROM c.kids[0] AS first → ["Ann","Cy"]
SELECT * FROM k IN c.kids WHERE k.age = 2 → [{"name":"Cy","age":2,"pets":["cat"]}]
SELECT * FROM c JOIN k IN c.kids → error SC2042
SELECT VALUE COUNT(1) FROM c JOIN k IN c.kids → [3]
SELECT VALUE c.id FROM c JOIN c IN c.kids → error SC2011
SELECT VALUE x.id FROM c → error SC2001
SELECT VALUE c.id FROM c f → error SC2001
SELECT VALUE t FROM c JOIN t IN d.tags → error SC2001
SELECT VALUE p.n FROM c JOIN (SELECT VALUE {"n": k.name} FROM k IN c.kids WHERE k.age < 9) AS p → ["Ann","Cy"]
SELECT VALUE p FROM c JOIN p IN (SELECT VALUE k.pets FROM k IN c.kids) → ["cat","dog","cat"]
SELECT VALUE n FROM c JOIN (SELECT VALUE COUNT(1) FROM k IN c.kids) AS n → [2,0,1,0,0]
SELECT VALUE kv.k FROM c JOIN kv IN OBJECTTOARRAY(c.address) WHERE c.id = "A" → ["zip","street"]
SELECT c.id, (SELECT VALUE COUNT(1) FROM k IN c.kids) AS n FROM c WHERE c.id IN ("A", "B") → [{"id":"A","n":2},{"id":"B","n":0}]
SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE k FROM k IN c.kids WHERE k.age > 8) → ["A"]
SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE p FROM k IN c.kids JOIN p IN k.pets WHERE p = "cat") → ["A","C"]
SELECT VALUE ARRAY(SELECT VALUE k.name FROM k IN c.kids) FROM c WHERE c.id = "A" → [["Ann","Bo"]]
SELECT VALUE (SELECT VALUE MAX(k.age) FROM k IN c.kids) FROM c → [9,2]
SELECT VALUE (SELECT c.id, c.size) FROM c WHERE c.id = "A" → [{"id":"A","size":3}]
SELECT VALUE c.id FROM c ORDER BY c.id DESC → ["E","D","C","B","A"]
SELECT VALUE c.id FROM c ORDER BY c.size → ["E","B","C","A","D"]
SELECT VALUE c.id FROM c ORDER BY c.size DESC → ["D","A","C","B","E"]
SELECT VALUE c.id FROM c ORDER BY c.city → ["D","E","A","C","B"]
SELECT VALUE c.id FROM c ORDER BY c.city ASC, c.size ASC → ["D","E","C","A","B"]
SELECT VALUE c.id FROM c ORDER BY c.city DESC, c.size ASC → ["B","C","A","E","D"]
SELECT VALUE c.id FROM c ORDER BY c.tags → ["C","B","A","D","E"]
SELECT VALUE c.id FROM c ORDER BY c.address → ["D","B","E","A","C"]
SELECT TOP 2 VALUE c.id FROM c → ["A","B"]
SELECT TOP 0 VALUE c.id FROM c → []
SELECT TOP 2 VALUE c.id FROM c ORDER BY c.id DESC → ["E","D"]
SELECT TOP 9 c.id FROM c WHERE c.id > "D" → [{"id":"E"}]
SELECT TOP -1 c.id FROM c → error SC1001
SELECT TOP 1.5 c.id FROM c → error SC1001
SELECT TOP 4294967296 c.id FROM c → error SC2060
SELECT VALUE c.id FROM c OFFSET 1 LIMIT 2 → ["B","C"]
SELECT VALUE c.id FROM c ORDER BY c.id DESC OFFSET 1 LIMIT 2 → ["D","C"]
SELECT VALUE c.id FROM c OFFSET 9 LIMIT 2 → []
SELECT VALUE c.id FROM c OFFSET 0 LIMIT 0 → []
SELECT VALUE c.id FROM c OFFSET 1 → error SC1001
SELECT VALUE c.id FROM c LIMIT 1 → error SC1001
SELECT VALUE c.id FROM c OFFSET 4294967296 LIMIT 1 → error SC2062
SELECT VALUE c.id FROM c OFFSET 0 LIMIT 4294967296 → error SC2061
SELECT DISTINCT VALUE c.city FROM c → [null,"Oslo","Rome"]
SELECT DISTINCT c.city FROM c → [{},{"city":null},{"city":"Oslo"},{"city":"Rome"}]
SELECT DISTINCT VALUE c.city FROM c ORDER BY c.city → [null,"Oslo","Rome"]
SELECT DISTINCT VALUE c.city FROM c ORDER BY c.id → ["Oslo","Rome",null]
SELECT DISTINCT VALUE c.city FROM c ORDER BY c.id DESC → [null,"Oslo","Rome"]
SELECT DISTINCT VALUE c.city FROM c ORDER BY c.id DESC OFFSET 1 LIMIT 1 → ["Oslo"]
SELECT VALUE ARRAY(SELECT DISTINCT VALUE p FROM k IN c.kids JOIN p IN k.pets ORDER BY k.age DESC, p DESC) FROM c WHERE c.id = "A" → [["dog","cat"]]
SELECT VALUE ARRAY(SELECT DISTINCT VALUE LENGTH(k.name) > 1 FROM k IN c.kids ORDER BY k.age DESC) FROM c WHERE c.id = "A" → [[true]]
SELECT DISTINCT c.city FROM c GROUP BY c.city, c.size → [{},{"city":null},{"city":"Oslo"},{"city":"Rome"}]
SELECT DISTINCT VALUE COUNT(1) FROM c GROUP BY c.id OFFSET 1 LIMIT 1 → []
SELECT DISTINCT TOP 1 VALUE c.city FROM c → [null]
SELECT DISTINCT VALUE p FROM c JOIN k IN c.kids JOIN p IN k.pets → ["cat","dog"]
SELECT DISTINCT VALUE {"a": 1, "b": 2} FROM c → [{"a":1,"b":2}]
SELECT VALUE COUNT(1) FROM c → [5]
SELECT COUNT(1) FROM c → [{"$1":5}]
SELECT COUNT(1) AS n FROM c WHERE c.size = 99 → [{"n":0}]
SELECT VALUE COUNT(c.city) FROM c → [4]
SELECT VALUE SUM(c.size) FROM c → []
SELECT VALUE SUM(c.size) FROM c WHERE IS_NUMBER(c.size) → [6]
SELECT VALUE AVG(c.size) FROM c WHERE IS_NUMBER(c.size) → [2]
SELECT VALUE AVG(c.size) FROM c WHERE false → []
SELECT AVG(c.size) AS a FROM c WHERE false → [{}]
SELECT VALUE SUM(c.size) FROM c WHERE false → [0]
SELECT MIN(c.size) AS lo, MAX(c.size) AS hi FROM c → [{"lo":true,"hi":"2"}]
SELECT VALUE MAX(c.address) FROM c → []
SELECT VALUE {"n": COUNT(1), "s": SUM(c.size)} FROM c WHERE c.size < 3 → [{"n":2,"s":3}]
SELECT VALUE SUM(c.size) / COUNT(1) FROM c WHERE IS_NUMBER(c.size) → [2]
SELECT VALUE MAKESET(c.city) FROM c → [[null,"Oslo","Rome"]]
SELECT VALUE MAKELIST(c.id) FROM c → [["A","B","C","D","E"]]
SELECT VALUE COUNTIF(c.size > 1) FROM c → [2]
SELECT c.city, COUNT(1) AS n FROM c GROUP BY c.city → [{"n":1},{"city":null,"n":1},{"city":"Oslo","n":2},{"city":"Rome","n":1}]
SELECT COUNT(1) AS n, c.city AS town FROM c GROUP BY c.city → [{"n":1},{"n":1,"town":null},{"n":2,"town":"Oslo"},{"n":1,"town":"Rome"}]
SELECT VALUE c.city FROM c GROUP BY c.city → [null,"Oslo","Rome"]
SELECT VALUE COUNT(1) FROM c GROUP BY c.city → [1,1,2,1]
SELECT UPPER(c.city) AS u, COUNT(1) AS n FROM c GROUP BY UPPER(c.city) → [{"n":2},{"u":"OSLO","n":2},{"u":"ROME","n":1}]
SELECT c.city, c.address.zip, COUNT(1) AS n FROM c WHERE c.city = "Oslo" GROUP BY c.city, c.address.zip → [{"city":"Oslo","zip":10,"n":1},{"city":"Oslo","zip":"10","n":1}]
SELECT p, COUNT(1) AS n FROM c JOIN k IN c.kids JOIN p IN k.pets GROUP BY p → [{"p":"cat","n":2},{"p":"dog","n":1}]
SELECT c.city, MAX(c.size) AS m FROM c WHERE IS_NUMBER(c.size) GROUP BY c.city → [{"city":"Oslo","m":3},{"city":"Rome","m":1}]
SELECT c.city FROM c WHERE false GROUP BY c.city → []
SELECT TOP 1 c.city FROM c GROUP BY c.city → [{}]
SELECT c.city, COUNT(1) AS n FROM c GROUP BY c.city OFFSET 1 LIMIT 1 → [{"city":null,"n":1}]
SELECT * FROM c GROUP BY c.city → error SC2041
SELECT c.id, COUNT(1) FROM c GROUP BY c.city → error SC2102
SELECT c.id, COUNT(1) FROM c → error SC2102
SELECT c, COUNT(1) FROM c → error SC2102
SELECT VALUE SUM(COUNT(1)) FROM c → error SC2101
SELECT VALUE c.id FROM c WHERE COUNT(1) > 1 → error SC2101
SELECT c.city, COUNT(1) FROM c GROUP BY c.city ORDER BY c.city → error SC2103
SELECT VALUE COUNT(1) FROM c ORDER BY c.id → [5]
SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.city FROM c) → [3]
SELECT COUNT(1) AS n FROM (SELECT DISTINCT c.city FROM c) AS x → [{"n":4}]
SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE t FROM c JOIN t IN c.tags WHERE IS_STRING(t)) → [3]
SELECT VALUE x FROM (SELECT c.id, c.size FROM c WHERE c.size < 3) x → [{"id":"B","size":1},{"id":"C","size":2}]
SELECT x.id FROM (SELECT c.id, c.size FROM c) AS x WHERE x.size > 2 → [{"id":"A"}]
SELECT VALUE x.id FROM (SELECT * FROM c) x WHERE x._ts = 100 → ["D"]
SELECT VALUE t FROM (SELECT VALUE c.tags FROM c WHERE c.id = "A") x JOIN t IN x → ["x","y"]
SELECT VALUE t FROM t IN (SELECT VALUE c.tags FROM c WHERE c.id = "A") → ["x","y"]
SELECT VALUE t FROM (SELECT VALUE k.name FROM k IN c.kids) t → ["Ann","Bo","Cy"]
SELECT VALUE COUNT(1) FROM (SELECT VALUE k FROM c JOIN k IN c.kids) → [3]
SELECT x.id, COUNT(1) AS n FROM (SELECT c.id FROM c JOIN k IN c.kids) x GROUP BY x.id → [{"id":"A","n":2},{"id":"C","n":1}]
SELECT VALUE y FROM (SELECT VALUE x.id FROM (SELECT c.id FROM c WHERE c.size = 1) x) y → ["B"]
SELECT VALUE x FROM (SELECT TOP 1 VALUE c.id FROM c) x → ["A"]
SELECT VALUE x FROM (SELECT VALUE COUNT(1) FROM c) x → [5]
SELECT VALUE x FROM (SELECT DISTINCT VALUE c.city FROM c) x → [null,"Oslo","Rome"]
SELECT VALUE x FROM (SELECT DISTINCT VALUE c.city FROM c) x WHERE IS_STRING(x) → ["Oslo","Rome"]
SELECT * FROM (SELECT c.city, COUNT(1) AS n FROM c GROUP BY c.city) AS g WHERE g.n > 1 → [{"city":"Oslo","n":2}]
SELECT VALUE g.n FROM (SELECT c.city, COUNT(1) AS n FROM c GROUP BY c.city) g ORDER BY g.n DESC → [2,1,1,1]
SELECT VALUE x FROM (SELECT VALUE c.id FROM c ORDER BY c.id DESC) x → ["E","D","C","B","A"]
SELECT TOP 2 VALUE x FROM (SELECT VALUE c.id FROM c ORDER BY c.id DESC) x → ["E","D"]
SELECT VALUE x FROM (SELECT TOP 2 VALUE c.id FROM c ORDER BY c.id DESC) x WHERE x != "E" → ["D"]
SELECT VALUE x FROM (SELECT VALUE c.id FROM c OFFSET 1 LIMIT 2) x → ["B","C"]
SELECT VALUE x FROM (SELECT VALUE c.id FROM c ORDER BY c.id DESC OFFSET 1 LIMIT 2) x → ["D","C"]
SELECT VALUE x FROM (SELECT TOP 0 VALUE c.id FROM c) x → []
SELECT VALUE x FROM (SELECT VALUE COUNT(1) FROM c WHERE false) x → [0]
SELECT VALUE MAX(g.n) FROM (SELECT COUNT(1) AS n FROM c GROUP BY c.city) g → [2]
SELECT VALUE COUNT(1) FROM (SELECT TOP 3 VALUE c.id FROM c) x → [3]
SELECT VALUE COUNT(1) FROM (SELECT TOP 0 VALUE c.id FROM c) x → [0]
SELECT g.n, COUNT(1) AS times FROM (SELECT COUNT(1) AS n FROM c GROUP BY c.city) g GROUP BY g.n → [{"n":1,"times":3},{"n":2,"times":1}]
SELECT VALUE t FROM t IN (SELECT TOP 1 VALUE c.tags FROM c) → ["x","y"]
SELECT VALUE [x.id, t] FROM (SELECT TOP 1 c.id, c.tags FROM c) x JOIN t IN x.tags → [["A","x"],["A","y"]]
SELECT VALUE y FROM (SELECT VALUE x FROM (SELECT TOP 3 VALUE c.id FROM c) x WHERE x > "A") y → ["B","C"]
SELECT VALUE y FROM (SELECT TOP 1 VALUE x FROM (SELECT TOP 3 VALUE c.id FROM c) x WHERE x > "A") y → ["B"]
SELECT VALUE x FROM (SELECT VALUE SUM(c.size) FROM c WHERE IS_NUMBER(c.size)) x → [6]
SELECT VALUE x FROM (SELECT VALUE AVG(c.size) FROM c WHERE false) x → []
SELECT VALUE x.n FROM (SELECT COUNT(1) AS n FROM c JOIN t IN c.tags) x → [6]
SELECT VALUE c.id FROM (SELECT TOP 2 c.id FROM c) c → ["A","B"]
SELECT VALUE [x, (SELECT VALUE COUNT(1) FROM k IN x.kids)] FROM (SELECT TOP 1 c.kids FROM c ORDER BY c.id DESC) x → [[{},0]]
SELECT VALUE c.id FROM (SELECT TOP 2 c.id FROM c) x → error SC2001
SELECT VALUE x FROM (SELECT c.id, COUNT(1) AS n FROM c) x → error SC2102
SELECT VALUE c.id FROM c -- the rest is a remark → ["A","B","C","D","E"]
SELECT → error SC1001
FROM c → error SC1001
SELECT * → error SC2040
SELECT * FROM → error SC1001
SELECT c.id c.size FROM c → error SC1001
SELECT c.id, FROM c → error SC1001
SELECT * FROM c WHERE → error SC1001
SELECT * FROM c WHERE c.id == "A" → error SC1001
SELECT * FROM c GROUP c.id → error SC1001
SELECT * FROM c ORDER c.id → error SC1001
SELECT * FROM c ORDER BY → error SC1001
SELECT * FROM c; SELECT * FROM c → error SC1001
SELECT *, c.id FROM c → error SC1001
SELECT VALUE * FROM c → error SC1001
SELECT c.id AS select FROM c → error SC1001
SELECT c. FROM c → error SC1001
SELECT c[] FROM c → error SC1001
INSERT INTO c VALUES (1) → error SC1001
SELECT VALUE c.id FROM c WHERE c.kids = null → ["D"]
SELECT VALUE c.id FROM c WHERE IS_ARRAY(c.kids) AND ARRAY_LENGTH(c.kids) = 0 → ["B"]
SELECT VALUE c.id FROM c WHERE ARRAY_LENGTH(c.tags) > 1 → ["A","D"]
SELECT VALUE c.id FROM c WHERE c.address.street = null → ["E"]
SELECT VALUE c.id FROM c WHERE c.address["zip"] IN (10, "10") → ["A","C","E"]
SELECT VALUE c.id FROM c WHERE c.size < "3" → ["D"]
SELECT VALUE c.id FROM c WHERE c.size <= true → ["E"]
SELECT VALUE c.id FROM c WHERE NOT (c.size > 1) → ["B"]
SELECT VALUE c.id FROM c WHERE NOT IS_NUMBER(c.size) → ["D","E"]
SELECT VALUE c.id FROM c WHERE c.missing = undefined → []
SELECT VALUE c.id FROM c WHERE c.missing != 1 → []
SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.city) AND NOT IS_NULL(c.city) → ["A","B","C"]
SELECT VALUE c.id FROM c WHERE c.missing OR c.id = "A" → ["A"]
SELECT VALUE c.id FROM c WHERE c.missing AND c.id = "A" → []
SELECT VALUE c.id FROM c WHERE STARTSWITH(c.city, "o", true) → ["A","C"]
SELECT VALUE c.id FROM c WHERE STRINGEQUALS(c.city, "ROME", true) → ["B"]
SELECT VALUE c.id FROM c WHERE REGEXMATCH(c.city, "^[OR]o?") → ["A","B","C"]
SELECT VALUE c.id FROM c WHERE c.city NOT LIKE "O%" → ["B"]
SELECT VALUE c.id FROM c WHERE c.size NOT BETWEEN 2 AND 9 → ["B"]
SELECT VALUE c.id FROM c WHERE c.size * 2 = 6 → ["A"]
SELECT VALUE c.id FROM c WHERE c["kids"][0]["pets"][0] = "cat" → ["A","C"]
SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(c.tags, ["x"]) → ["E"]
SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS_ANY(c.tags, "z", "x") → ["A","D"]
SELECT VALUE c.id FROM c WHERE (SELECT VALUE COUNT(1) FROM k IN c.kids) > 1 → ["A"]
SELECT VALUE c.id FROM c WHERE "cat" IN (c.kids[0].pets[0], c.kids[0].pets[1]) → ["A","C"]
SELECT VALUE c.id FROM c WHERE c.id >= "B" AND c.id < "D" → ["B","C"]
SELECT VALUE c.id FROM c WHERE c.id BETWEEN "B" AND "D" → ["B","C","D"]
SELECT VALUE c.tags[0] FROM c → ["x","y",["x"]]
SELECT VALUE c.kids[0].name FROM c → ["Ann","Cy"]
SELECT c.kids[0].name AS n FROM c → [{"n":"Ann"},{},{"n":"Cy"},{},{}]
SELECT c.id, c.city ?? "?" AS city FROM c WHERE c.id IN ("D", "E") → [{"id":"D","city":"?"},{"id":"E","city":null}]
SELECT VALUE {id: c.id, n: ARRAY_LENGTH(c.tags)} FROM c → [{"id":"A","n":2},{"id":"B"},{"id":"C"},{"id":"D","n":3},{"id":"E","n":1}]
SELECT c.id AS a, c.id AS b FROM c WHERE c.id = "A" → [{"a":"A","b":"A"}]
SELECT c.id || "!" FROM c WHERE c.id = "A" → [{"$1":"A!"}]
SELECT [c.id], {x: c.id} FROM c WHERE c.id = "A" → [{"$1":["A"],"$2":{"x":"A"}}]
SELECT VALUE IS_DEFINED(c.city) FROM c → [true,true,true,false,true]
SELECT VALUE c.size = 2 FROM c → [false,false,true]
SELECT VALUE root FROM root WHERE root.id = "B" → [{"id":"B","city":"Rome","size":1,"kids":[],"tags":"x","address":null,"value":"v"}]
SELECT VALUE k.age FROM c JOIN k IN c.kids WHERE c.city = "Oslo" → [5,9,2]
SELECT VALUE COUNT(1) FROM c JOIN k IN c.kids JOIN t IN c.tags → [4]
SELECT VALUE [k.name, l.name] FROM c JOIN k IN c.kids JOIN l IN c.kids WHERE k.age < l.age → [["Ann","Bo"]]
SELECT c.id, p AS pet FROM c JOIN k IN c.kids JOIN p IN k.pets WHERE p = "cat" → [{"id":"A","pet":"cat"},{"id":"C","pet":"cat"}]
SELECT VALUE total FROM c JOIN (SELECT VALUE c.size * 2) total WHERE total > 3 → [6,4]
SELECT VALUE [c.id, t] FROM c JOIN (SELECT VALUE t FROM t IN c.tags WHERE t != "x") t → [["A","y"],["D","y"],["D","z"],["D","y"],["E",["x"]]]
SELECT VALUE COUNT(1) FROM c JOIN (SELECT VALUE k FROM k IN c.kids WHERE k.age > 2) JOIN (SELECT VALUE t FROM t IN c.tags) → [4]
SELECT VALUE m FROM c JOIN m IN (SELECT VALUE [1, 2]) WHERE c.id = "A" → [1,2]
SELECT c.id, (SELECT c.city WHERE c.city = "Oslo").city FROM c WHERE c.id IN ("A", "B") → [{"id":"A","city":"Oslo"},{"id":"B"}]
SELECT c.id, EXISTS(SELECT VALUE k FROM k IN c.kids WHERE k.age > 4) AS old FROM c → [{"id":"A","old":true},{"id":"B","old":false},{"id":"C","old":false},{"id":"D","old":false},{"id":"E","old":false}]
SELECT c.id, ARRAY(SELECT VALUE p FROM k IN c.kids JOIN p IN k.pets) AS pets FROM c WHERE c.id IN ("A", "B") → [{"id":"A","pets":["cat","dog"]},{"id":"B","pets":[]}]
SELECT VALUE c.id FROM c ORDER BY c.address.zip DESC → ["C","E","A","D","B"]
SELECT VALUE c.id FROM c WHERE IS_NUMBER(c.size) ORDER BY c.size DESC → ["A","C","B"]
SELECT TOP 1 VALUE c.id FROM c ORDER BY c.size DESC → ["D"]
SELECT VALUE c.id FROM c ORDER BY c.missing → ["A","B","C","D","E"]
SELECT VALUE c.id FROM c WHERE c.size > 0 ORDER BY c.size OFFSET 1 LIMIT 1 → ["C"]
SELECT TOP 100 VALUE c.id FROM c OFFSET 1 LIMIT 1 → ["B"]
SELECT DISTINCT VALUE c.size > 1 FROM c → [false,true]
SELECT DISTINCT c.address.zip FROM c → [{},{"zip":10},{"zip":"10"}]
SELECT DISTINCT VALUE IS_STRING(c.city) FROM c → [false,true]
SELECT DISTINCT VALUE [c.city] FROM c → [[],[null],["Oslo"],["Rome"]]
SELECT VALUE COUNT(c.address.street) FROM c → [2]
SELECT VALUE COUNT(c) FROM c → [5]
SELECT COUNT(1), COUNT(c.city), COUNT(c.nothing) FROM c → [{"$1":5,"$2":4,"$3":0}]
SELECT VALUE MIN(c.id) FROM c → ["A"]
SELECT VALUE MAX(c.city) FROM c → ["Rome"]
SELECT MIN(c.nothing) AS m FROM c → [{}]
SELECT VALUE AVG(c.address.zip) FROM c → []
SELECT VALUE AVG(k.age) FROM k IN c.kids WHERE k.age > 2 → [7]
SELECT VALUE SUM(k.age) FROM c JOIN k IN c.kids → [16]
SELECT SUM(k.age) AS s, MIN(k.age) AS lo, MAX(k.age) AS hi, COUNT(1) AS n FROM k IN c.kids → [{"s":16,"lo":2,"hi":9,"n":3}]
SELECT VALUE {"lo": MIN(k.age), "names": MAKELIST(k.name)} FROM k IN c.kids → [{"lo":2,"names":["Ann","Bo","Cy"]}]
SELECT k.pets[0] AS pet, SUM(k.age) AS s FROM k IN c.kids GROUP BY k.pets[0] → [{"s":9},{"pet":"cat","s":7}]
SELECT VALUE [c.city, COUNT(1)] FROM c GROUP BY c.city → [[1],[null,1],["Oslo",2],["Rome",1]]
SELECT VALUE {"city": c.city, "n": COUNT(1)} FROM c GROUP BY c.city → [{"n":1},{"city":null,"n":1},{"city":"Oslo","n":2},{"city":"Rome","n":1}]
SELECT IS_NUMBER(c.size) AS num, COUNT(1) AS n FROM c GROUP BY IS_NUMBER(c.size) → [{"num":false,"n":2},{"num":true,"n":3}]
SELECT LENGTH(c.city) AS l FROM c GROUP BY LENGTH(c.city) → [{},{"l":4}]
SELECT c.city, "x" AS k, COUNT(1) + 1 AS n FROM c WHERE c.city = "Oslo" GROUP BY c.city → [{"city":"Oslo","k":"x","n":3}]
SELECT DISTINCT VALUE COUNT(1) FROM c GROUP BY c.city → [1,2]
SELECT c.size FROM c GROUP BY c.city → error SC2102
SELECT UPPER(c.id) FROM c GROUP BY c.city → error SC2102
SELECT VALUE c FROM c GROUP BY c.city → error SC2102
SELECT c.city FROM c GROUP BY COUNT(1) → error SC2101
SELECT VALUE c.id FROM c ORDER BY COUNT(1) → error SC2102
SELECT VALUE AVG(SUM(c.size)) FROM c → error SC2101
SELECT VALUE c.id FROM c WHERE SUM(c.size) = 1 → error SC2101
SELECT VALUE c.id FROM c JOIN k IN c.kids JOIN k IN c.tags → error SC2011
SELECT VALUE c.id FROM c WHERE udf.f(c) → error SC2006
SELECT VALUE c.id FROM c WHERE FOO(c.id) → error SC2005
SELECT VALUE c.id FROM c WHERE ABS(c.id, 1) → error SC2050
SELECT VALUE d.id FROM c AS d → ["A","B","C","D","E"]
SELECT VALUE d.id AS name FROM c AS d → ["A","B","C","D","E"]
SELECT DISTINCT VALUE COUNT(1) total FROM c → [5]
SELECT VALUE c.id AS select FROM c → error SC1001
SELECT VALUE c.id name ORDER BY name → error SC2001
SELECT VALUE c.id FROM c AS d → error SC2001
SELECT VALUE c.id FROM c ORDER BY d.id → error SC2001
SELECT VALUE c.id FROM c GROUP BY d.id → error SC2001
SELECT VALUE k FROM c WHERE EXISTS(SELECT VALUE k FROM k IN c.kids) → error SC2001
SELECT VALUE (SELECT VALUE d.id FROM d) FROM c → error SC2001
SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE d FROM d WHERE d.id = c.id) → error SC2001
SELECT VALUE ARRAY(SELECT VALUE d.id FROM d) FROM c → error SC2001
SELECT VALUE x FROM c JOIN (SELECT VALUE d.id FROM d) x → error SC2001
SELECT VALUE ARRAY(SELECT VALUE d.id FROM c d) FROM c WHERE c.id = "A" → [["A"]]
`;

/** Items whose integers a number would round; the last two differ beyond what numbers tell apart. */
export const longIntegers: readonly SqlValue[] = [
  { id: 'A', n: 1, list: [1, 9_007_199_254_740_993n] },
  { id: 'B', n: 9_007_199_254_740_993n, deep: { n: -9_223_372_036_854_775_807n } },
  { id: 'C', n: 9_007_199_254_740_992n },
];

/** What is passed on keeps its digits; what is computed, compared, sorted or grouped goes by the nearest number. */
export const longIntegerSamples: string = `
SELECT VALUE c.n FROM c → [1,9007199254740993,9007199254740992]
SELECT c.n AS x FROM c WHERE c.id = "B" → [{"x":9007199254740993}]
SELECT VALUE [c.n, c.deep] FROM c WHERE c.id = "B" → [[9007199254740993,{"n":-9223372036854775807}]]
SELECT VALUE {"a": c.deep.n} FROM c → [{},{"a":-9223372036854775807},{}]
SELECT * FROM c WHERE c.id = "A" → [{"id":"A","n":1,"list":[1,9007199254740993]}]
SELECT VALUE x FROM c JOIN x IN c.list → [1,9007199254740993]
SELECT VALUE (SELECT VALUE c.n) FROM c WHERE c.id = "B" → [9007199254740993]
SELECT VALUE ARRAY(SELECT VALUE x FROM x IN c.list WHERE x > 1) FROM c WHERE c.id = "A" → [[9007199254740993]]
SELECT VALUE c.nothing ?? c.n FROM c WHERE c.id = "B" → [9007199254740993]
SELECT VALUE IIF(true, c.n, 0) FROM c WHERE c.id = "B" → [9007199254740993]
SELECT VALUE c.n > 1 ? c.n : 0 FROM c → [0,9007199254740993,9007199254740992]
SELECT VALUE TOSTRING(c.n) FROM c → ["1","9007199254740993","9007199254740992"]
SELECT VALUE TOSTRING(c.list) FROM c → ["[1,9007199254740993]"]
SELECT VALUE c.id FROM c WHERE c.n = 9007199254740992 → ["B","C"]
SELECT VALUE c.id FROM c WHERE c.n IN (9007199254740992, 5) → ["B","C"]
SELECT VALUE c.id FROM c WHERE c.n != 9007199254740992 → ["A"]
SELECT VALUE c.id FROM c WHERE c.n BETWEEN 2 AND 1e300 → ["B","C"]
SELECT VALUE c.id FROM c WHERE c.n > 9007199254740992 → []
SELECT VALUE c.id FROM c WHERE IS_NUMBER(c.n) AND IS_INTEGER(c.n) AND IS_PRIMITIVE(c.n) → ["A","B","C"]
SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(c.list, 9007199254740992) → ["A"]
SELECT VALUE c.id FROM c WHERE c.list = [1, 9007199254740992] → ["A"]
SELECT VALUE c.n + 0 FROM c WHERE c.id = "B" → [9007199254740992]
SELECT VALUE -c.n FROM c WHERE c.id = "B" → [-9007199254740992]
SELECT VALUE ABS(c.deep.n) FROM c → [9223372036854776000]
SELECT VALUE ARRAY_SUM(c.list) FROM c → [9007199254740992]
SELECT VALUE c.n FROM c ORDER BY c.n DESC → [9007199254740992,9007199254740993,1]
SELECT VALUE c.id FROM c ORDER BY c.n DESC → ["C","B","A"]
SELECT DISTINCT VALUE c.n FROM c → [1,9007199254740993]
SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n → [{"n":1,"k":1},{"n":9007199254740993,"k":2}]
SELECT VALUE MAX(c.n) FROM c → [9007199254740993]
SELECT VALUE MIN(c.deep.n) FROM c → [-9223372036854775807]
SELECT VALUE SUM(c.n) FROM c WHERE c.id = "B" → [9007199254740992]
SELECT VALUE MAKELIST(c.n) FROM c → [[1,9007199254740993,9007199254740992]]
`;
