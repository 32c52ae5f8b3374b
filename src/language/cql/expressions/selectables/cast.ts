import { invalidRequest } from '../../../../errors/invalid-request.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import type { NativeTypeWord } from '../../cql-token-kind.ts';
import { resolveFunction } from '../functions/resolve-function.ts';
import { fitOfType, isSameType } from '../type-compatibility.ts';
import { callSelector } from './call.ts';
import type { UntypedSelectable } from './untyped-selectable.ts';

/** `CAST(a AS type)`: what is of the type already stays as it is, its name included. */
export function selectCast(operand: UntypedSelectable, word: NativeTypeWord): UntypedSelectable {
  const type: CqlType = { kind: word === 'varchar' ? 'text' : word };
  return {
    text: `cast(${operand.text} as ${word})`,
    isMarker: false,
    arrayLength: undefined,
    fit: (receiver) => fitOfType(type, receiver.type),
    exactType: () => type,
    likelyType: () => type,
    prepare(_expected, scope) {
      const inner = operand.prepare(undefined, scope);
      if (isSameType(inner.type, type)) return inner;
      const { table, context } = scope;
      const found = resolveFunction(
        { keyspace: 'system', name: `cast_as_${word}` },
        {
          operands: [operand],
          receiverType: undefined,
          schema: context.schema,
          keyspace: table.keyspace,
          table: table.name,
        },
      );
      if (found === undefined) {
        const [first] = scope.reads;
        throw invalidRequest(`${first?.name ?? operand.text} cannot be cast to ${word}`);
      }
      return callSelector(found, [inner]);
    },
  };
}
