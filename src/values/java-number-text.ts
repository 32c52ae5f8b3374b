import { bigIntOf, varintBytes } from './cql-number.ts';
import { invalidValue } from './invalid-value.ts';
import { type DecimalDigits, digitsOfDouble, digitsOfFloat } from './java-digits.ts';

// Numbers as Java writes and reads them, which is how Cassandra prints and takes them.

/** Double.toString: at least one digit after the point, an exponent below 10^-3 and from 10^7 on. */
export function printDouble(value: number): string {
  return Number.isFinite(value) ? inJavaForm(value, digitsOfDouble) : printSpecial(value);
}

/** Float.toString */
export function printFloat(value: number): string {
  return Number.isFinite(value) ? inJavaForm(value, digitsOfFloat) : printSpecial(value);
}

function printSpecial(value: number): string {
  return String(value); // NaN, Infinity and -Infinity are spelt alike.
}

function inJavaForm(value: number, digitsOf: (value: number) => DecimalDigits): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const sign = value < 0 ? '-' : '';
  const { digits, exponent } = digitsOf(Math.abs(value));
  if (exponent < -3 || exponent >= 7) {
    return `${sign}${digits.slice(0, 1)}.${digits.slice(1) || '0'}E${exponent}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

const floating = /^[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[dDfF]?)$/;

/** What Double.valueOf takes, white space and a trailing d or f included; undefined for anything else. */
export function readFloating(text: string): number | undefined {
  const trimmed = text.trim();
  return floating.test(trimmed) ? Number(trimmed.replace(/(?<=[\d.])[dDfF]$/, '')) : undefined;
}

const integer = /^[+-]?\d+$/;

/** What Long.parseLong and BigInteger take; undefined for anything else. */
export function readInteger(text: string): bigint | undefined {
  return integer.test(text) ? BigInt(text.startsWith('+') ? text.slice(1) : text) : undefined;
}

/** Its value is unscaled × 10^-scale; 1.0 and 1.00 differ here, as they do in their bytes. */
export interface ScaledDecimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

export function scaledDecimalOf(bytes: Buffer): ScaledDecimal {
  if (bytes.length < 5) throw invalidValue(`Expected 0 or at least 4 bytes (${bytes.length})`);
  return { unscaled: bigIntOf(bytes.subarray(4)), scale: bytes.readInt32BE() };
}

export function scaledDecimalBytes({ unscaled, scale }: ScaledDecimal): Buffer {
  const scaleBytes = Buffer.alloc(4);
  scaleBytes.writeInt32BE(scale);
  return Buffer.concat([scaleBytes, varintBytes(unscaled)]);
}

const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,10}))?$/;

/** What BigDecimal takes; undefined for anything else. */
export function readDecimal(text: string): ScaledDecimal | undefined {
  const [whole, sign = '', integerDigits = '', fraction = '', exponent = '0'] = decimal.exec(text) ?? [];
  const digits = integerDigits + fraction;
  const scale = fraction.length - Number(exponent);
  if (whole === undefined || digits === '' || scale !== (scale | 0)) return undefined;
  const magnitude = BigInt(digits);
  return { unscaled: sign === '-' ? -magnitude : magnitude, scale };
}

/** BigDecimal.toString: with an exponent where the scale is negative or six zeros would follow the point. */
export function printDecimal({ unscaled, scale }: ScaledDecimal): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled);
  if (scale === 0) return sign + digits;
  const adjusted = digits.length - 1 - scale;
  if (scale > 0 && adjusted >= -6) {
    const padded = digits.padStart(scale + 1, '0');
    return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  }
  const mantissa = digits.length === 1 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`;
  return `${sign}${mantissa}${adjusted === 0 ? '' : `E${adjusted > 0 ? '+' : ''}${adjusted}`}`;
}
