export const arraySamples: string = `
ARRAY_CONCAT([1], [2, 3]) → [1,2,3]
ARRAY_CONCAT([], []) → []
ARRAY_CONCAT([1], 2) → undefined
ARRAY_CONCAT([1], undefined) → undefined
ARRAY_CONCAT([1]) → error SC2050
ARRAY_CONTAINS([1, 2], 2) → true
ARRAY_CONTAINS([1, 2], 3) → false
ARRAY_CONTAINS([1, 2], "2") → false
ARRAY_CONTAINS([null], null) → true
ARRAY_CONTAINS([], 1) → false
ARRAY_CONTAINS([{"a": 1, "b": 2}], {"a": 1}) → false
ARRAY_CONTAINS([{"a": 1, "b": 2}], {"a": 1}, true) → true
ARRAY_CONTAINS([{"a": 1, "b": 2}], {"a": 1, "b": 2}) → true
ARRAY_CONTAINS([{"a": {"x": 1, "y": 2}}], {"a": {"x": 1}}, true) → true
ARRAY_CONTAINS([{"a": 1}], {"a": 2}, true) → false
ARRAY_CONTAINS([[1]], [1]) → true
ARRAY_CONTAINS("abc", "a") → undefined
ARRAY_CONTAINS(null, 1) → undefined
ARRAY_CONTAINS([1], undefined) → undefined
ARRAY_CONTAINS([1], 1, "x") → undefined
ARRAY_CONTAINS_ALL([1, 2, 3], 1, 3) → true
ARRAY_CONTAINS_ALL([1, 2, 3], 1, 4) → false
ARRAY_CONTAINS_ALL([1, 2, 3], 4, undefined) → false
ARRAY_CONTAINS_ALL([1, 2, 3], 1, undefined) → undefined
ARRAY_CONTAINS_ALL(1, 1) → undefined
ARRAY_CONTAINS_ANY([1, 2, 3], 9, 3) → true
ARRAY_CONTAINS_ANY([1, 2, 3], 9, 8) → false
ARRAY_CONTAINS_ANY([1, 2, 3], 9, undefined) → undefined
ARRAY_CONTAINS_ANY([1, 2, 3], undefined, 3) → true
ARRAY_LENGTH([1, 2]) → 2
ARRAY_LENGTH([]) → 0
ARRAY_LENGTH("ab") → undefined
ARRAY_LENGTH([undefined, 1]) → 1
ARRAY_SLICE([1, 2, 3, 4], 1) → [2,3,4]
ARRAY_SLICE([1, 2, 3, 4], 1, 2) → [2,3]
ARRAY_SLICE([1, 2, 3, 4], -2) → [3,4]
ARRAY_SLICE([1, 2, 3, 4], -9, 1) → [1]
ARRAY_SLICE([1, 2, 3, 4], 9) → []
ARRAY_SLICE([1, 2, 3, 4], 1, -1) → []
ARRAY_SLICE([1, 2], "1") → undefined
ARRAY_SLICE("ab", 1) → undefined
ARRAY_AVG([1, 2, 3]) → 2
ARRAY_AVG([]) → undefined
ARRAY_AVG([1, "2"]) → undefined
ARRAY_SUM([1, 2, 3]) → 6
ARRAY_SUM([]) → 0
ARRAY_SUM([null]) → undefined
ARRAY_MEDIAN([3, 1, 2]) → 2
ARRAY_MEDIAN([4, 1, 2, 3]) → 2.5
ARRAY_MEDIAN([]) → undefined
ARRAY_MAX([1, 3, 2]) → 3
ARRAY_MAX([1, "a", true, null]) → "a"
ARRAY_MAX([]) → undefined
ARRAY_MAX([[1]]) → undefined
ARRAY_MIN([1, "a", true, null]) → null
ARRAY_MIN(["b", "a"]) → "a"
ARRAY_MIN(5) → undefined
OBJECTTOARRAY({"a": 1, "b": [2]}) → [{"k":"a","v":1},{"k":"b","v":[2]}]
OBJECTTOARRAY({"a": 1}, "name", "value") → [{"name":"a","value":1}]
OBJECTTOARRAY({}) → []
OBJECTTOARRAY([1]) → undefined
OBJECTTOARRAY({"a": 1}, 1) → undefined
SETDIFFERENCE([1, 2, 2, 3], [3]) → [1,2]
SETDIFFERENCE([1], 1) → undefined
SETEQUAL([1, 2], [2, 1, 1]) → true
SETEQUAL([1, 2], [2]) → false
SETEQUAL([], []) → true
SETEQUAL([{"a": 1}], [{"a": 1}]) → true
SETINTERSECT([1, 2, 3], [3, 2, 9]) → [3,2]
SETINTERSECT([1], []) → []
SETINTERSECT(null, []) → undefined
SETUNION([1, 2], [2, 3]) → [1,2,3]
SETUNION([[1]], [[1]]) → [[1]]
SETUNION([1]) → error SC2050
CHOOSE(1, "a", "b") → "a"
CHOOSE(2, "a", "b") → "b"
CHOOSE(0, "a") → undefined
CHOOSE(3, "a", "b") → undefined
CHOOSE(1.5, "a", "b") → undefined
CHOOSE(2, undefined, "b") → "b"
CHOOSE("1", "a") → undefined
IIF(true, 1, 2) → 1
IIF(false, 1, 2) → 2
IIF(undefined, 1, 2) → 2
IIF("true", 1, 2) → 2
IIF(1 = 1, undefined, 2) → undefined
IIF(true, 1) → error SC2050
VECTORDISTANCE([1, 0], [1, 0]) → 1
VECTORDISTANCE([1, 0], [0, 1]) → 0
VECTORDISTANCE([1, 2], [3, 4], false, {"distanceFunction": "dotproduct"}) → 11
VECTORDISTANCE([0, 0], [3, 4], true, {"distanceFunction": "Euclidean"}) → 5
VECTORDISTANCE([0, 0], [3, 4]) → undefined
VECTORDISTANCE([1], [1, 2]) → undefined
VECTORDISTANCE([1], "a") → undefined
VECTORDISTANCE([1, "a"], [1, 2]) → undefined
VECTORDISTANCE([], []) → undefined
VECTORDISTANCE([1], [1], false, {"distanceFunction": "taxi"}) → undefined
FULLTEXTCONTAINS("The quick fox", "QUICK") → true
FULLTEXTCONTAINS("The quick fox", "quick fox") → true
FULLTEXTCONTAINS("The quick fox", "fox quick") → false
FULLTEXTCONTAINS("The quick fox", "qui") → false
FULLTEXTCONTAINS(1, "a") → undefined
FULLTEXTCONTAINSALL("The quick fox", "fox", "the") → true
FULLTEXTCONTAINSALL("The quick fox", "fox", "dog") → false
FULLTEXTCONTAINSANY("The quick fox", "cat", "fox") → true
FULLTEXTCONTAINSANY("The quick fox", "cat", "dog") → false
FULLTEXTCONTAINSANY("The quick fox", "cat", 1) → undefined
ARRAY_CONCAT([1], [[2]]) → [1,[2]]
ARRAY_CONCAT([1], [], ["a", null]) → [1,"a",null]
ARRAY_CONTAINS([1, 2], [1]) → false
ARRAY_CONTAINS([[1, 2]], [1, 2]) → true
ARRAY_CONTAINS([{"a": 1}], {"a": 1}) → true
ARRAY_CONTAINS([{"b": 2, "a": 1}], {"a": 1, "b": 2}) → true
ARRAY_CONTAINS([{"a": 1}, {"a": 2, "b": 3}], {"b": 3}, true) → true
ARRAY_CONTAINS([{"a": 1}], {}, true) → true
ARRAY_CONTAINS([{"a": 1}], {"a": 1}, false) → true
ARRAY_CONTAINS([1, 2, 3], 2, true) → true
ARRAY_CONTAINS([true], 1) → false
ARRAY_CONTAINS([], null) → false
ARRAY_CONTAINS_ALL([1, true, "3", [1, 2]], [1, 2], true) → true
ARRAY_CONTAINS_ALL([], 1) → false
ARRAY_CONTAINS_ALL([{"a": 1}], {"a": 1}) → true
ARRAY_CONTAINS_ANY([], 1, 2) → false
ARRAY_CONTAINS_ANY([null], null) → true
ARRAY_CONTAINS_ANY([[1]], 1) → false
ARRAY_LENGTH([[1, 2]]) → 1
ARRAY_LENGTH([null]) → 1
ARRAY_LENGTH([undefined]) → 0
ARRAY_SLICE([], 0) → []
ARRAY_SLICE([1, 2, 3], 0, 0) → []
ARRAY_SLICE([1, 2, 3], 1, 99) → [2,3]
ARRAY_SLICE([1, 2, 3], -1) → [3]
ARRAY_SLICE([1, 2, 3], -2, 1) → [2]
ARRAY_AVG([1.5]) → 1.5
ARRAY_AVG([1, undefined, 2]) → 1.5
ARRAY_AVG([-1, 1]) → 0
ARRAY_SUM([1, undefined, 2]) → 3
ARRAY_SUM([0.5, 0.25]) → 0.75
ARRAY_MEDIAN([5]) → 5
ARRAY_MEDIAN([10, 2, 9]) → 9
ARRAY_MAX([false, true]) → true
ARRAY_MAX([null]) → null
ARRAY_MAX([1, undefined]) → 1
ARRAY_MAX([{}]) → undefined
ARRAY_MIN([true, 0, "a"]) → true
ARRAY_MIN([3, -3]) → -3
ARRAY_MIN([]) → undefined
OBJECTTOARRAY({"a": null, "b": {"c": 1}}) → [{"k":"a","v":null},{"k":"b","v":{"c":1}}]
OBJECTTOARRAY({"a": 1}, "name") → [{"name":"a","v":1}]
SETDIFFERENCE([1, 2, 3], [1, 2, 3]) → []
SETDIFFERENCE([], [1]) → []
SETDIFFERENCE([1, "1", null, [1]], ["1"]) → [1,null,[1]]
SETEQUAL([1, 1, 1], [1]) → true
SETEQUAL([1], ["1"]) → false
SETEQUAL([[1, 2]], [[2, 1]]) → false
SETINTERSECT([], []) → []
SETINTERSECT([1, 1, 2], [1, 1]) → [1]
SETINTERSECT([{"a": 1}], [{"a": 1}]) → [{"a":1}]
SETUNION([], []) → []
SETUNION([1, 1], [1]) → [1]
SETUNION([1], ["1"]) → [1,"1"]
CHOOSE(-1, "a") → undefined
CHOOSE(1, null) → null
CHOOSE(1, undefined) → undefined
CHOOSE(3, 1, "b", [3]) → [3]
IIF(true, null, 2) → null
IIF(1 < 2, "yes", "no") → "yes"
IIF(null, 1, 2) → 2
IIF(false, 1, undefined) → undefined
IIF(IS_DEFINED({}.a), 1, 2) → 2
VECTORDISTANCE([1, 2, 3], [1, 2, 3]) → 1
VECTORDISTANCE([1, 0], [-1, 0]) → -1
VECTORDISTANCE([1, 2, 3], [4, 5, 6], false, {"distanceFunction": "dotproduct"}) → 32
VECTORDISTANCE([1, 1], [1, 1], true, {"distanceFunction": "euclidean"}) → 0
VECTORDISTANCE([[1]], [[1]]) → undefined
FULLTEXTCONTAINS("red mountain bike", "red mountain") → true
FULLTEXTCONTAINS("red mountain bike", "mountain, bike!") → true
FULLTEXTCONTAINS("red", "") → false
FULLTEXTCONTAINS("red bicycle", {"term": "bycycle", "distance": 1}) → true
FULLTEXTCONTAINS("red bicycle", {"term": "bycycel", "distance": 1}) → false
FULLTEXTCONTAINS("red bicycle", {"term": "bycicle", "distance": 2}) → true
FULLTEXTCONTAINS("red bicycle", {"term": "rd", "distance": 1}) → true
FULLTEXTCONTAINS("red bicycle", {"term": "Reds bicycles", "distance": 1}) → true
FULLTEXTCONTAINS("red bicycle", {"term": "red", "distance": 0}) → true
FULLTEXTCONTAINS("red bicycle", {"term": "green", "distance": 2}) → false
FULLTEXTCONTAINS("red bicycle", {"term": "red", "distance": 3}) → undefined
FULLTEXTCONTAINS("red bicycle", {"term": "red", "distance": 0.5}) → undefined
FULLTEXTCONTAINS("red bicycle", {"term": "red"}) → undefined
FULLTEXTCONTAINS("red bicycle", {"term": 1, "distance": 1}) → undefined
FULLTEXTCONTAINSALL("red bicycle", {"term": "rad", "distance": 1}, "bicycle") → true
FULLTEXTCONTAINSANY("red bicycle", "car", {"term": "bicycles", "distance": 1}) → true
FULLTEXTCONTAINS("", "red") → false
FULLTEXTCONTAINSALL("red mountain bike", "red", "bike", "RED") → true
FULLTEXTCONTAINSANY("red mountain bike", "car") → false
`;
