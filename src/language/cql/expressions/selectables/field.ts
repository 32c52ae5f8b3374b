import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { readFields } from '../../../../values/cql-elements.ts';
import { type CqlType, printCqlType } from '../../../../values/cql-type.ts';
import { fitOfType } from '../type-compatibility.ts';
import { partRun } from './part-run.ts';
import { timesAt } from './times-of-cells.ts';
import type { UntypedSelectable } from './untyped-selectable.ts';

/** `a.field`. `only` is what stands inside the parentheses, if `whole` is nothing else. */
export function selectField(
  whole: UntypedSelectable,
  only: UntypedSelectable | undefined,
  field: string,
): UntypedSelectable {
  return {
    text: `${whole.text}.${field}`,
    isMarker: false,
    arrayLength: undefined,
    fit(receiver) {
      const type = fieldTypeOf(whole.exactType(), field);
      return type === undefined ? 'none' : fitOfType(type, receiver.type);
    },
    exactType: () => fieldTypeOf(whole.exactType(), field),
    likelyType: () => fieldTypeOf(whole.exactType(), field),
    prepare(_expected, scope) {
      const inner = whole.prepare(only?.exactType(), scope);
      const { type } = inner;
      if (type.kind !== 'udt') {
        throw invalidRequest(
          `Invalid field selection: ${whole.text} of type ${printCqlType(type)} is not a user type`,
        );
      }
      const at = type.fields.findIndex(({ name }) => name === field);
      const found = type.fields[at];
      if (found === undefined) {
        throw invalidRequest(`${whole.text} of type ${printCqlType(type)} has no field ${field}`);
      }
      return {
        name: `${inner.name}.${field}`,
        type: found.type,
        isAggregate: inner.isAggregate,
        column: undefined,
        begin: (bindings) =>
          partRun(
            inner.begin(bindings),
            (value) => fieldIn(type.fields.length, at, value),
            (times, value) => (fieldIn(type.fields.length, at, value) === null ? 'none' : timesAt(times, at)),
          ),
      };
    },
  };
}

function fieldIn(count: number, at: number, value: Buffer): Buffer | null {
  return readFields(value, count)[at] ?? null;
}

function fieldTypeOf(type: CqlType | undefined, field: string): CqlType | undefined {
  return type?.kind === 'udt' ? type.fields.find(({ name }) => name === field)?.type : undefined;
}
