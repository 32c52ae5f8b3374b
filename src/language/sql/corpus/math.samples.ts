export const mathSamples: string = `
ABS(-3) → 3
ABS("3") → undefined
ABS(null) → undefined
ABS() → error SC2050
ACOS(1) → 0
ACOS(2) → undefined
ASIN(0) → 0
ATAN(0) → 0
ATN2(0, 1) → 0
ATN2(1, "1") → undefined
CEILING(1.2) → 2
CEILING(-1.2) → -1
COS(0) → 1
COT(0) → undefined
DEGREES(PI()) → 180
EXP(0) → 1
EXP(1000) → undefined
FLOOR(1.8) → 1
FLOOR(-1.2) → -2
FLOOR([1]) → undefined
LOG(1) → 0
LOG(8, 2) → 3
LOG(100, 10) → 2
LOG(0) → undefined
LOG(1, "2") → undefined
LOG10(1000) → 3
LOG10(-1) → undefined
NUMBERBIN(37.7) → 37
NUMBERBIN(37.7, 10) → 30
NUMBERBIN(-5, 10) → -10
NUMBERBIN(5, 0) → undefined
NUMBERBIN("5") → undefined
PI() → 3.141592653589793
PI(1) → error SC2050
POWER(2, 10) → 1024
POWER(2, "1") → undefined
RADIANS(180) → 3.141592653589793
ROUND(2.5) → 3
ROUND(-2.5) → -3
ROUND(2.4) → 2
ROUND("2") → undefined
SIGN(-7) → -1
SIGN(0) → 0
SIGN(true) → undefined
SIN(0) → 0
SQRT(16) → 4
SQRT(-1) → undefined
SQUARE(4) → 16
TAN(0) → 0
TRUNC(1.9) → 1
TRUNC(-1.9) → -1
TRUNC({}) → undefined
RAND() → 0.25
RAND(1) → error SC2050
INTADD(1, 2) → 3
INTADD(1.5, 2) → undefined
INTADD("1", 2) → undefined
INTADD(9007199254740991, 1) → 9007199254740992
INTSUB(1, 2) → -1
INTMUL(6, 7) → 42
INTDIV(7, 2) → 3
INTDIV(-7, 2) → -3
INTDIV(1, 0) → undefined
INTMOD(7, 3) → 1
INTMOD(7, 0) → undefined
INTBITAND(12, 10) → 8
INTBITOR(12, 10) → 14
INTBITXOR(12, 10) → 6
INTBITNOT(0) → -1
INTBITNOT(0.5) → undefined
INTBITLEFTSHIFT(1, 40) → 1099511627776
INTBITRIGHTSHIFT(-8, 1) → -4
INTADD(1) → error SC2050
`;
