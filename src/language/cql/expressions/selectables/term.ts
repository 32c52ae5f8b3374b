import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import type { TypedTerm } from '../typed-term.ts';
import type { UntypedTerm } from '../untyped-term.ts';
import { constantRun } from './part-run.ts';
import type { PreparedSelector, SelectorRun, UntypedSelectable } from './untyped-selectable.ts';

/** A literal, null or a marker. */
export function selectTerm(term: UntypedTerm): UntypedSelectable {
  const { text, isMarker, arrayLength } = term;
  return {
    text,
    isMarker,
    arrayLength,
    fit: (receiver) => term.fit(receiver),
    exactType: () => term.exactType(),
    likelyType: () => term.likelyType(),
    prepare(expected, { table }) {
      const type = typeOrRefuse(term.exactType() ?? expected, text);
      const spec = { keyspace: table.keyspace, table: table.name, name: '[selection]', type };
      return termSelector(text, type, term.prepare(spec));
    },
  };
}

export function typeOrRefuse(type: CqlType | undefined, text: string): CqlType {
  if (type !== undefined) return type;
  throw invalidRequest(
    `Cannot infer type for term ${text} in selection clause (try using a cast to force a type)`,
  );
}

/** What Cassandra answers for a marker whose value is not set, and what functions refuse to take: this very buffer. */
export const unsetOutput: Buffer = Buffer.alloc(0);

function termSelector(name: string, type: CqlType, term: TypedTerm): PreparedSelector {
  return {
    name,
    type,
    isAggregate: false,
    column: undefined,
    begin(bindings): SelectorRun {
      const value = term.evaluate(bindings);
      return constantRun(value === undefined ? unsetOutput : value);
    },
  };
}
