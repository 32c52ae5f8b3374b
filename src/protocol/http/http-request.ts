import { IncomingMessage } from 'node:http';

/** What node:http itself asks of a request. */
type AskedByNode = { readonly host: string | undefined; readonly expect: string | undefined };

/** Of these a second one is none; values of any other name are joined. */
const singles: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'user-agent',
]);

/**
 * A request whose headers are read once, into a map: node:http's own object of them costs a tenth of a point read, since every name must
 * first be found among all names that the process knows.
 */
export class HttpRequest extends IncomingMessage {
  /** For node:http alone; what a request says is in its fields. */
  declare readonly headers: AskedByNode;
  #fields: ReadonlyMap<string, string> | undefined;

  /** Headers, by name in small letters. */
  get fields(): ReadonlyMap<string, string> {
    this.#fields ??= fieldsOf(this.rawHeaders);
    return this.#fields;
  }
}

// The type of IncomingMessage says that this is a property, and it is an accessor.
Object.defineProperty(HttpRequest.prototype, 'headers', {
  configurable: true,
  get(this: HttpRequest): AskedByNode {
    const { fields } = this;
    return { host: fields.get('host'), expect: fields.get('expect') };
  },
});

function fieldsOf(raw: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase();
    const value = raw[at + 1] as string;
    const before = fields.get(name);
    if (before === undefined) fields.set(name, value);
    else if (!singles.has(name)) fields.set(name, `${before}, ${value}`);
  }
  return fields;
}
