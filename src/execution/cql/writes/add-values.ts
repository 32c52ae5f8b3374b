import { invalidRequest } from '../../../errors/invalid-request.ts';
import { assert } from '../../../foundation/assert.ts';
import { bigIntOf, varintBytes } from '../../../values/cql-number.ts';
import { doubleBytes, floatBytes } from '../../../values/cql-text.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import { scaledDecimalBytes, scaledDecimalOf } from '../../../values/java-number-text.ts';

// As many digits as would have to be written out; Java would try.
const largestShift = 10_000;

/** Numbers add up, in Java's way where they overflow; texts are joined. */
export function addValues(type: CqlType, left: Buffer, right: Buffer): Buffer {
  switch (type.kind) {
    case 'ascii':
    case 'text':
      return Buffer.concat([left, right]);
    case 'tinyint':
    case 'smallint':
    case 'int':
    case 'bigint':
      return wrapped(bigIntOf(left) + bigIntOf(right), left.length);
    case 'varint':
      return varintBytes(bigIntOf(left) + bigIntOf(right));
    case 'float':
      return floatBytes(left.readFloatBE() + right.readFloatBE());
    case 'double':
      return doubleBytes(left.readDoubleBE() + right.readDoubleBE());
    default: {
      assert(type.kind === 'decimal', 'only numbers and texts are added');
      const one = scaledDecimalOf(left);
      const other = scaledDecimalOf(right);
      const scale = Math.max(one.scale, other.scale);
      if (scale - Math.min(one.scale, other.scale) > largestShift) {
        throw invalidRequest('The two decimals are too far apart to be added');
      }
      const unscaled =
        one.unscaled * 10n ** BigInt(scale - one.scale) + other.unscaled * 10n ** BigInt(scale - other.scale);
      return scaledDecimalBytes({ unscaled, scale });
    }
  }
}

function wrapped(sum: bigint, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const unsigned = BigInt.asUintN(length * 8, sum);
  bytes.write(unsigned.toString(16).padStart(length * 2, '0'), 'hex');
  return bytes;
}
