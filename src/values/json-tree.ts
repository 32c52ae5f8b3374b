// JSON that is changed in one place and stays as it was everywhere else: what nobody looks into is kept as its text, so integers beyond
// 2^53 keep their digits, and members keep their order, their spelling and names such as "__proto__".

/** A text that nobody has looked into, or what was found inside: members by name, or elements. The text is known to be JSON. */
export type JsonNode = string | JsonMembers | JsonNode[];

export type JsonMembers = Map<string, JsonNode>;

/** One level deeper: members or elements where there are any, else the text of a string, a number or a word. */
export function openNode(node: JsonNode): JsonNode {
  if (typeof node !== 'string') return node;
  const text = node.trim();
  if (text.startsWith('{')) return membersOf(text);
  return text.startsWith('[') ? elementsOf(text) : text;
}

export function printNode(node: JsonNode): string {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return `[${node.map(printNode).join(',')}]`;
  return `{${Array.from(node, ([name, value]) => `${JSON.stringify(name)}:${printNode(value)}`).join(',')}}`;
}

/** Where a name comes twice the last one counts, as everywhere else. */
function membersOf(text: string): JsonMembers {
  const members: JsonMembers = new Map();
  let at = skipSpace(text, 1);
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at);
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    members.set(JSON.parse(text.slice(at, nameEnd)), text.slice(valueStart, valueEnd).trimEnd());
    at = skipSpace(text, valueEnd);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

function elementsOf(text: string): JsonNode[] {
  const elements: JsonNode[] = [];
  let at = skipSpace(text, 1);
  while (at < text.length && text[at] !== ']') {
    const end = endOfValue(text, at);
    elements.push(text.slice(at, end).trimEnd());
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return elements;
}

/** The place after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at++;
  }
  return text.length;
}

/** The place after a value, and after space behind a number or word. */
function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at) - 1;
        break;
      case '{':
      case '[':
        depth++;
        break;
      case '}':
      case ']':
        if (depth === 0) return at;
        depth--;
        if (depth === 0) return at + 1;
        break;
      case ',':
        if (depth === 0) return at;
        break;
    }
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return at;
}
