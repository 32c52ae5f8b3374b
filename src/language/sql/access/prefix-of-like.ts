/** What every text begins with that a pattern of LIKE fits, and whether the pattern has nothing else. */
export function prefixOfLike(
  pattern: string,
  escapedBy: string | undefined,
): { readonly prefix: string; readonly isWhole: boolean } {
  let prefix = '';
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at] as string;
    if (letter === escapedBy && at + 1 < pattern.length) prefix += pattern[++at];
    else if (letter === '%' || letter === '_' || letter === '[') return { prefix, isWhole: false };
    else prefix += letter;
  }
  return { prefix, isWhole: true };
}
