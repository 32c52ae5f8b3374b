import { invalidRequest } from '../../../errors/invalid-request.ts';
import { printSignature } from '../expressions/functions/native-function.ts';
import type { UntypedSelectable } from '../expressions/selectables/untyped-selectable.ts';
import type { Selectable } from '../selectors.ts';

/** Of times: what comes later gives nothing earlier. Each is known by two names. */
const monotonic = /^(to_?date|to_?timestamp|to_?unix_?timestamp|floor)$/;

/** Rows of one group must follow one another, so GROUP BY takes only functions that keep their order in one column. */
export function checkMonotonic(selectable: Selectable, { text, call }: UntypedSelectable): void {
  if (call === undefined) throw notMonotonic(text);
  const operands = operandsOf(selectable);
  const areConstant = operands.map(isConstant);
  const isInFirstAlone = areConstant.every((constant, at) => constant === at > 0);
  if (!isInFirstAlone || !monotonic.test(call.found.name))
    throw notMonotonic(printSignature(call.found, areConstant));
  const [first] = operands;
  const [inner] = call.operands;
  if (first !== undefined && first.kind !== 'column' && inner !== undefined) checkMonotonic(first, inner);
}

/** The space at the end is Cassandra's. */
function notMonotonic(what: string): Error {
  return invalidRequest(`Only monotonic functions are supported in the GROUP BY clause. Got: ${what} `);
}

function operandsOf(selectable: Selectable): readonly Selectable[] {
  switch (selectable.kind) {
    case 'function':
      return selectable.arguments;
    case 'operation':
      return [selectable.left, selectable.right];
    case 'negation':
      return [selectable.selectable];
    default:
      return [];
  }
}

function isConstant({ kind }: Selectable): boolean {
  return kind === 'constant' || kind === 'marker' || kind === 'null' || kind === 'typeHint';
}
