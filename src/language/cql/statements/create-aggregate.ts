import { parseArgumentTypes } from '../argument-types.ts';
import { parseIfNotExists } from '../existence-clause.ts';
import { parseBareFunctionName, parseFunctionName, type QualifiedName } from '../names.ts';
import { parseTerm, type Term } from '../terms.ts';
import type { TokenCursor } from '../token-cursor.ts';
import { parseTypeName, type TypeName } from '../type-name.ts';
import { parseOrReplace } from './create-function.ts';

export interface CreateAggregateStatement {
  readonly kind: 'createAggregate';
  readonly orReplace: boolean;
  readonly ifNotExists: boolean;
  readonly name: QualifiedName;
  readonly argumentTypes: readonly TypeName[];
  readonly stateFunction: string;
  readonly stateType: TypeName;
  readonly finalFunction: string | null;
  readonly initialCondition: Term | null;
}

export function parseCreateAggregate(cursor: TokenCursor): CreateAggregateStatement {
  cursor.skip('create');
  const orReplace = parseOrReplace(cursor);
  cursor.skip('aggregate');
  const ifNotExists = parseIfNotExists(cursor);
  const name = parseFunctionName(cursor);
  const argumentTypes = parseArgumentTypes(cursor);
  cursor.skip('sfunc');
  const stateFunction = parseBareFunctionName(cursor);
  cursor.skip('stype');
  const stateType = parseTypeName(cursor);
  const finalFunction = cursor.accept('finalfunc') ? parseBareFunctionName(cursor) : null;
  const initialCondition = cursor.accept('initcond') ? parseTerm(cursor) : null;
  return {
    kind: 'createAggregate',
    orReplace,
    ifNotExists,
    name,
    argumentTypes,
    stateFunction,
    stateType,
    finalFunction,
    initialCondition,
  };
}
