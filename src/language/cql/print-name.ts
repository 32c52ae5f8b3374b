import { quoteIfNeeded } from '../../values/cql-type.ts';
import type { QualifiedName } from './names.ts';

/** As it would have to be typed: in quotes where it would otherwise be folded or taken for a keyword. */
export function printQualifiedName({ keyspace, name }: QualifiedName): string {
  return keyspace === null ? quoteIfNeeded(name) : `${quoteIfNeeded(keyspace)}.${quoteIfNeeded(name)}`;
}
