import { assert } from '../../../../foundation/assert.ts';
import { inPairs } from '../../../../values/cql-codec.ts';
import { readCollection, readFields, writeCollection } from '../../../../values/cql-elements.ts';
import type { CqlType } from '../../../../values/cql-type.ts';
import { extreme, sumOrAverage } from './aggregates.ts';
import { orFailure } from './function-failure.ts';
import { anyCollection, anyMap, factoryOf, numericSetOrList, setOrList } from './function-parameter.ts';
import { isNumericKind } from './java-numbers.ts';
import { type Aggregate, bytesFunction, type FunctionFactory } from './native-function.ts';

const int: CqlType = { kind: 'int' };

const mapKeys = factoryOf('map_keys', [anyMap], ([type]) => {
  assert(type?.kind === 'map', 'only maps are let in');
  return bytesFunction('map_keys', [type], { kind: 'set', element: type.key, frozen: true }, ([bytes]) =>
    bytes
      ? writeCollection(
          inPairs(readCollection(bytes, 2)).map(([key]) => key),
          1,
        )
      : null,
  );
});

const mapValues = factoryOf('map_values', [anyMap], ([type]) => {
  assert(type?.kind === 'map', 'only maps are let in');
  return bytesFunction(
    'map_values',
    [type],
    { kind: 'list', element: type.value, frozen: true },
    ([bytes]) =>
      bytes
        ? writeCollection(
            inPairs(readCollection(bytes, 2)).map(([, value]) => value),
            1,
          )
        : null,
  );
});

const collectionCount = factoryOf('collection_count', [anyCollection], ([type = int]) =>
  bytesFunction('collection_count', [type], int, ([bytes]) => (bytes ? bytes.subarray(0, 4) : null)),
);

/** A list that is only selected, and not stored, may have nulls in it. */
function elementsOf(bytes: Buffer): readonly (Buffer | null)[] {
  return readFields(bytes.subarray(4), bytes.readInt32BE());
}

/** An aggregate over the elements of one value. */
function overElements(
  name: string,
  parameter: typeof setOrList,
  aggregateOf: (element: CqlType) => () => Aggregate,
): FunctionFactory {
  return factoryOf(name, [parameter], ([type]) => {
    assert(type?.kind === 'list' || type?.kind === 'set', 'only lists and sets are let in');
    const begin = aggregateOf(type.element);
    return bytesFunction(name, [type], type.element, ([bytes]) => {
      if (!bytes) return null;
      const aggregate = begin();
      return orFailure(name, [type], () => {
        for (const element of elementsOf(bytes)) if (element !== null) aggregate.add([element]);
        return aggregate.take();
      });
    });
  });
}

function numeric(name: 'sum' | 'avg'): (element: CqlType) => () => Aggregate {
  return ({ kind }) => {
    assert(isNumericKind(kind), 'only numbers are let in');
    return sumOrAverage(name, kind);
  };
}

export const collectionFactories: readonly FunctionFactory[] = [
  mapKeys,
  mapValues,
  collectionCount,
  overElements('collection_min', setOrList, (element) => extreme(element, -1)),
  overElements('collection_max', setOrList, (element) => extreme(element, 1)),
  overElements('collection_sum', numericSetOrList, numeric('sum')),
  overElements('collection_avg', numericSetOrList, numeric('avg')),
];
