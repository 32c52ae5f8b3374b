import { arrayFunctions } from './functions/array.ts';
import { conditionalFunctions } from './functions/conditional.ts';
import { dateTimeFunctions } from './functions/date-time.ts';
import { fullTextFunctions } from './functions/full-text.ts';
import { integerFunctions } from './functions/integer.ts';
import { itemFunctions } from './functions/item.ts';
import { mathFunctions } from './functions/math.ts';
import { regexFunctions } from './functions/regex.ts';
import { spatialFunctions } from './functions/spatial.ts';
import { stringFunctions } from './functions/string.ts';
import { stringToValueFunctions } from './functions/string-to-value.ts';
import { typeCheckFunctions } from './functions/type-check.ts';
import { vectorFunctions } from './functions/vector.ts';
import type { SqlFunction } from './sql-function.ts';

const functions: ReadonlyMap<string, SqlFunction> = new Map(
  Object.entries({
    ...arrayFunctions,
    ...conditionalFunctions,
    ...dateTimeFunctions,
    ...fullTextFunctions,
    ...integerFunctions,
    ...itemFunctions,
    ...mathFunctions,
    ...regexFunctions,
    ...spatialFunctions,
    ...stringFunctions,
    ...stringToValueFunctions,
    ...typeCheckFunctions,
    ...vectorFunctions,
  }),
);

/** All of them, in capitals. */
export const functionNames: readonly string[] = [...functions.keys()];

// Clients that make queries out of code spell some names in another way than the documentation.
const otherSpellings: Readonly<Record<string, string>> = {
  CONTAINSALLCI: 'CONTAINS_ALL_CI',
  CONTAINSALLCS: 'CONTAINS_ALL_CS',
  CONTAINSANYCI: 'CONTAINS_ANY_CI',
  CONTAINSANYCS: 'CONTAINS_ANY_CS',
};

/** Names have no case. */
export function findFunction(name: string): SqlFunction | undefined {
  const upper = name.toUpperCase();
  return functions.get(otherSpellings[upper] ?? upper);
}
