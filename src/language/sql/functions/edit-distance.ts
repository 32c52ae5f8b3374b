/** Whether one word becomes the other by at most so many letters put in, left out or changed. `most` is small: each edit is tried in three ways. */
export function areWithinEdits(first: string | undefined, second: string, most: number): boolean {
  if (first === undefined) return false;
  if (Math.abs(first.length - second.length) > most) return false;
  return areRestsWithin(first, 0, second, 0, most);
}

function areRestsWithin(first: string, from: number, second: string, other: number, left: number): boolean {
  let [at, otherAt] = [from, other];
  while (at < first.length && first[at] === second[otherAt]) {
    at++;
    otherAt++;
  }
  const [rest, otherRest] = [first.length - at, second.length - otherAt];
  if (rest === 0 || otherRest === 0) return Math.max(rest, otherRest) <= left;
  if (left === 0) return false;
  return (
    areRestsWithin(first, at + 1, second, otherAt + 1, left - 1) ||
    areRestsWithin(first, at + 1, second, otherAt, left - 1) ||
    areRestsWithin(first, at, second, otherAt + 1, left - 1)
  );
}
