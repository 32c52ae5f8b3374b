// The digits that Java before 19 gives a floating-point number, which are those that Cassandra 5.0 prints. They are read back as the same
// number, but are not always the fewest: 1.23456792E8 where 1.2345679E8 would do. The steps are those of the classic algorithm of Steele
// and White as Java has it, its short cuts included, since they decide the last digit.

export interface DecimalDigits {
  /** The first is not 0. */
  readonly digits: string;
  /** Of the first digit. */
  readonly exponent: number;
}

interface BinaryNumber {
  /** 53 bits, the highest of them set. */
  readonly fraction: bigint;
  /** Of that bit. */
  readonly exponent: number;
  readonly significantBits: number;
}

const fractionBits = 52;
/** How many low digits of an integer are beyond what a number with so many bits too many can tell. */
const insignificantDigits = [
  ...[0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9],
  ...[9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15, 15, 16, 16],
  ...[16, 17, 17, 17, 18, 18, 18, 19],
];
/** Powers of five up to this one fit into Java's long. */
const largestPowerOfFive = 26;

/** Of a positive double. */
export function digitsOfDouble(value: number): DecimalDigits {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  const bits = bytes.readBigUInt64BE();
  return digitsOf(binaryOf(bits & ((1n << 52n) - 1n), Number(bits >> 52n), 52, 1023));
}

/** Of a positive float. */
export function digitsOfFloat(value: number): DecimalDigits {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  const bits = bytes.readUInt32BE();
  return digitsOf(binaryOf(BigInt(bits & 0x7fffff), bits >>> 23, 23, 127));
}

function binaryOf(mantissa: bigint, biased: number, width: number, bias: number): BinaryNumber {
  if (biased > 0) {
    const fraction = (mantissa | (1n << BigInt(width))) << BigInt(fractionBits - width);
    return { fraction, exponent: biased - bias, significantBits: width + 1 };
  }
  const significantBits = bitLength(mantissa);
  return {
    fraction: mantissa << BigInt(fractionBits + 1 - significantBits),
    exponent: significantBits - width - bias,
    significantBits,
  };
}

function digitsOf(number: BinaryNumber): DecimalDigits {
  const { fraction, exponent, significantBits } = number;
  const usedBits = bitLength(fraction) - trailingZeros(fraction);
  const bitsAfterPoint = Math.max(0, usedBits - exponent - 1);
  if (bitsAfterPoint === 0 && exponent <= 62) {
    const excess = exponent > significantBits ? exponent - significantBits - 1 : 0;
    const integer = (fraction << 64n) >> BigInt(64 + fractionBits - exponent);
    return digitsOfInteger(integer, excess > 1 ? (insignificantDigits[excess] ?? 0) : 0);
  }
  return generatedDigits(number, usedBits, bitsAfterPoint);
}

function digitsOfInteger(integer: bigint, insignificant: number): DecimalDigits {
  const unit = 10n ** BigInt(insignificant);
  const isRoundedUp = insignificant > 0 && integer % unit >= unit / 2n;
  const digits = String(integer / unit + (isRoundedUp ? 1n : 0n));
  return { digits: digits.replace(/(?<=.)0+$/, ''), exponent: digits.length - 1 + insignificant };
}

function generatedDigits(
  { fraction, exponent, significantBits }: BinaryNumber,
  usedBits: number,
  bitsAfterPoint: number,
): DecimalDigits {
  let estimate = estimatedExponent(fraction, exponent);
  const valueFives = Math.max(0, -estimate);
  const scaleFives = Math.max(0, estimate);
  let valueTwos = valueFives + bitsAfterPoint + exponent;
  let scaleTwos = scaleFives + bitsAfterPoint;
  let halfUnitTwos = valueTwos - significantBits;
  valueTwos -= usedBits - 1;
  const common = Math.min(valueTwos, scaleTwos);
  valueTwos -= common;
  scaleTwos -= common;
  // Below a power of two the next number is half as far away.
  halfUnitTwos -= common + (usedBits === 1 ? 1 : 0);
  const missing = Math.max(0, -halfUnitTwos);
  valueTwos += missing;
  scaleTwos += missing;
  halfUnitTwos += missing;
  const width = widthFor(
    usedBits + valueTwos + bitsOfPowerOfFive(valueFives),
    scaleTwos + 1 + bitsOfPowerOfFive(scaleFives + 1),
  );

  const scale = power(scaleFives, scaleTwos);
  const tenScales = scale * 10n;
  let rest = (fraction >> BigInt(trailingZeros(fraction))) * power(valueFives, valueTwos);
  let halfUnit = power(valueFives, halfUnitTwos);
  const digits: number[] = [];
  const next = (): { digit: number; isLow: boolean; isHigh: boolean } => {
    const digit = Number(rest / scale);
    rest = 10n * (rest % scale);
    halfUnit *= 10n;
    if (width === undefined) {
      return { digit, isLow: rest < halfUnit, isHigh: rest + halfUnit >= tenScales };
    }
    // Where Java has integers wide enough it compares otherwise, and its sum may overflow.
    halfUnit = BigInt.asIntN(width, halfUnit);
    if (halfUnit <= 0n) return { digit, isLow: true, isHigh: true };
    const sum = BigInt.asIntN(width, rest + halfUnit);
    return { digit, isLow: rest < halfUnit, isHigh: sum > tenScales };
  };
  let step = next();
  if (step.digit === 0 && !step.isHigh) estimate -= 1;
  else digits.push(step.digit);
  // With an exponent there are two digits at least.
  if (estimate < -3 || estimate >= 8) step = { ...step, isLow: false, isHigh: false };
  while (!step.isLow && !step.isHigh) {
    step = next();
    digits.push(step.digit);
  }
  const difference = 2n * rest - tenScales;
  const isOdd = (digits.at(-1) ?? 0) % 2 === 1;
  const isNearerAbove = difference > 0n || (difference === 0n && isOdd);
  const carries = step.isHigh && (!step.isLow || isNearerAbove) && roundUp(digits);
  return { digits: digits.join(''), exponent: estimate + (carries ? 1 : 0) };
}

/** True if all digits were nines. */
function roundUp(digits: number[]): boolean {
  let at = digits.length - 1;
  for (; at > 0 && digits[at] === 9; at--) digits[at] = 0;
  const digit = digits[at] ?? 0;
  digits[at] = digit === 9 ? 1 : digit + 1;
  return digit === 9;
}

/** Of Java's integers that both numbers fit into; undefined if in none. */
function widthFor(valueBits: number, scaleBits: number): 32 | 64 | undefined {
  const bits = Math.max(valueBits, scaleBits);
  if (bits >= 64) return undefined;
  return bits < 32 ? 32 : 64;
}

/** The decimal exponent, or one more. */
function estimatedExponent(fraction: bigint, exponent: number): number {
  const significand = Number(fraction) / 2 ** fractionBits;
  return Math.floor((significand - 1.5) * 0.289529654 + 0.176091259 + exponent * 0.301029995663981);
}

function bitsOfPowerOfFive(fives: number): number {
  if (fives > largestPowerOfFive) return fives * 3;
  return fives === 0 ? 0 : bitLength(5n ** BigInt(fives));
}

function power(fives: number, twos: number): bigint {
  return (5n ** BigInt(fives)) << BigInt(twos);
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}

function trailingZeros(value: bigint): number {
  const text = value.toString(2);
  return text.length - 1 - text.lastIndexOf('1');
}
