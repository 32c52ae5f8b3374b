import { invalidValue } from './invalid-value.ts';
import { printDouble } from './java-number-text.ts';

// JSON as Cassandra's parser (Jackson, into plain objects) understands it. Numbers keep their kind, which decides what
// they may become: 1 is an Integer, 3000000000 a Long, 1.0 a Double. JSON.parse would lose it, and digits with it.

/** `boxed` is the name of the Java class that a refusal shows. */
export type JavaJson =
  | null
  | boolean
  | string
  | JavaNumber
  | readonly JavaJson[]
  | ReadonlyMap<string, JavaJson>;

export interface JavaNumber {
  readonly boxed: 'Integer' | 'Long' | 'BigInteger' | 'Double';
  /** As toString shows it. */
  readonly text: string;
}

// As many as Jackson of that age allowed without a limit; ours keeps a hostile text from ending the stack.
const deepestNesting = 1_000;

export function parseJavaJson(text: string): JavaJson {
  return new JsonReader(text).read();
}

/** The name of the Java class a value would be, for messages. */
export function javaClassOf(value: Exclude<JavaJson, null>): string {
  if (typeof value === 'string') return 'String';
  if (typeof value === 'boolean') return 'Boolean';
  if (value instanceof Map) return 'LinkedHashMap';
  return 'boxed' in value ? value.boxed : 'ArrayList';
}

/** Java's toString: lists in brackets, maps as `{key=value}`, strings bare. */
export function printJavaJson(value: JavaJson): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Map) {
    return `{${Array.from(value, ([key, mapped]) => `${key}=${printJavaJson(mapped)}`).join(', ')}}`;
  }
  if ('boxed' in value) return value.text;
  return `[${Array.from(value as readonly JavaJson[], printJavaJson).join(', ')}]`;
}

const space = /[ \t\r\n]*/y;
const numberForm = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end a string too early, and are looked for.
const plainCharacters = /[^"\\\0-\x1f]*/y;
const literals: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** What follows the first value is not looked at, as in Jackson. */
  read(): JavaJson {
    return this.#value(0);
  }

  #value(depth: number): JavaJson {
    if (depth > deepestNesting) throw this.#bad('nested too deeply');
    this.#match(space);
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first === '[') return this.#array(depth + 1);
    if (first === '{') return this.#object(depth + 1);
    for (const [word, value] of literals) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #array(depth: number): JavaJson[] {
    this.#at++;
    const elements: JavaJson[] = [];
    if (this.#takes(']')) return elements;
    do elements.push(this.#value(depth));
    while (this.#takes(','));
    this.#expect(']');
    return elements;
  }

  /** Of keys that repeat the last one counts, in the place of the first. */
  #object(depth: number): Map<string, JavaJson> {
    this.#at++;
    const entries = new Map<string, JavaJson>();
    if (this.#takes('}')) return entries;
    do {
      this.#match(space);
      const key = this.#string();
      this.#expect(':');
      entries.set(key, this.#value(depth));
    } while (this.#takes(','));
    this.#expect('}');
    return entries;
  }

  #string(): string {
    if (this.#text[this.#at] !== '"') throw this.#bad('a string was expected');
    this.#at++;
    let value = '';
    for (;;) {
      value += this.#match(plainCharacters);
      const sign = this.#text[this.#at++];
      if (sign === '"') return value;
      if (sign !== '\\') throw this.#bad('a string does not end');
      value += this.#escape();
    }
  }

  #escape(): string {
    const sign = this.#text[this.#at++] ?? '';
    if (sign !== 'u') {
      const character = escapes[sign];
      if (character === undefined) throw this.#bad('a character cannot be escaped');
      return character;
    }
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw this.#bad('four hexadecimal digits were expected');
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #number(): JavaNumber {
    numberForm.lastIndex = this.#at;
    const match = numberForm.exec(this.#text);
    if (match === null) throw this.#bad('a value was expected');
    const [text, fraction, exponent] = match;
    this.#at += text.length;
    if (fraction !== undefined || exponent !== undefined) {
      return { boxed: 'Double', text: printDouble(Number(text)) };
    }
    const value = BigInt(text);
    if (BigInt.asIntN(32, value) === value) return { boxed: 'Integer', text: String(value) };
    return { boxed: BigInt.asIntN(64, value) === value ? 'Long' : 'BigInteger', text: String(value) };
  }

  #takes(sign: string): boolean {
    this.#match(space);
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#takes(sign)) throw this.#bad(`${sign} was expected`);
  }

  /** The expression matches always, if only nothing. */
  #match(expression: RegExp): string {
    expression.lastIndex = this.#at;
    const [text = ''] = expression.exec(this.#text) ?? [];
    this.#at += text.length;
    return text;
  }

  #bad(reason: string): Error {
    return invalidValue(`Error decoding JSON string: ${reason} at character ${this.#at}`);
  }
}
