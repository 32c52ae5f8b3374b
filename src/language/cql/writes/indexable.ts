import type { ColumnSchema, IndexSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { inPairs } from '../../../values/cql-codec.ts';
import { readCollection } from '../../../values/cql-elements.ts';
import { isMultiCell } from '../../../values/cql-type.ts';
import { isStorageAttached } from '../definitions/storage-attached-index.ts';
import type { TypedTerm } from '../expressions/typed-term.ts';

/** A row of Cassandra's index has the value as its key, and keys have lengths of two bytes. */
const tooLong = 65_535;

/** Around the two parts of a map entry, in Cassandra's index of entries. */
const entryOverhead = 6;

/** What of the column a term gives. */
type Part = 'whole' | 'key' | 'value';

/** The term, but no value that an index on the column could not hold. Storage-attached ones hold what fits, and leave out the rest. */
export function indexable(
  { keyspace, name, indexes }: TableSchema,
  column: ColumnSchema,
  term: TypedTerm,
  part: Part = 'whole',
): TypedTerm {
  const held = indexes.filter((index) => index.column === column.name && !isStorageAttached(index));
  if (held.length === 0) return term;
  return {
    type: term.type,
    isConstant: term.isConstant,
    evaluate(bindings) {
      const value = term.evaluate(bindings);
      if (value === null || value === undefined) return value;
      for (const index of held) {
        const size = Math.max(0, ...sizesIn(value, column, index, part));
        if (size < tooLong) continue;
        throw invalidRequest(
          `Cannot index value of size ${size} for index ${index.name} on ${keyspace}.${name}(${column.name}) (maximum allowed size=${tooLong})`,
        );
      }
      return value;
    },
  };
}

function sizesIn(value: Buffer, { type }: ColumnSchema, { target }: IndexSchema, part: Part): number[] {
  if (part !== 'whole') return target === `${part}s` ? [value.length] : [];
  // Nothing in it can be longer than all of it.
  if (!isMultiCell(type) || value.length < tooLong) return [value.length < tooLong ? 0 : value.length];
  if (type.kind !== 'map') return readCollection(value, 1).map(({ length }) => length);
  return inPairs(readCollection(value, 2)).map(([key, mapped]) => {
    if (target === 'keys') return key.length;
    return target === 'values' ? mapped.length : key.length + mapped.length + entryOverhead;
  });
}
