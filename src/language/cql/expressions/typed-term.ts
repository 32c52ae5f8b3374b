import type { BoundValue } from '../../../execution/cql/statement-request.ts';
import type { CqlType } from '../../../values/cql-type.ts';

/** What a statement's terms are evaluated with. */
export interface Bindings {
  readonly values: readonly BoundValue[];
  /** Of the one moment in which the statement runs: now(), current_timestamp() and their like. Microseconds. */
  readonly nowMicros: bigint;
}

/** A term of which is known what type it has and for which place it is. */
export interface TypedTerm {
  readonly type: CqlType;
  /** No marker and no function that may give another value another time: it can be evaluated once, when it is prepared. */
  readonly isConstant: boolean;
  /** In the form of the protocol, valid for the type. Undefined only for a marker whose value is not set. Throws bad-request. */
  evaluate(bindings: Bindings): BoundValue;
}
