export const typeCheckSamples: string = `
IS_ARRAY([]) → true
IS_ARRAY({}) → false
IS_ARRAY(undefined) → false
IS_BOOL(false) → true
IS_BOOL(0) → false
IS_BOOL(undefined) → false
IS_BOOLEAN(true) → true
IS_BOOLEAN("true") → false
IS_BOOLEAN(undefined) → false
IS_DATETIME("2024-02-29") → true
IS_DATETIME("2023-02-29") → false
IS_DATETIME("2024-02-29T10:20:30.1234567Z") → true
IS_DATETIME("2024-02-29 10:20") → false
IS_DATETIME("2024-02-29T10:20Z") → false
IS_DATETIME("2024-02-29T10Z") → false
IS_DATETIME("2024-02-29Z") → true
IS_DATETIME("2024-02-29 10:20:30.1") → true
IS_DATETIME("2024-02-29 10:20:30.") → false
IS_DATETIME("2024-02-29 10:20:30.12345678") → false
IS_DATETIME("2024-02-29_10:20:30") → false
IS_DATETIME("2024-02-29T24:00:00Z") → false
IS_DATETIME("yesterday") → false
IS_DATETIME(20240229) → false
IS_DATETIME(undefined) → false
IS_DEFINED(null) → true
IS_DEFINED(undefined) → false
IS_DEFINED({}.a) → false
IS_DEFINED() → error SC2050
IS_FINITE_NUMBER(1) → true
IS_FINITE_NUMBER(Infinity) → false
IS_FINITE_NUMBER(NaN) → false
IS_FINITE_NUMBER("1") → false
IS_INTEGER(1) → true
IS_INTEGER(1.0) → true
IS_INTEGER(1.5) → false
IS_INTEGER(1e300) → false
IS_INTEGER("1") → false
IS_NULL(null) → true
IS_NULL(0) → false
IS_NULL(undefined) → false
IS_NUMBER(1.5) → true
IS_NUMBER("1") → false
IS_OBJECT({}) → true
IS_OBJECT([]) → false
IS_OBJECT(null) → false
IS_PRIMITIVE(null) → true
IS_PRIMITIVE("a") → true
IS_PRIMITIVE(1) → true
IS_PRIMITIVE([]) → false
IS_PRIMITIVE(undefined) → false
IS_STRING("") → true
IS_STRING(1) → false
IS_STRING(undefined) → false
DOCUMENTID({"_rid": "36ZyAPW+uN8NAAAAAAAAAA=="}) → 13
DOCUMENTID({"_rid": "x"}) → undefined
DOCUMENTID(1) → undefined
`;
