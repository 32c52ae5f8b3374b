// Patterns are Perl's (PCRE), as the service's are, and are rewritten for an engine that knows JavaScript's. What would mean something
// else there, and cannot be rewritten, is refused: a wrong answer would look like a right one.

import {
  type CharacterRanges,
  classText,
  otherRanges,
  posixRanges,
  propertyRanges,
} from './character-class.ts';

/** Why a pattern cannot be rewritten. */
export class NotRewritten extends Error {}

export interface RewrittenPattern {
  readonly source: string;
  /** Whether `^` and `$` are the ends of lines. */
  readonly isMultiline: boolean;
}

export function rewritePerlPattern(pattern: string, modifiers: string): RewrittenPattern {
  return new PerlPattern(pattern, modifiers).rewritten();
}

const verticalSpace: CharacterRanges = [
  [0x0a, 0x0d],
  [0x85, 0x85],
  [0x2028, 0x2029],
];
const horizontalSpace: CharacterRanges = [
  [0x09, 0x09],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];
const spaces: Readonly<Record<string, CharacterRanges>> = {
  h: horizontalSpace,
  H: otherRanges(horizontalSpace),
  v: verticalSpace,
  V: otherRanges(verticalSpace),
};
/** Of the whole text. */
const ends: Readonly<Record<string, string>> = { A: '^', z: '$', Z: '(?:\\n?$)' };
const controls: Readonly<Record<string, string>> = { a: '\\x07', e: '\\x1b' };

class PerlPattern {
  readonly #pattern: string;
  #at = 0;
  #source = '';
  #isMultiline: boolean;
  /** Those of `i`, `s` and `x` that hold here. */
  #modifiers: string;
  readonly #modifiersOutside: string[] = [];

  constructor(pattern: string, modifiers: string) {
    this.#pattern = pattern;
    this.#modifiers = modifiers;
    this.#isMultiline = modifiers.includes('m');
  }

  rewritten(): RewrittenPattern {
    while (this.#at < this.#pattern.length) this.#source += this.#piece();
    return { source: this.#source, isMultiline: this.#isMultiline };
  }

  #piece(): string {
    const letter = this.#pattern[this.#at] as string;
    if (this.#has('x')) {
      const ignored = this.#taken(/\s+|#[^\n]*/y);
      if (ignored !== undefined) return '';
    }
    if (letter === '\\') return this.#escape();
    if (letter === '[') return this.#characterClass();
    if (letter === '(') return this.#group();
    this.#at++;
    if (letter === ')') this.#modifiers = this.#modifiersOutside.pop() ?? this.#modifiers;
    if (letter === '.') return this.#has('s') ? '[^]' : '[^\\n]';
    return this.#has('i') ? inBothCases(letter) : letter;
  }

  #escape(): string {
    const quoted = this.#taken(/\\Q([\s\S]*?)(?:\\E|$)/y);
    if (quoted !== undefined) return [...(quoted[1] ?? '')].map((letter) => this.#literal(letter)).join('');
    const ranges = this.#namedRanges();
    if (ranges !== undefined) return `[${classText(ranges)}]`;
    const character = this.#character();
    if (character !== undefined) return this.#literal(character);
    const [written, letter] = this.#expected(/\\([\s\S])/y);
    const end = ends[letter];
    if (end !== undefined) {
      if (this.#isMultiline) throw new NotRewritten(written);
      return end;
    }
    if (letter === 'R') return `(?:\\r\\n|[${classText(verticalSpace)}])`;
    if (letter === 'N') return '[^\\n]';
    // Perl's meanings of these have no counterpart; JavaScript would take the letters themselves.
    if ('CEGKXgkloLU'.includes(letter)) throw new NotRewritten(written);
    return controls[letter] ?? written;
  }

  #characterClass(): string {
    const [opening, negation = ''] = this.#expected(/\[(\^?)/y);
    let inside = '';
    for (let isFirst = true; ; isFirst = false) {
      const letter = this.#pattern[this.#at];
      if (letter === undefined) throw new NotRewritten(opening);
      if (letter === ']' && !isFirst) break;
      inside += this.#classMember(letter);
    }
    this.#at++;
    return `[${negation}${this.#has('i') ? insideInBothCases(inside) : inside}]`;
  }

  #classMember(letter: string): string {
    const named = this.#taken(/\[:(\^?)(\w+):\]/y);
    if (named !== undefined) {
      const [, , name = ''] = named;
      const ranges = posixRanges(this.#has('i') && /^(?:upper|lower)$/.test(name) ? 'alpha' : name);
      if (ranges === undefined) throw new NotRewritten(named[0]);
      return classText(named[1] === '^' ? otherRanges(ranges) : ranges);
    }
    if (letter === '\\') {
      const ranges = this.#namedRanges();
      if (ranges !== undefined) return classText(ranges);
      const character = this.#character();
      if (character !== undefined) return quotedInClass(character);
      const [written, escaped] = this.#expected(/\\([\s\S])/y);
      if ('BCEGKNRXZgkloLUQ'.includes(escaped)) throw new NotRewritten(written);
      return controls[escaped] ?? written;
    }
    this.#at++;
    return letter === '[' || letter === ']' ? `\\${letter}` : letter;
  }

  #group(): string {
    if (this.#taken(/\(\?#[^)]*\)/y) !== undefined) return '';
    const inline = this.#taken(/\(\?([imsx]*)(?:-([imsx]+))?([:)])/y);
    if (inline !== undefined) {
      const [, added = '', removed = '', end] = inline;
      if (end === ':') this.#modifiersOutside.push(this.#modifiers);
      this.#modify(added, removed);
      return end === ':' ? '(?:' : '';
    }
    this.#modifiersOutside.push(this.#modifiers);
    // Nothing can refer back to a name.
    if (this.#taken(/\(\?(?:P?<\w+>|'\w+')/y) !== undefined) return '(';
    const [opening] = this.#expected(/\([?*]?/y);
    if (opening !== '(') throw new NotRewritten(opening);
    return opening;
  }

  #modify(added: string, removed: string): void {
    const isMultiline = (this.#isMultiline || added.includes('m')) && !removed.includes('m');
    // The engine has one setting of it for the whole pattern.
    if (isMultiline !== this.#isMultiline && this.#source !== '') throw new NotRewritten('(?m)');
    this.#isMultiline = isMultiline;
    this.#modifiers = [...this.#modifiers, ...added].filter((one) => !removed.includes(one)).join('');
  }

  /** Of what stands for many characters by a name. */
  #namedRanges(): CharacterRanges | undefined {
    const space = this.#taken(/\\([hHvV])/y);
    if (space !== undefined) return spaces[space[1] ?? ''];
    const property = this.#taken(/\\([pP])(?:\{(\^?)(\w+)\}|(\w))/y);
    if (property === undefined) return undefined;
    const [written, letter, negation, long, short] = property;
    const ranges = propertyRanges(long ?? short ?? '');
    if (ranges === undefined) throw new NotRewritten(written);
    return (letter === 'P') === (negation === '^') ? ranges : otherRanges(ranges);
  }

  /** What is written by its number. */
  #character(): string | undefined {
    const found = this.#taken(/\\x(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{2}))|\\u([0-9a-fA-F]{4})/y);
    if (found === undefined) return undefined;
    const code = Number.parseInt(found[1] ?? found[2] ?? found[3] ?? '', 16);
    if (code > 0xffff) throw new NotRewritten(found[0]);
    return String.fromCharCode(code);
  }

  #literal(letter: string): string {
    if (this.#has('i') && isCased(letter)) return inBothCases(letter);
    return /[\w\s]/.test(letter) || letter > '\x7f' ? letter : `\\${letter}`;
  }

  #has(modifier: string): boolean {
    return this.#modifiers.includes(modifier);
  }

  #taken(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at;
    const found = form.exec(this.#pattern);
    if (found === null) return undefined;
    this.#at = form.lastIndex;
    return found;
  }

  #expected(form: RegExp): readonly [string, string] {
    const found = this.#taken(form);
    if (found === undefined) throw new NotRewritten(this.#pattern.slice(this.#at));
    return [found[0], found[1] ?? ''];
  }
}

/** The engine does not know the modifier `i`: a letter becomes a class of its two forms. */
function inBothCases(letter: string): string {
  return isCased(letter) ? `[${letter.toLowerCase()}${letter.toUpperCase()}]` : letter;
}

function insideInBothCases(inside: string): string {
  return inside.replace(
    /\\(?:u[0-9a-f]{4}|[\s\S])|(\p{L})-(\p{L})|\p{L}/gu,
    (piece: string, from?: string, to?: string) => {
      if (piece.startsWith('\\')) return piece;
      if (from === undefined || to === undefined) return isCased(piece) ? swapped(piece) + piece : piece;
      const [low, high] = [swapped(from), swapped(to)];
      return isCased(from) && isCased(to) && low <= high ? `${piece}${low}-${high}` : piece;
    },
  );
}

/** Whether it has exactly one other form, so that a class can hold both. */
function isCased(letter: string): boolean {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  return lower !== upper && lower.length === 1 && upper.length === 1;
}

function swapped(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

function quotedInClass(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character;
}
