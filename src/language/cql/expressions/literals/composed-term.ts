import type { BoundValue } from '../../../../execution/cql/statement-request.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import type { Bindings, TypedTerm } from '../typed-term.ts';
import { constantTerm } from './constant.ts';

/** For what is evaluated when it is prepared. */
const noBindings: Bindings = { values: [], nowMicros: 0n };

/** A value made of the values of other terms; made at once if they never change. */
export function composedTerm(
  type: CqlType,
  parts: readonly TypedTerm[],
  compose: (values: readonly BoundValue[]) => BoundValue,
): TypedTerm {
  const evaluate = (bindings: Bindings) => compose(parts.map((part) => part.evaluate(bindings)));
  if (!parts.every((part) => part.isConstant)) return { type, isConstant: false, evaluate };
  return constantTerm(type, evaluate(noBindings) ?? null);
}
