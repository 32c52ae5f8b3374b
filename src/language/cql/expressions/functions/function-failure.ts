import { RingfoldError } from '../../../../errors/ringfold-error.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';

/** A call that was right and came to nothing: a failure of its own kind to clients, who are told which function it was. */
export function functionFailure(
  name: string,
  argumentTypes: readonly CqlType[],
  reason: string,
): RingfoldError {
  return new RingfoldError('cql-function-failed', {
    reason,
    keyspace: 'system',
    function: name,
    argumentTypes: argumentTypes.map(printCqlType),
  });
}

/** Arithmetic that fails does so with a RangeError, be it ours or that of the machine's integers. */
export function orFailure<Result>(
  name: string,
  argumentTypes: readonly CqlType[],
  compute: () => Result,
): Result {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw functionFailure(name, argumentTypes, `java.lang.ArithmeticException: ${error.message}`);
  }
}
