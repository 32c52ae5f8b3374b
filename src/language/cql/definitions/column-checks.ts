import { invalidRequest } from '../../../errors/invalid-request.ts';
import {
  type CqlType,
  hasDuration,
  isMultiCell,
  printCqlType,
  typesInside,
} from '../../../values/cql-type.ts';
import type { ColumnMask } from '../column-mask.ts';

/** Masks are left for later, and answered as by a Cassandra in which they are not switched on. */
export function refuseMask(mask: ColumnMask | null): void {
  if (mask === null) return;
  throw invalidRequest(
    'Cannot mask columns because dynamic data masking is not enabled. You can enable it with the dynamic_data_masking_enabled property on cassandra.yaml',
  );
}

/** A user type of many cells has fields of one each. */
export function hasNestedCells(type: CqlType): boolean {
  return type.kind === 'udt' && !type.frozen && type.fields.some((field) => isMultiCell(field.type));
}

export function checkKeyType(name: string, type: CqlType): void {
  if (isMultiCell(type)) {
    const kind = type.kind === 'udt' ? 'user-defined' : 'collection';
    throw invalidRequest(
      `Invalid non-frozen ${kind} type ${shownType(type)} for PRIMARY KEY column '${name}'`,
    );
  }
  if (type.kind === 'counter')
    throw invalidRequest(`counter type is not supported for PRIMARY KEY column '${name}'`);
  if (hasDuration(type))
    throw invalidRequest(`duration type is not supported for PRIMARY KEY column '${name}'`);
}

/** Cassandra repeats a user type with its keyspace here, and quotes the two as one name. */
function shownType(type: CqlType): string {
  return type.kind === 'udt' ? `"${type.keyspace}.${type.name}"` : printCqlType(type);
}

export function referencesUserType(type: CqlType, name: string): boolean {
  return (
    (type.kind === 'udt' && type.name === name) ||
    typesInside(type).some((inside) => referencesUserType(inside, name))
  );
}
