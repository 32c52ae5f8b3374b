import { printQualifiedName } from '../print-name.ts';

/** A name as it would have to be typed. */
export function nameText(name: string): string {
  return printQualifiedName({ keyspace: null, name });
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** In the order of the keys. */
export function mapText(
  map: ReadonlyMap<string, string>,
  valueText: (value: string) => string = quoted,
): string {
  const entries = [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, value]) => `${quoted(key)}: ${valueText(value)}`).join(', ')}}`;
}
