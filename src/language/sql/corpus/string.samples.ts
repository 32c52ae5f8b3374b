export const stringSamples: string = String.raw`
CONCAT("a", "b") → "ab"
CONCAT("a", "b", "c", "") → "abc"
CONCAT("a", 1) → undefined
CONCAT("a", undefined) → undefined
CONCAT("a", null) → undefined
CONCAT("a") → error SC2050
"a" || "b" || "c" → "abc"
"a" || 1 → undefined
CONTAINS("hello", "ell") → true
CONTAINS("hello", "ELL") → false
CONTAINS("hello", "ELL", true) → true
CONTAINS("hello", "ELL", false) → false
CONTAINS("hello", "") → true
CONTAINS("", "a") → false
CONTAINS("hello", 1) → undefined
CONTAINS(1, "1") → undefined
CONTAINS("hello", "l", "yes") → undefined
CONTAINS(null, "l") → undefined
CONTAINS("a") → error SC2050
CONTAINS("a", "b", true, 1) → error SC2050
contains("hello", "ell") → true
Contains("hello", "ell") → true
STARTSWITH("hello", "he") → true
STARTSWITH("hello", "HE") → false
STARTSWITH("hello", "HE", true) → true
STARTSWITH("hello", "") → true
STARTSWITH("hello", "lo") → false
STARTSWITH(["h"], "h") → undefined
ENDSWITH("hello", "lo") → true
ENDSWITH("hello", "LO") → false
ENDSWITH("hello", "LO", true) → true
ENDSWITH("hello", "he") → false
ENDSWITH({}, "he") → undefined
STRINGEQUALS("abc", "abc") → true
STRINGEQUALS("abc", "aBc") → false
STRINGEQUALS("abc", "aBc", true) → true
STRINGEQUALS("abc", "abcd") → false
STRINGEQUALS("abc", 1) → undefined
CONTAINS_ALL_CI("One two", "ONE", "TWO") → true
CONTAINS_ALL_CI("One two", "ONE", "three") → false
CONTAINS_ALL_CI("One two", undefined, "three") → false
CONTAINS_ALL_CI("One two", undefined, "two") → undefined
CONTAINS_ALL_CS("One two", "One", "two") → true
CONTAINS_ALL_CS("One two", "one", "two") → false
CONTAINS_ANY_CI("One two", "three", "TWO") → true
CONTAINS_ANY_CI("One two", undefined, "TWO") → true
CONTAINS_ANY_CI("One two", undefined, "four") → undefined
CONTAINS_ANY_CS("One two", "TWO", "three") → false
CONTAINS_ANY_CS("One two", "two") → true
CONTAINS_ANY_CS(1, "two") → undefined
ContainsAllCi("One two", "ONE") → true
INDEX_OF("abcabc", "c") → 2
INDEX_OF("abcabc", "c", 3) → 5
INDEX_OF("abcabc", "x") → -1
INDEX_OF("abcabc", "a", 1) → 3
INDEX_OF("abcabc", "") → 0
INDEX_OF("abc", 1) → undefined
INDEX_OF("abc", "a", "0") → undefined
LASTINDEXOF("abcabc", "c") → 5
LASTINDEXOF("abcabc", "abc", 4) → 0
LASTINDEXOF("abcabc", "abc", 5) → 3
LASTINDEXOF("abcabc", "x") → -1
LASTINDEXOF("abcabc", null) → undefined
LEFT("hello", 2) → "he"
LEFT("hello", 0) → ""
LEFT("hello", -1) → ""
LEFT("hello", 99) → "hello"
LEFT("hello", "2") → undefined
LEFT(1, 2) → undefined
RIGHT("hello", 2) → "lo"
RIGHT("hello", 0) → ""
RIGHT("hello", -3) → ""
RIGHT("hello", 99) → "hello"
RIGHT(null, 1) → undefined
LENGTH("hello") → 5
LENGTH("") → 0
LENGTH([1]) → undefined
LENGTH(null) → undefined
LENGTH(undefined) → undefined
LENGTH() → error SC2050
LOWER("HeLLo") → "hello"
LOWER(1) → undefined
LOWER("a", "b") → error SC2050
UPPER("HeLLo") → "HELLO"
UPPER({}) → undefined
LTRIM("  a ") → "a "
LTRIM("xxa", "x") → "a"
LTRIM("xya", "yx") → "a"
LTRIM("a", "") → "a"
LTRIM(" a", 1) → undefined
RTRIM(" a  ") → " a"
RTRIM("axx", "x") → "a"
RTRIM("a", 3) → undefined
TRIM("  a  ") → "a"
TRIM("--a--", "-") → "a"
TRIM("", "-") → ""
TRIM(true) → undefined
REPLACE("a-b-c", "-", "+") → "a+b+c"
REPLACE("a-b", "x", "y") → "a-b"
REPLACE("a-b", "", "y") → "a-b"
REPLACE("a.b", ".", "$&") → "a$&b"
REPLACE("a", "a", 1) → undefined
REPLICATE("ab", 3) → "ababab"
REPLICATE("ab", 0) → ""
REPLICATE("ab", -1) → undefined
REPLICATE("ab", 1.9) → "ab"
REPLICATE("ab", 5001) → undefined
REPLICATE("ab", "3") → undefined
LENGTH(REPLICATE("ab", 5000)) → 10000
REVERSE("abc") → "cba"
REVERSE("") → ""
REVERSE(12) → undefined
STRINGJOIN(["a", "b"], "-") → "a-b"
STRINGJOIN([], "-") → ""
STRINGJOIN(["a", 1], "-") → undefined
STRINGJOIN("ab", "-") → undefined
STRINGSPLIT("a,b,,c", ",") → ["a","b","","c"]
STRINGSPLIT("abc", ",") → ["abc"]
STRINGSPLIT("", ",") → [""]
STRINGSPLIT("abc", 1) → undefined
SUBSTRING("hello", 1, 3) → "ell"
SUBSTRING("hello", 0, 99) → "hello"
SUBSTRING("hello", 9, 1) → ""
SUBSTRING("hello", 1, -1) → ""
SUBSTRING("hello", "1", 1) → undefined
SUBSTRING("hello", 1) → error SC2050
TOSTRING(1) → "1"
TOSTRING(1.5) → "1.5"
TOSTRING(true) → "true"
TOSTRING(null) → "null"
TOSTRING("a") → "a"
TOSTRING([1,"a",null]) → "[1,\"a\",null]"
TOSTRING({"a": 1}) → "{\"a\":1}"
TOSTRING(undefined) → undefined
TOSTRING(1e21) → "1e+21"
STRINGTOARRAY("[1, 2]") → [1,2]
STRINGTOARRAY("['a']") → undefined
STRINGTOARRAY("{}") → undefined
STRINGTOARRAY([1]) → undefined
STRINGTOBOOLEAN("true") → true
STRINGTOBOOLEAN("  false ") → false
STRINGTOBOOLEAN("TRUE") → undefined
STRINGTOBOOLEAN(true) → undefined
STRINGTONULL("null") → null
STRINGTONULL("NULL") → undefined
STRINGTONULL(null) → undefined
STRINGTONUMBER("3.5") → 3.5
STRINGTONUMBER(" -1e2 ") → -100
STRINGTONUMBER("0x10") → undefined
STRINGTONUMBER("") → undefined
STRINGTONUMBER(3) → undefined
STRINGTONUMBER("1e999") → undefined
STRINGTOOBJECT("{\"a\": [1]}") → {"a":[1]}
STRINGTOOBJECT("[]") → undefined
STRINGTOOBJECT("{a: 1}") → undefined
SUBSTRINGBEFORE("a.b.c", ".") → "a"
SUBSTRINGAFTER("a.b.c", ".") → "b.c"
LASTSUBSTRINGBEFORE("a.b.c", ".") → "a.b"
LASTSUBSTRINGAFTER("a.b.c", ".") → "c"
REGEXMATCH("abcd", "b.d") → true
REGEXMATCH("abcd", "^b") → false
REGEXMATCH("ABCD", "bc", "i") → true
REGEXMATCH("abcd", "b c", "x") → true
REGEXMATCH("abcd", "b c # all of it", "x") → true
REGEXMATCH("ABCD", "b c", "ix") → true
REGEXMATCH("a\nb", "a.b") → false
REGEXMATCH("a\nb", "a.b", "s") → true
REGEXMATCH("a\nb", "^b", "m") → true
REGEXMATCH("Straße 12", "[a-z]+ \\d{2}", "i") → true
REGEXMATCH("Q7", "[^a-p]7", "i") → true
REGEXMATCH("P7", "[^a-p]7", "i") → false
REGEXMATCH("abc", "a", "z") → undefined
REGEXMATCH("abc", 1) → undefined
REGEXMATCH(1, "a") → undefined
REGEXMATCH("abc", "(") → error bad-request
REGEXMATCH("aa", "(a)\\1") → error bad-request
REGEXMATCH("aa", "a(?=a)") → error bad-request
REGEXMATCH("aa", "(?<!b)a") → error bad-request
REGEXMATCH("aa", "(?>a)a") → error bad-request
REGEXMATCH("aa", "a++") → error bad-request
REGEXMATCH("aa", "(?<n>a)\\k<n>") → error bad-request
REGEXMATCH("k", "\\K") → error bad-request
REGEXMATCH("Ab", "\\p{Lu}b") → true
REGEXMATCH("ab", "\\p{Lu}") → false
REGEXMATCH("ab", "\\P{Lu}{2}") → true
REGEXMATCH("7é", "^\\d\\pL$") → true
REGEXMATCH("Ω", "\\p{Greek}") → true
REGEXMATCH("a", "\\p{Nosuch}") → error bad-request
REGEXMATCH("xA", "\\AA") → false
REGEXMATCH("Ax", "\\AA") → true
REGEXMATCH("az", "a\\z") → false
REGEXMATCH("za", "a\\z") → true
REGEXMATCH("za\n", "a\\Z") → true
REGEXMATCH("a\nb", "\\Ab", "m") → error bad-request
REGEXMATCH("a1", "^[[:alpha:]][[:digit:]]$") → true
REGEXMATCH("a1", "[[:^alnum:]]") → false
REGEXMATCH("a", "[[:upper:]]") → false
REGEXMATCH("a", "[[:upper:]]", "i") → true
REGEXMATCH("a", "[[:nosuch:]]") → error bad-request
REGEXMATCH("]", "^[]a]$") → true
REGEXMATCH("b", "[^]a]") → true
REGEXMATCH("abc", "(?i)B") → true
REGEXMATCH("aBC", "(?i:b)c") → false
REGEXMATCH("aBC", "(?i:b)C") → true
REGEXMATCH("a b", "(?x) a \\s b") → true
REGEXMATCH("a\nb", "(?s)a.b") → true
REGEXMATCH("a\nb", "(?m)^b$") → true
REGEXMATCH("a\nb", "a\n(?m)^b") → error bad-request
REGEXMATCH("ABC", "(?i)a(?-i)b") → false
REGEXMATCH("abc", "a(?#second)b") → true
REGEXMATCH("abc", "(?P<first>a)(?<second>b)") → true
REGEXMATCH("ABC", "(?<first>a)b", "i") → true
REGEXMATCH("a.c", "a\\Q.\\Ec") → true
REGEXMATCH("abc", "a\\Q.\\Ec") → false
REGEXMATCH("a\tb", "a\\hb") → true
REGEXMATCH("a\r\nb", "a\\Rb") → true
REGEXMATCH("a\rb", "a.b") → true
REGEXMATCH("A", "\\x41") → true
REGEXMATCH("a", "\\x{41}", "i") → true
REGEXMATCH("é", "\\x{e9}") → true
REGEXMATCH("a{b", "a{b") → true
["xa" LIKE "_[a]", REGEXMATCH("xa", "^[^][a]$")] → [true,false]
REGEXEXTRACTALL("a1b22", "\\p{Nd}+") → ["1","22"]
REGEXMATCH("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "^(a+)+$") → false
REGEXEXTRACT("abc123def", "[0-9]+") → "123"
REGEXEXTRACT("abc", "[0-9]+") → undefined
REGEXEXTRACTALL("a1b22", "[0-9]+") → ["1","22"]
"abc" LIKE "abc" → true
"abc" LIKE "a%" → true
"abc" LIKE "%c" → true
"abc" LIKE "%b%" → true
"abc" LIKE "a_c" → true
"abc" LIKE "_" → false
"abc" LIKE "%" → true
"" LIKE "%" → true
"" LIKE "_" → false
"abc" LIKE "A%" → false
"abc" LIKE "[a-c]%" → true
"abc" LIKE "[^a-c]%" → false
"abc" LIKE "a%c%" → true
"a\nc" LIKE "a_c" → true
"50%" LIKE "50!%" ESCAPE "!" → true
"50 " LIKE "50!%" ESCAPE "!" → false
"a_b" LIKE "a\\_b" ESCAPE "\\" → true
"a.c" LIKE "a.c" → true
"abc" LIKE "a.c" → false
"a(c" LIKE "a(%" → true
"abc" NOT LIKE "a%" → false
"abc" NOT LIKE "b%" → true
1 LIKE "1" → undefined
"1" LIKE 1 → undefined
null NOT LIKE "a" → undefined
CONCAT("", "") → ""
CONCAT("a", "b", undefined) → undefined
CONTAINS("Straße", "SS", true) → false
CONTAINS("ÄB", "äb", true) → true
CONTAINS("a", "") → true
CONTAINS("", "") → true
CONTAINS("abc", "abcd") → false
STARTSWITH("", "") → true
STARTSWITH("a", "ab") → false
STARTSWITH("abc", "ABC", false) → false
ENDSWITH("", "") → true
ENDSWITH("abc", "c", false) → true
ENDSWITH("abc", "") → true
STRINGEQUALS("", "") → true
STRINGEQUALS("É", "é", true) → true
INDEX_OF("abc", "d") → -1
INDEX_OF("abc", "a", 5) → -1
INDEX_OF("", "a") → -1
INDEX_OF("abc", "bc") → 1
INDEX_OF("😀b", "b") → 2
LASTINDEXOF("abcabc", "a") → 3
LASTINDEXOF("aaa", "aa") → 1
LEFT("", 3) → ""
LEFT("abc", 3) → "abc"
LEFT("abc", 1.5) → "a"
RIGHT("", 3) → ""
RIGHT("abc", 3) → "abc"
RIGHT("abc", 1.9) → "c"
LENGTH("Straße") → 6
LENGTH("a\nb") → 3
LOWER("") → ""
LOWER("ÀÉ") → "àé"
UPPER("àé") → "ÀÉ"
UPPER("abc1") → "ABC1"
LTRIM("\t\n a") → "a"
LTRIM("   ") → ""
RTRIM("a\t\n ") → "a"
TRIM("\r\n a b \t") → "a b"
TRIM("xaxbx", "x") → "axb"
TRIM("abc", "abc") → ""
REPLACE("aaa", "a", "aa") → "aaaaaa"
REPLACE("aaa", "aa", "b") → "ba"
REPLACE("abc", "b", "") → "ac"
REPLACE("ABC", "b", "x") → "ABC"
REPLACE("", "a", "b") → ""
REPLICATE("", 9) → ""
REPLICATE("a", 1) → "a"
REPLICATE("ab", 2.2) → "abab"
REPLICATE("a", 10001) → undefined
REPLICATE("a", -0.5) → undefined
REVERSE("a") → "a"
REVERSE("abba1") → "1abba"
STRINGJOIN(["a"], "-") → "a"
STRINGJOIN(["a", "", "b"], ",") → "a,,b"
STRINGJOIN(["a", "b"], "") → "ab"
STRINGJOIN(["a", null], "-") → undefined
STRINGSPLIT("a", "a") → ["",""]
STRINGSPLIT("a--b", "--") → ["a","b"]
STRINGSPLIT(",", ",") → ["",""]
SUBSTRING("hello", 0, 0) → ""
SUBSTRING("hello", 4, 9) → "o"
SUBSTRING("hello", 5, 1) → ""
SUBSTRING("", 0, 1) → ""
TOSTRING(0) → "0"
TOSTRING(-1.25) → "-1.25"
TOSTRING(false) → "false"
TOSTRING("") → ""
TOSTRING([]) → "[]"
TOSTRING({}) → "{}"
TOSTRING({"a": {"b": [null, true]}}) → "{\"a\":{\"b\":[null,true]}}"
TOSTRING("a\"b") → "a\"b"
TOSTRING(["a\"b"]) → "[\"a\\\"b\"]"
STRINGTOARRAY("[]") → []
STRINGTOARRAY("[[1],{\"a\":null}]") → [[1],{"a":null}]
STRINGTOARRAY(" [1] ") → [1]
STRINGTOARRAY("[1,]") → undefined
STRINGTOARRAY("[1") → undefined
STRINGTOARRAY("") → undefined
STRINGTOBOOLEAN("false") → false
STRINGTOBOOLEAN("0") → undefined
STRINGTOBOOLEAN("") → undefined
STRINGTOBOOLEAN("True") → undefined
STRINGTONULL(" null ") → null
STRINGTONULL("") → undefined
STRINGTONULL("undefined") → undefined
STRINGTONUMBER("0") → 0
STRINGTONUMBER("-0.5") → -0.5
STRINGTONUMBER("1E3") → 1000
STRINGTONUMBER("1,5") → undefined
STRINGTONUMBER("+1") → undefined
STRINGTONUMBER("NaN") → undefined
STRINGTONUMBER("Infinity") → undefined
STRINGTONUMBER("1 2") → undefined
STRINGTOOBJECT("{}") → {}
STRINGTOOBJECT("{\"a\":{\"b\":1}}") → {"a":{"b":1}}
STRINGTOOBJECT("null") → undefined
STRINGTOOBJECT("{'a':1}") → undefined
SUBSTRINGBEFORE("abc", "c") → "ab"
SUBSTRINGAFTER("abc", "a") → "bc"
REGEXMATCH("", "") → true
REGEXMATCH("abc", "^abc$") → true
REGEXMATCH("abc", "^ab$") → false
REGEXMATCH("aBc", "b") → false
REGEXMATCH("abc", "") → true
REGEXMATCH("a+b", "a\\+b") → true
REGEXMATCH("2024-05-06", "^\\d{4}-\\d{2}-\\d{2}$") → true
REGEXMATCH("x", "[a-w]") → false
REGEXMATCH("x", "a|x") → true
REGEXMATCH("tab\there", "\\t") → true
REGEXMATCH("ABC", "[a-c]+", "i") → true
"[" LIKE "[[]" → true
"]" LIKE "]" → true
"20-30%" LIKE "20-30[%]" → true
"20-30x" LIKE "20-30[%]" → false
"_n" LIKE "[_]n" → true
"an" LIKE "[_]n" → false
"a" LIKE "[abc]" → true
"d" LIKE "[abc]" → false
"d" LIKE "[^abc]" → true
"20% off" LIKE "%20^%%" ESCAPE "^" → true
"20 off" LIKE "%20^%%" ESCAPE "^" → false
"abc" LIKE "" → false
"" LIKE "" → true
"abc" LIKE "%%" → true
"abc" LIKE "___" → true
"abc" LIKE "__" → false
"SOAPS" LIKE "%SO_PS%" → true
"SOPS" LIKE "%SO%PS%" → true
"a%b" LIKE "a%b" → true
"aXXb" LIKE "a%b" → true
"ab" NOT LIKE "a_" → false
"a" LIKE "a" ESCAPE "ab" → error SC1001
"a" LIKE "a" ESCAPE "" → error SC1001
`;
