import type { RandomStatement } from './random-statement.ts';

const mostTries = 40;

/** The fewest of the writes, in their order, after which it still differs, as far as a few tries find them; undefined if it no longer differs with all. */
export async function shrunkWrites(
  writes: readonly RandomStatement[],
  stillDiffers: (writes: readonly RandomStatement[]) => Promise<boolean>,
): Promise<readonly RandomStatement[] | undefined> {
  if (await stillDiffers([])) return [];
  if (!(await stillDiffers(writes))) return undefined;
  let kept = writes;
  let tries = 0;
  let size = Math.ceil(kept.length / 2);
  while (size >= 1 && tries < mostTries) {
    let hasShrunk = false;
    for (let from = 0; from < kept.length && tries < mostTries; ) {
      const without = [...kept.slice(0, from), ...kept.slice(from + size)];
      tries += 1;
      if (await stillDiffers(without)) [kept, hasShrunk] = [without, true];
      else from += size;
    }
    if (size === 1 && !hasShrunk) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return kept;
}
