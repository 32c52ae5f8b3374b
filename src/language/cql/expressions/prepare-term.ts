import type { ColumnSpec } from '../../../execution/cql/column-spec.ts';
import { resolveType } from '../definitions/resolve-type.ts';
import { printTerm } from '../print-term.ts';
import type { Term } from '../terms.ts';
import { untypedMarker } from './bind-marker.ts';
import { untypedCall } from './function-call.ts';
import { operatorNames } from './functions/operator-names.ts';
import { printHintedType } from './hint-text.ts';
import { untypedArray } from './literals/array-literal.ts';
import { untypedConstant } from './literals/constant.ts';
import { untypedMap } from './literals/map-literal.ts';
import { untypedNull } from './literals/null.ts';
import { untypedSet } from './literals/set-literal.ts';
import { untypedTuple } from './literals/tuple-literal.ts';
import { untypedHint } from './literals/type-hint.ts';
import { untypedUserType } from './literals/user-type-literal.ts';
import type { TermContext } from './term-context.ts';
import type { TypedTerm } from './typed-term.ts';
import type { UntypedTerm } from './untyped-term.ts';

/** The term as a value for the receiver; refused, in Cassandra's words, if it cannot be one. */
export function prepareTerm(term: Term, receiver: ColumnSpec, context: TermContext): TypedTerm {
  return untypedTerm(term, context).prepare(receiver);
}

export function untypedTerm(term: Term, context: TermContext): UntypedTerm {
  const all = (terms: readonly Term[]) => terms.map((inner) => untypedTerm(inner, context));
  const call = (name: string, operands: readonly Term[]) =>
    untypedCall({ keyspace: 'system', name }, all(operands), printTerm(term), context);
  switch (term.kind) {
    case 'constant':
      return untypedConstant(term);
    case 'marker':
      return untypedMarker(term, context);
    case 'null':
      return untypedNull;
    case 'list':
      return untypedArray(all(term.elements));
    case 'set':
      return untypedSet(all(term.elements));
    case 'tuple':
      return untypedTuple(all(term.elements));
    case 'map':
      return untypedMap(
        term.entries.map(({ key, value }) => ({
          key: untypedTerm(key, context),
          value: untypedTerm(value, context),
        })),
      );
    case 'userType':
      return untypedUserType(
        new Map(term.fields.map(({ name, value }) => [name, untypedTerm(value, context)])),
      );
    case 'typeHint': {
      const type = resolveType(term.type, context.schema, context.keyspace);
      return untypedHint(printHintedType(term.type, context.keyspace), type, untypedTerm(term.term, context));
    }
    case 'function':
      return untypedCall(term.name, all(term.arguments), printTerm(term), context);
    case 'cast':
      return call(`cast_as_${term.type}`, [term.term]);
    case 'negation':
      return call('_negate', [term.term]);
    case 'operation':
      return call(operatorNames[term.operator], [term.left, term.right]);
  }
}
