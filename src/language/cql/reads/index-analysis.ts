import type { ColumnSchema, IndexSchema } from '../../../catalog/cql/table-schema.ts';

/** What of two texts must be equal for an index to take them for equal. */
type TextFolding = (text: string) => string;

/** A storage-attached index on texts may leave out case, accents and ways of writing a letter; undefined where none does. */
export function textFolding(
  { name, type }: ColumnSchema,
  indexes: readonly IndexSchema[],
): TextFolding | undefined {
  if (type.kind !== 'text' && type.kind !== 'ascii') return undefined;
  const foldings = indexes
    .filter(({ column }) => column === name)
    .flatMap(({ options }) => foldingsOf(options));
  if (foldings.length === 0) return undefined;
  return (text) => foldings.reduce((folded, fold) => fold(folded), text);
}

function foldingsOf(options: ReadonlyMap<string, string>): TextFolding[] {
  const isOn = (option: string) => options.get(option)?.toLowerCase() === 'true';
  const foldings: TextFolding[] = [];
  if (options.get('case_sensitive')?.toLowerCase() === 'false') foldings.push((text) => text.toLowerCase());
  if (isOn('normalize')) foldings.push((text) => text.normalize('NFC'));
  if (isOn('ascii')) foldings.push(asciiOf);
  return foldings;
}

/** Letters with accents become plain ones; accents that stand by themselves stay. */
function asciiOf(text: string): string {
  return Array.from(text, (letter) => {
    const base = letter.normalize('NFD').charAt(0);
    return base < '\x80' ? base : letter;
  }).join('');
}
