export const spatialSamples: string = `
ST_ISVALID({"type": "Point", "coordinates": [10, 50]}) → true
ST_ISVALID({"type": "Point", "coordinates": [10, 91]}) → false
ST_ISVALID({"type": "Point", "coordinates": [181, 0]}) → false
ST_ISVALID({"type": "Point", "coordinates": ["a", 0]}) → false
ST_ISVALID({"type": "Circle", "coordinates": [1, 0]}) → false
ST_ISVALID({"type": "LineString", "coordinates": [[0, 0]]}) → false
ST_ISVALID({"type": "LineString", "coordinates": [[0, 0], [1, 1]]}) → true
ST_ISVALID({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}) → true
ST_ISVALID({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1]]]}) → false
ST_ISVALID({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 1]]]}) → false
ST_ISVALID({"type": "Polygon", "coordinates": []}) → false
ST_ISVALID("Point") → false
ST_ISVALID(null) → false
ST_ISVALID(undefined) → undefined
ST_ISVALIDDETAILED({"type": "Point", "coordinates": [0, 0]}) → {"valid":true}
ST_ISVALIDDETAILED({"type": "Point", "coordinates": [0, 91]}) → {"valid":false,"reason":"Latitude values must be between -90 and 90 degrees."}
ROUND(ST_DISTANCE({"type": "Point", "coordinates": [0, 0]}, {"type": "Point", "coordinates": [1, 0]})) → 111319
ROUND(ST_DISTANCE({"type": "Point", "coordinates": [0, 0]}, {"type": "Point", "coordinates": [0, 1]})) → 110574
ST_DISTANCE({"type": "Point", "coordinates": [5, 5]}, {"type": "Point", "coordinates": [5, 5]}) → 0
ROUND(ST_DISTANCE({"type": "Point", "coordinates": [0, 0]}, {"type": "LineString", "coordinates": [[1, -1], [1, 1]]})) → 111319
ST_DISTANCE({"type": "Point", "coordinates": [1, 1]}, {"type": "Polygon", "coordinates": [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]}) → 0
ST_DISTANCE({"type": "Point", "coordinates": [1, 1]}, 5) → undefined
ST_DISTANCE({"type": "Point", "coordinates": [1, 1]}) → error SC2050
ROUND(ST_AREA({"type": "Polygon", "coordinates": [[[31.8, -5], [32, -5], [32, -4.7], [31.8, -4.7], [31.8, -5]]]}) / 1000) → 735970
ST_AREA({"type": "Point", "coordinates": [0, 0]}) → 0
ST_AREA([]) → undefined
ROUND(ST_AREA({"type": "Polygon", "coordinates": [[[31.8, -5], [32, -5], [32, -4.7], [31.8, -4.7], [31.8, -5]]]})) → 735970283
ROUND(ST_AREA({"type": "Polygon", "coordinates": [[[31.8, -5], [31.8, -4.7], [32, -4.7], [32, -5], [31.8, -5]]]}) / 1000000) → 510064886
ROUND(ST_AREA({"type": "Polygon", "coordinates": [[[0, 0], [90, 0], [0, 90], [0, 0]]]}) / 1000000) → 63758203
ROUND(ST_AREA({"type": "Polygon", "coordinates": [[[0, 0], [120, 0], [-120, 0], [0, 0]]]}) / 1000000) → 255032811
ROUND(ST_AREA({"type": "Polygon", "coordinates": [[[179, 0], [-179, 0], [-179, 1], [179, 1], [179, 0]]]}) / ST_AREA({"type": "Polygon", "coordinates": [[[0, 0], [2, 0], [2, 1], [0, 1], [0, 0]]]})) → 1
ROUND(ST_AREA({"type": "Polygon", "coordinates": [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]], [[1, 1], [1, 2], [2, 2], [2, 1], [1, 1]]]}) / ST_AREA({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]]}) * 10) → 80
ST_WITHIN({"type": "Point", "coordinates": [1, 1]}, {"type": "Polygon", "coordinates": [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]}) → true
ST_WITHIN({"type": "Point", "coordinates": [4, 1]}, {"type": "Polygon", "coordinates": [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]}) → false
ST_WITHIN({"type": "Point", "coordinates": [3, 1]}, {"type": "Polygon", "coordinates": [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]}) → true
ST_WITHIN({"type": "Point", "coordinates": [4, 1]}, {"type": "Polygon", "coordinates": [[[0, 0], [0, 3], [3, 3], [3, 0], [0, 0]]]}) → true
ST_WITHIN({"type": "Point", "coordinates": [1.5, 1.5]}, {"type": "Polygon", "coordinates": [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]], [[1, 1], [1, 2], [2, 2], [2, 1], [1, 1]]]}) → false
ST_WITHIN({"type": "LineString", "coordinates": [[1, 1], [2, 2]]}, {"type": "Polygon", "coordinates": [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]}) → true
ST_WITHIN({"type": "LineString", "coordinates": [[1, 1], [4, 4]]}, {"type": "Polygon", "coordinates": [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]}) → false
ST_WITHIN({"type": "Point", "coordinates": [1, 1]}, null) → undefined
ST_INTERSECTS({"type": "LineString", "coordinates": [[0, 0], [2, 2]]}, {"type": "LineString", "coordinates": [[0, 2], [2, 0]]}) → true
ST_INTERSECTS({"type": "LineString", "coordinates": [[0, 0], [1, 0]]}, {"type": "LineString", "coordinates": [[0, 1], [1, 1]]}) → false
ST_INTERSECTS({"type": "Polygon", "coordinates": [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]}, {"type": "Polygon", "coordinates": [[[1, 1], [2, 1], [2, 2], [1, 1]]]}) → true
ST_INTERSECTS({"type": "Point", "coordinates": [1, 1]}, {"type": "LineString", "coordinates": [[0, 0], [2, 2]]}) → true
ST_INTERSECTS({"type": "Point", "coordinates": [1, 1]}, "here") → undefined
ST_ISVALID({"type": "Point", "coordinates": [-180, -90]}) → true
ST_ISVALID({"type": "Point", "coordinates": [1]}) → false
ST_ISVALID({"type": "Point"}) → false
ST_ISVALID({"coordinates": [1, 1]}) → false
ST_ISVALID({"type": "Point", "coordinates": []}) → false
ST_ISVALID({"type": "MultiPolygon", "coordinates": [[[[0, 0], [1, 0], [1, 1], [0, 0]]]]}) → true
ST_ISVALID([1, 2]) → false
ST_ISVALID({}) → false
ST_ISVALIDDETAILED(undefined) → undefined
ST_ISVALIDDETAILED({"type": "LineString", "coordinates": [[0, 0], [1, 1]]}) → {"valid":true}
ST_AREA({"type": "LineString", "coordinates": [[0, 0], [1, 1]]}) → 0
ST_DISTANCE({"type": "LineString", "coordinates": [[0, 0], [2, 2]]}, {"type": "Point", "coordinates": [2, 2]}) → 0
ST_WITHIN({"type": "Point", "coordinates": [1, 1]}, {"type": "Point", "coordinates": [1, 1]}) → true
ST_WITHIN({"type": "Point", "coordinates": [1, 1]}, {"type": "Point", "coordinates": [1, 2]}) → false
ST_WITHIN({"type": "Polygon", "coordinates": [[[1, 1], [2, 1], [2, 2], [1, 1]]]}, {"type": "Polygon", "coordinates": [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]}) → true
ST_WITHIN({"type": "Point", "coordinates": [1, 1]}, {"type": "MultiPolygon", "coordinates": [[[[5, 5], [6, 5], [6, 6], [5, 5]]], [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]]}) → true
ST_INTERSECTS({"type": "Point", "coordinates": [1, 1]}, {"type": "Point", "coordinates": [1, 1]}) → true
ST_INTERSECTS({"type": "Point", "coordinates": [9, 9]}, {"type": "Polygon", "coordinates": [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]}) → false
ST_INTERSECTS({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}, {"type": "Polygon", "coordinates": [[[5, 5], [6, 5], [6, 6], [5, 5]]]}) → false
ST_WITHIN({"type": "Point", "coordinates": [1, 1]}, {"type": "LineString", "coordinates": [[0, 0], [2, 2]]}) → true
ST_WITHIN({"type": "Point", "coordinates": [1, 2]}, {"type": "LineString", "coordinates": [[0, 0], [2, 2]]}) → false
ST_WITHIN({"type": "LineString", "coordinates": [[0, 0], [1, 1]]}, {"type": "LineString", "coordinates": [[0, 0], [2, 2]]}) → true
ST_WITHIN({"type": "LineString", "coordinates": [[0, 0], [0, 2]]}, {"type": "LineString", "coordinates": [[0, 0], [1, 1], [0, 2]]}) → false
ST_WITHIN({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}, {"type": "LineString", "coordinates": [[0, 0], [2, 2]]}) → false
`;
