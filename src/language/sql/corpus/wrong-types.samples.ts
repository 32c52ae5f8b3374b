/** What is not of a kind. `undefined` and null are of none that a function asks for. */
export const othersThan: Readonly<Record<string, readonly string[]>> = {
  number: ['undefined', 'null', 'true', '"1"', '[1]', '{"a": 1}'],
  text: ['undefined', 'null', 'true', '1', '["a"]', '{"a": "a"}'],
  flag: ['undefined', 'null', '1', '"true"', '[true]', '{"a": true}'],
  array: ['undefined', 'null', 'true', '1', '"[1]"', '{"0": 1}'],
  object: ['undefined', 'null', 'true', '1', '"{}"', '[{"a": 1}]'],
  shape: ['undefined', 'null', 'true', '1', '"Point"', '[1, 2]', '{"type": "Circle", "coordinates": [0, 0]}'],
};

/** A call with a hole, and which kind belongs there: with anything else in it the call is what stands at the end. */
export const wrongTypeSamples: string = `
ABS(¿) number → undefined
ACOS(¿) number → undefined
ASIN(¿) number → undefined
ATAN(¿) number → undefined
ATN2(¿, 1) number → undefined
ATN2(1, ¿) number → undefined
CEILING(¿) number → undefined
COS(¿) number → undefined
COT(¿) number → undefined
DEGREES(¿) number → undefined
EXP(¿) number → undefined
FLOOR(¿) number → undefined
LOG(¿) number → undefined
LOG(¿, 2) number → undefined
LOG(2, ¿) number → undefined
LOG10(¿) number → undefined
NUMBERBIN(¿) number → undefined
NUMBERBIN(¿, 2) number → undefined
NUMBERBIN(2, ¿) number → undefined
POWER(¿, 2) number → undefined
POWER(2, ¿) number → undefined
RADIANS(¿) number → undefined
ROUND(¿) number → undefined
SIGN(¿) number → undefined
SIN(¿) number → undefined
SQRT(¿) number → undefined
SQUARE(¿) number → undefined
TAN(¿) number → undefined
TRUNC(¿) number → undefined
INTADD(¿, 1) number → undefined
INTADD(1, ¿) number → undefined
INTSUB(¿, 1) number → undefined
INTSUB(1, ¿) number → undefined
INTMUL(¿, 1) number → undefined
INTMUL(1, ¿) number → undefined
INTDIV(¿, 1) number → undefined
INTDIV(1, ¿) number → undefined
INTMOD(¿, 1) number → undefined
INTMOD(1, ¿) number → undefined
INTBITAND(¿, 1) number → undefined
INTBITAND(1, ¿) number → undefined
INTBITOR(¿, 1) number → undefined
INTBITOR(1, ¿) number → undefined
INTBITXOR(¿, 1) number → undefined
INTBITXOR(1, ¿) number → undefined
INTBITLEFTSHIFT(¿, 1) number → undefined
INTBITLEFTSHIFT(1, ¿) number → undefined
INTBITRIGHTSHIFT(¿, 1) number → undefined
INTBITRIGHTSHIFT(1, ¿) number → undefined
INTBITNOT(¿) number → undefined
CONCAT(¿, "a") text → undefined
CONCAT("a", ¿) text → undefined
CONCAT("a", "b", ¿) text → undefined
CONTAINS(¿, "a") text → undefined
CONTAINS("a", ¿) text → undefined
CONTAINS("a", "a", ¿) flag → undefined
STARTSWITH(¿, "a") text → undefined
STARTSWITH("a", ¿) text → undefined
STARTSWITH("a", "a", ¿) flag → undefined
ENDSWITH(¿, "a") text → undefined
ENDSWITH("a", ¿) text → undefined
ENDSWITH("a", "a", ¿) flag → undefined
STRINGEQUALS(¿, "a") text → undefined
STRINGEQUALS("a", ¿) text → undefined
STRINGEQUALS("a", "a", ¿) flag → undefined
CONTAINS_ALL_CI(¿, "a") text → undefined
CONTAINS_ALL_CI("a", ¿) text → undefined
CONTAINS_ALL_CI("a", "b", ¿) text → false
CONTAINS_ALL_CS(¿, "a") text → undefined
CONTAINS_ALL_CS("a", "a", ¿) text → undefined
CONTAINS_ANY_CI(¿, "a") text → undefined
CONTAINS_ANY_CI("a", "a", ¿) text → true
CONTAINS_ANY_CS(¿, "a") text → undefined
CONTAINS_ANY_CS("a", "b", ¿) text → undefined
INDEX_OF(¿, "a") text → undefined
INDEX_OF("a", ¿) text → undefined
INDEX_OF("a", "a", ¿) number → undefined
LASTINDEXOF(¿, "a") text → undefined
LASTINDEXOF("a", ¿) text → undefined
LASTINDEXOF("a", "a", ¿) number → undefined
LEFT(¿, 1) text → undefined
LEFT("a", ¿) number → undefined
RIGHT(¿, 1) text → undefined
RIGHT("a", ¿) number → undefined
LENGTH(¿) text → undefined
LOWER(¿) text → undefined
UPPER(¿) text → undefined
LTRIM(¿) text → undefined
LTRIM("a", ¿) text → undefined
RTRIM(¿) text → undefined
RTRIM("a", ¿) text → undefined
TRIM(¿) text → undefined
TRIM("a", ¿) text → undefined
REPLACE(¿, "a", "b") text → undefined
REPLACE("a", ¿, "b") text → undefined
REPLACE("a", "a", ¿) text → undefined
REPLICATE(¿, 2) text → undefined
REPLICATE("a", ¿) number → undefined
REVERSE(¿) text → undefined
STRINGJOIN(¿, "-") array → undefined
STRINGJOIN(["a"], ¿) text → undefined
STRINGJOIN(["a", ¿, null], "-") text → undefined
STRINGSPLIT(¿, "a") text → undefined
STRINGSPLIT("a", ¿) text → undefined
SUBSTRING(¿, 0, 1) text → undefined
SUBSTRING("a", ¿, 1) number → undefined
SUBSTRING("a", 0, ¿) number → undefined
STRINGTOARRAY(¿) text → undefined
STRINGTOBOOLEAN(¿) text → undefined
STRINGTONULL(¿) text → undefined
STRINGTONUMBER(¿) text → undefined
STRINGTOOBJECT(¿) text → undefined
SUBSTRINGBEFORE(¿, "a") text → undefined
SUBSTRINGBEFORE("a", ¿) text → undefined
SUBSTRINGAFTER(¿, "a") text → undefined
SUBSTRINGAFTER("a", ¿) text → undefined
LASTSUBSTRINGBEFORE(¿, "a") text → undefined
LASTSUBSTRINGBEFORE("a", ¿) text → undefined
LASTSUBSTRINGAFTER(¿, "a") text → undefined
LASTSUBSTRINGAFTER("a", ¿) text → undefined
REGEXMATCH(¿, "a") text → undefined
REGEXMATCH("a", ¿) text → undefined
REGEXMATCH("a", "a", ¿) text → undefined
REGEXEXTRACT(¿, "a") text → undefined
REGEXEXTRACT("a", ¿) text → undefined
REGEXEXTRACTALL(¿, "a") text → undefined
REGEXEXTRACTALL("a", ¿) text → undefined
¿ LIKE "a" text → undefined
"a" LIKE ¿ text → undefined
¿ NOT LIKE "a" text → undefined
¿ || "a" text → undefined
"a" || ¿ text → undefined
ARRAY_AVG(¿) array → undefined
ARRAY_AVG([1, ¿, null]) number → undefined
ARRAY_SUM(¿) array → undefined
ARRAY_SUM([1, ¿, null]) number → undefined
ARRAY_MEDIAN(¿) array → undefined
ARRAY_MEDIAN([1, ¿, null]) number → undefined
ARRAY_MAX(¿) array → undefined
ARRAY_MIN(¿) array → undefined
ARRAY_CONCAT(¿, [1]) array → undefined
ARRAY_CONCAT([1], ¿) array → undefined
ARRAY_CONCAT([1], [2], ¿) array → undefined
ARRAY_CONTAINS(¿, 1) array → undefined
ARRAY_CONTAINS([1], 1, ¿) flag → undefined
ARRAY_CONTAINS_ALL(¿, 1) array → undefined
ARRAY_CONTAINS_ANY(¿, 1) array → undefined
ARRAY_LENGTH(¿) array → undefined
ARRAY_SLICE(¿, 0) array → undefined
ARRAY_SLICE([1], ¿) number → undefined
ARRAY_SLICE([1], 0, ¿) number → undefined
CHOOSE(¿, "a", "b") number → undefined
IIF(¿, 1, 2) flag → 2
OBJECTTOARRAY(¿) object → undefined
OBJECTTOARRAY({"a": 1}, ¿) text → undefined
OBJECTTOARRAY({"a": 1}, "k", ¿) text → undefined
SETDIFFERENCE(¿, [1]) array → undefined
SETDIFFERENCE([1], ¿) array → undefined
SETEQUAL(¿, [1]) array → undefined
SETEQUAL([1], ¿) array → undefined
SETINTERSECT(¿, [1]) array → undefined
SETINTERSECT([1], ¿) array → undefined
SETUNION(¿, [1]) array → undefined
SETUNION([1], ¿) array → undefined
DATETIMEADD(¿, 1, "2020-01-01") text → undefined
DATETIMEADD("dd", ¿, "2020-01-01") number → undefined
DATETIMEADD("dd", 1, ¿) text → undefined
DATETIMEBIN(¿, "dd") text → undefined
DATETIMEBIN("2020-01-01", ¿) text → undefined
DATETIMEBIN("2020-01-01", "dd", ¿) number → undefined
DATETIMEBIN("2020-01-01", "dd", 1, ¿) text → undefined
DATETIMEDIFF(¿, "2020-01-01", "2020-01-02") text → undefined
DATETIMEDIFF("dd", ¿, "2020-01-02") text → undefined
DATETIMEDIFF("dd", "2020-01-01", ¿) text → undefined
DATETIMEFORMAT(¿, "yyyy") text → undefined
DATETIMEFORMAT("2020-01-01", ¿) text → undefined
DATETIMEFROMPARTS(¿, 1, 1) number → undefined
DATETIMEFROMPARTS(2020, ¿, 1) number → undefined
DATETIMEFROMPARTS(2020, 1, ¿) number → undefined
DATETIMEFROMPARTS(2020, 1, 1, ¿) number → undefined
DATETIMEFROMPARTS(2020, 1, 1, 1, ¿) number → undefined
DATETIMEFROMPARTS(2020, 1, 1, 1, 1, ¿) number → undefined
DATETIMEFROMPARTS(2020, 1, 1, 1, 1, 1, ¿) number → undefined
DATETIMEPART(¿, "2020-01-01") text → undefined
DATETIMEPART("dd", ¿) text → undefined
DATETIMETOTICKS(¿) text → undefined
DATETIMETOTIMESTAMP(¿) text → undefined
DAY(¿) text → undefined
MONTH(¿) text → undefined
YEAR(¿) text → undefined
TICKSTODATETIME(¿) number → undefined
TIMESTAMPTODATETIME(¿) number → undefined
AGO(¿, 1) text → undefined
AGO("dd", ¿) number → undefined
NOW(¿, 1) text → undefined
NOW("dd", ¿) number → undefined
DOCUMENTID(¿) object → undefined
ST_DISTANCE(¿, {"type": "Point", "coordinates": [0, 0]}) shape → undefined
ST_DISTANCE({"type": "Point", "coordinates": [0, 0]}, ¿) shape → undefined
ST_WITHIN(¿, {"type": "Point", "coordinates": [0, 0]}) shape → undefined
ST_WITHIN({"type": "Point", "coordinates": [0, 0]}, ¿) shape → undefined
ST_INTERSECTS(¿, {"type": "Point", "coordinates": [0, 0]}) shape → undefined
ST_INTERSECTS({"type": "Point", "coordinates": [0, 0]}, ¿) shape → undefined
ST_AREA(¿) shape → undefined
FULLTEXTCONTAINS(¿, "a") text → undefined
FULLTEXTCONTAINS("a", ¿) text → undefined
FULLTEXTCONTAINSALL(¿, "a") text → undefined
FULLTEXTCONTAINSALL("a", "a", ¿) text → undefined
FULLTEXTCONTAINSANY(¿, "a") text → undefined
FULLTEXTCONTAINSANY("a", "a", ¿) text → undefined
VECTORDISTANCE(¿, [1]) array → undefined
VECTORDISTANCE([1], ¿) array → undefined
VECTORDISTANCE([1, ¿, null], [1, 1, 1]) number → undefined
VECTORDISTANCE([1], [1], ¿) flag → undefined
VECTORDISTANCE([1], [1], false, ¿) object → undefined
-¿ number → undefined
+¿ number → undefined
~¿ number → undefined
NOT ¿ flag → undefined
¿ + 1 number → undefined
1 + ¿ number → undefined
¿ - 1 number → undefined
1 - ¿ number → undefined
¿ * 1 number → undefined
¿ / 1 number → undefined
¿ % 1 number → undefined
¿ & 1 number → undefined
1 | ¿ number → undefined
1 ^ ¿ number → undefined
¿ << 1 number → undefined
1 >> ¿ number → undefined
¿ >>> 1 number → undefined
¿ ? 1 : 2 flag → 2
[1, 2][¿] number → undefined
{"a": 1}[¿] text → undefined
(¿).a object → undefined
(SELECT VALUE COUNT(1) FROM x IN (¿)) array → error SC1001
(SELECT VALUE SUM(x) FROM x IN [1, ¿, null]) number → undefined
(SELECT VALUE AVG(x) FROM x IN [1, ¿, null]) number → undefined
(SELECT VALUE COUNTIF(x) FROM x IN [¿]) flag → 0
`;

/** Every function, with the fewest and the most arguments that it takes; `*` for any number. */
export const arities: string = `
ABS 1 1, ACOS 1 1, ASIN 1 1, ATAN 1 1, ATN2 2 2, CEILING 1 1, COS 1 1, COT 1 1, DEGREES 1 1, EXP 1 1, FLOOR 1 1, LOG 1 2,
LOG10 1 1, NUMBERBIN 1 2, PI 0 0, POWER 2 2, RADIANS 1 1, RAND 0 0, ROUND 1 1, SIGN 1 1, SIN 1 1, SQRT 1 1, SQUARE 1 1, TAN 1 1,
TRUNC 1 1, INTADD 2 2, INTSUB 2 2, INTMUL 2 2, INTDIV 2 2, INTMOD 2 2, INTBITAND 2 2, INTBITOR 2 2, INTBITXOR 2 2, INTBITNOT 1 1,
INTBITLEFTSHIFT 2 2, INTBITRIGHTSHIFT 2 2, CONCAT 2 *, CONTAINS 2 3, CONTAINS_ALL_CI 2 *, CONTAINS_ALL_CS 2 *,
CONTAINS_ANY_CI 2 *, CONTAINS_ANY_CS 2 *, ENDSWITH 2 3, INDEX_OF 2 3, LASTINDEXOF 2 3, LEFT 2 2, LENGTH 1 1, LOWER 1 1,
LTRIM 1 2, REGEXMATCH 2 3, REPLACE 3 3, REPLICATE 2 2, REVERSE 1 1, RIGHT 2 2, RTRIM 1 2, STARTSWITH 2 3, STRINGEQUALS 2 3,
STRINGJOIN 2 2, STRINGSPLIT 2 2, STRINGTOARRAY 1 1, STRINGTOBOOLEAN 1 1, STRINGTONULL 1 1, STRINGTONUMBER 1 1,
STRINGTOOBJECT 1 1, SUBSTRING 3 3, TOSTRING 1 1, TRIM 1 2, UPPER 1 1, SUBSTRINGBEFORE 2 2, SUBSTRINGAFTER 2 2,
LASTSUBSTRINGBEFORE 2 2, LASTSUBSTRINGAFTER 2 2, REGEXEXTRACT 2 3, REGEXEXTRACTALL 2 3, ARRAY_AVG 1 1, ARRAY_SUM 1 1,
ARRAY_MEDIAN 1 1, ARRAY_MAX 1 1, ARRAY_MIN 1 1, ARRAY_CONCAT 2 *, ARRAY_CONTAINS 2 3, ARRAY_CONTAINS_ALL 2 *,
ARRAY_CONTAINS_ANY 2 *, ARRAY_LENGTH 1 1, ARRAY_SLICE 2 3, CHOOSE 2 *, OBJECTTOARRAY 1 3, SETDIFFERENCE 2 2, SETEQUAL 2 2,
SETINTERSECT 2 2, SETUNION 2 2, IS_ARRAY 1 1, IS_BOOL 1 1, IS_BOOLEAN 1 1, IS_DATETIME 1 1, IS_DEFINED 1 1, IS_FINITE_NUMBER 1 1,
IS_INTEGER 1 1, IS_NULL 1 1, IS_NUMBER 1 1, IS_OBJECT 1 1, IS_PRIMITIVE 1 1, IS_STRING 1 1, IIF 3 3, AGO 2 2, DATETIMEADD 3 3,
DATETIMEBIN 2 4, DATETIMEDIFF 3 3, DATETIMEFORMAT 2 2, DATETIMEFROMPARTS 3 7, DATETIMEPART 2 2, DATETIMETOTICKS 1 1,
DATETIMETOTIMESTAMP 1 1, DAY 1 1, MONTH 1 1, YEAR 1 1, NOW 0 2, TICKSTODATETIME 1 1, TIMESTAMPTODATETIME 1 1,
GETCURRENTDATETIME 0 0, GETCURRENTTICKS 0 0, GETCURRENTTIMESTAMP 0 0, GETCURRENTDATETIMESTATIC 0 0, GETCURRENTTICKSSTATIC 0 0,
GETCURRENTTIMESTAMPSTATIC 0 0, DOCUMENTID 1 1, ST_DISTANCE 2 2, ST_WITHIN 2 2, ST_INTERSECTS 2 2, ST_ISVALID 1 1,
ST_ISVALIDDETAILED 1 1, ST_AREA 1 1, FULLTEXTCONTAINS 2 2, FULLTEXTCONTAINSALL 2 *, FULLTEXTCONTAINSANY 2 *,
VECTORDISTANCE 2 4, COUNT 1 1, COUNTIF 1 1, SUM 1 1, AVG 1 1, MIN 1 1, MAX 1 1, MAKELIST 1 1, MAKESET 1 1
`;
