import { endOfDigits, isDigit, lowerLetterAt } from './character-classes.ts';

/** Where a unit such as `mo` or `us` ends, or -1. */
export function endOfDurationUnit(source: string, offset: number): number {
  const letter = lowerLetterAt(source, offset);
  const next = lowerLetterAt(source, offset + 1);
  if (letter === 'm') return next === 'o' || next === 's' ? offset + 2 : offset + 1;
  if (letter === 'u' || letter === 'n' || letter === '\u00b5') return next === 's' ? offset + 2 : -1;
  return letter !== '' && 'ywdhs'.includes(letter) ? offset + 1 : -1;
}

/** Where `P1Y2M3DT4H5M6S`, `P2W` and their like end, or -1; offset is that of the P. The longest reading wins. */
export function endOfIsoDuration(source: string, offset: number): number {
  const weeks = endOfAmount(source, offset + 1, 'W');
  if (weeks !== -1) return weeks;
  const date = endOfAmounts(source, offset + 1, 'YMD');
  const time = source[date] === 'T' ? endOfAmounts(source, date + 1, 'HMS') : date;
  if (source[date] === 'T' && time > date + 1) return time;
  return date > offset + 1 ? date : -1;
}

function endOfAmounts(source: string, offset: number, units: string): number {
  let end = offset;
  for (const unit of units) {
    const next = endOfAmount(source, end, unit);
    if (next !== -1) end = next;
  }
  return end;
}

function endOfAmount(source: string, offset: number, unit: string): number {
  const end = endOfDigits(source, offset);
  return end > offset && source[end] === unit ? end + 1 : -1;
}

// Digits are written as 9, everything else stands for itself.
const alternativeForm = 'P9999-99-99T99:99:99';

/** Whether `P0001-` begins here, which can be nothing but the alternative form of ISO 8601. */
export function beginsAlternativeDuration(source: string, offset: number): boolean {
  return endOfDigits(source, offset + 1) === offset + 5 && source[offset + 5] === '-';
}

/** How far the text follows the alternative form: to its end, or to the first character that is wrong. */
export function followAlternativeDuration(
  source: string,
  offset: number,
): { end: number; complete: boolean } {
  for (let i = 0; i < alternativeForm.length; i += 1) {
    const wanted = alternativeForm[i];
    const fits = wanted === '9' ? isDigit(source.charCodeAt(offset + i)) : source[offset + i] === wanted;
    if (!fits) return { end: offset + i, complete: false };
  }
  return { end: offset + alternativeForm.length, complete: true };
}
