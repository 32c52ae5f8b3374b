import type { QualifiedName } from './names.ts';
import { printQualifiedName } from './print-name.ts';
import { printTypeName } from './print-type-name.ts';
import type { ArithmeticOperator, Term } from './terms.ts';

/** A term as Cassandra repeats it in its messages: not always as it was typed, and markers without their names. */
export function printTerm(term: Term): string {
  switch (term.kind) {
    case 'constant':
      return term.type === 'string' ? `'${term.text}'` : term.text;
    case 'marker':
      return '?';
    case 'null':
      return 'NULL';
    case 'list':
      return `[${printAll(term.elements)}]`;
    case 'set':
      return `{${printAll(term.elements)}}`;
    case 'tuple':
      return `(${printAll(term.elements)})`;
    case 'map':
      return `{${term.entries.map(({ key, value }) => `${printTerm(key)}: ${printTerm(value)}`).join(', ')}}`;
    case 'userType':
      return `{${term.fields.map(({ name, value }) => `${name}: ${printTerm(value)}`).join(', ')}}`;
    case 'function':
      return `${printFunction(term.name)}(${printAll(term.arguments)})`;
    case 'typeHint':
      return `(${printTypeName(term.type)})${printTerm(term.term)}`;
    case 'cast':
      return `system.cast_as_${term.type}(${printTerm(term.term)})`;
    case 'negation':
      return `system."_negate"(${printTerm(term.term)})`;
    case 'operation':
      return `system."${operatorFunctions[term.operator]}"(${printTerm(term.left)}, ${printTerm(term.right)})`;
  }
}

/** The only function whose name is a reserved word stays without quotes. */
function printFunction(name: QualifiedName): string {
  return name.keyspace === null && name.name === 'token' ? 'token' : printQualifiedName(name);
}

function printAll(terms: readonly Term[]): string {
  return terms.map(printTerm).join(', ');
}

// Operators are functions to Cassandra, and it repeats them as such; the second is spelt so.
const operatorFunctions: Readonly<Record<ArithmeticOperator, string>> = {
  '+': '_add',
  '-': '_substract',
  '*': '_multiply',
  '/': '_divide',
  '%': '_modulo',
};
