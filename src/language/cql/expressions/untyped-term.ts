// Terms between the grammar and their types. Which function is meant, and which type a literal is of, depends on what it is given to;
// so everything that can be given to something can be asked, without consequence, how it would fit.

import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import type { CqlType } from '../../../values/cql-type.ts';
import type { Fit } from './type-compatibility.ts';
import type { TypedTerm } from './typed-term.ts';

/** What can be given to a function: a term, or a part of a select clause. */
export interface Operand {
  /** As messages repeat it. */
  readonly text: string;
  readonly isMarker: boolean;
  /** How many elements it has, of a list or vector that is written out in a select clause. */
  readonly arrayLength: number | undefined;
  fit(receiver: ColumnSpec): Fit;
  /** The type it has whatever it is given to; undefined for literals and markers. */
  exactType(): CqlType | undefined;
  /** The type it would best be taken for. */
  likelyType(): CqlType | undefined;
}

export interface UntypedTerm extends Operand {
  readonly containsMarker: boolean;
  /** Refuses, in Cassandra's words, what does not fit; declares the markers inside. */
  prepare(receiver: ColumnSpec): TypedTerm;
}
