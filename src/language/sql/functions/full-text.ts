import { type SqlFunction, type SqlFunctions, strict } from '../sql-function.ts';
import { isArray, memberOf, type SqlValue } from '../sql-value.ts';
import { areWithinEdits } from './edit-distance.ts';

const many = Number.POSITIVE_INFINITY;
const k1 = 1.2;
const b = 0.75;

/** By scan: words are split at what is no letter or digit, in small letters, not stemmed. */
export const fullTextFunctions: SqlFunctions = {
  FULLTEXTCONTAINS: containing(2, (holds, terms) => terms.every(holds)),
  FULLTEXTCONTAINSALL: containing(many, (holds, terms) => terms.every(holds)),
  FULLTEXTCONTAINSANY: containing(many, (holds, terms) => terms.some(holds)),
  // What a plan for ranked search asks of every partition before, and then with, the sums over all of them.
  _FULLTEXTWORDCOUNT: strict(1, 1, ([text]) => (typeof text === 'string' ? wordsOf(text).length : undefined)),
  _FULLTEXTSCORE: strict(5, 5, ([text, terms, documents, words, hits]) => {
    if (typeof text !== 'string' || !isArray(terms) || !isArray(hits)) return undefined;
    if (typeof documents !== 'number' || typeof words !== 'number') return undefined;
    return scoreOf(wordsOf(text), terms, documents, words, hits);
  }),
};

interface Term {
  readonly words: readonly string[];
  /** How many letters a word may differ in. */
  readonly distance: number;
}

const mostDistance = 2;

/** A text, or `{"term": …, "distance": …}` for words that are nearly those. */
function termOf(value: SqlValue): Term | undefined {
  if (typeof value === 'string') return { words: wordsOf(value), distance: 0 };
  const [text, distance] = [memberOf(value, 'term'), memberOf(value, 'distance')];
  if (typeof text !== 'string' || typeof distance !== 'number') return undefined;
  if (!Number.isInteger(distance) || distance < 0 || distance > mostDistance) return undefined;
  return { words: wordsOf(text), distance };
}

function containing(
  most: number,
  combine: (holds: (term: Term) => boolean, terms: readonly Term[]) => boolean,
): SqlFunction {
  return strict(2, most, ([text, ...terms]) => {
    const sought = terms.map(termOf).filter((term) => term !== undefined);
    if (typeof text !== 'string' || sought.length !== terms.length) return undefined;
    const words = wordsOf(text);
    return combine((term) => timesIn(words, term) > 0, sought);
  });
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** How often the term's words stand one after another. */
function timesIn(words: readonly string[], { words: sought, distance }: Term): number {
  if (sought.length === 0) return 0;
  return words.filter((_, at) =>
    sought.every((word, step) => areWithinEdits(words[at + step], word, distance)),
  ).length;
}

/** BM25. */
function scoreOf(
  words: readonly string[],
  terms: readonly SqlValue[],
  documents: number,
  allWords: number,
  hits: readonly SqlValue[],
): number {
  const averageLength = documents > 0 ? allWords / documents : 0;
  let score = 0;
  for (const [at, given] of terms.entries()) {
    const having = hits[at];
    const term = termOf(given);
    if (term === undefined || typeof having !== 'number') continue;
    const times = timesIn(words, term);
    const rarity = Math.log(1 + (documents - having + 0.5) / (having + 0.5));
    const length = averageLength > 0 ? words.length / averageLength : 1;
    score += (rarity * times * (k1 + 1)) / (times + k1 * (1 - b + b * length));
  }
  return score;
}
