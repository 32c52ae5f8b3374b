// The characters that a regular expression names by a property, as ranges of UTF-16 code units.

/** First and last, in order, with gaps between them. */
export type CharacterRanges = readonly (readonly [number, number])[];

const lastUnit = 0xffff;

const posix: ReadonlyMap<string, string> = new Map([
  ['alpha', 'AZaz'],
  ['digit', '09'],
  ['alnum', '09AZaz'],
  ['upper', 'AZ'],
  ['lower', 'az'],
  ['space', '\t\r  '],
  ['blank', '\t\t  '],
  ['punct', '!/:@[`{~'],
  ['cntrl', '\0\x1f\x7f\x7f'],
  ['graph', '!~'],
  ['print', ' ~'],
  ['xdigit', '09AFaf'],
  ['word', '09AZ__az'],
  ['ascii', '\0\x7f'],
]);

/** By the name that stands between `[:` and `:]`. */
export function posixRanges(name: string): CharacterRanges | undefined {
  const ends = posix.get(name)?.match(/[\s\S]{2}/g);
  return ends?.map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]);
}

/** Of `\p{name}`: a general category or a script. Undefined for a name that Unicode does not have. */
export function propertyRanges(name: string): CharacterRanges | undefined {
  if (!/^\w+$/.test(name)) return undefined;
  const written = [`\\p{${name}}`, `\\p{Script=${name}}`].find(isProperty);
  return written === undefined ? undefined : rangesOf(written);
}

function isProperty(written: string): boolean {
  try {
    return new RegExp(written, 'u').source === written;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const mostKept = 64;
const kept = new Map<string, CharacterRanges>();

/** Characters beyond the first 65,536 are two units, which a class of units cannot hold. */
function rangesOf(written: string): CharacterRanges {
  const known = kept.get(written);
  if (known !== undefined) return known;
  const one = new RegExp(written, 'u');
  const ranges: (readonly [number, number])[] = [];
  let first: number | undefined;
  for (let unit = 0; unit <= lastUnit + 1; unit++) {
    const isOne = unit <= lastUnit && one.test(String.fromCharCode(unit));
    if (isOne) first ??= unit;
    else if (first !== undefined) {
      ranges.push([first, unit - 1]);
      first = undefined;
    }
  }
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
  kept.set(written, ranges);
  return ranges;
}

export function otherRanges(ranges: CharacterRanges): CharacterRanges {
  const others: (readonly [number, number])[] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (first > next) others.push([next, first - 1]);
    next = last + 1;
  }
  return next > lastUnit ? others : [...others, [next, lastUnit]];
}

/** As it stands between the brackets of a class. */
export function classText(ranges: CharacterRanges): string {
  return ranges
    .map(([first, last]) => (first === last ? unitText(first) : `${unitText(first)}-${unitText(last)}`))
    .join('');
}

function unitText(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
