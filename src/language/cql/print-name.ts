import { isUnreserved, wordKinds } from './cql-token-kind.ts';
import type { QualifiedName } from './names.ts';

/** A name as it would have to be typed: in quotes if it would otherwise be folded or taken for a keyword. */
function printName(name: string): string {
  const kind = wordKinds.get(name);
  const isPlain = /^[a-z][a-z0-9_]*$/.test(name) && (kind === undefined || isUnreserved(kind));
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

export function printQualifiedName({ keyspace, name }: QualifiedName): string {
  return keyspace === null ? printName(name) : `${printName(keyspace)}.${printName(name)}`;
}
