import { lenient, type SqlFunctions } from '../sql-function.ts';

export const conditionalFunctions: SqlFunctions = {
  IIF: lenient(3, 3, ([condition, then, otherwise]) => (condition === true ? then : otherwise)),
  CHOOSE: lenient(2, Number.POSITIVE_INFINITY, ([index, ...choices]) =>
    typeof index === 'number' && Number.isInteger(index) && index >= 1 ? choices[index - 1] : undefined,
  ),
};
