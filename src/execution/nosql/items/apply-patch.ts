import { assert } from '../../../foundation/assert.ts';
import { type JsonMembers, type JsonNode, openNode, printNode } from '../../../values/json-tree.ts';
import { type PatchOperation, refusedOperation } from './item-patch.ts';

/** The text after all operations, each of which sees what those before it did. One that cannot be done refuses them all. */
export function applyPatch(text: string, operations: readonly PatchOperation[]): string {
  const root = openNode(text);
  assert(root instanceof Map, 'an item is an object');
  for (const [at, operation] of operations.entries()) new PatchStep(root, operation, at + 1).apply();
  return printNode(root);
}

/** Where a path ends: in an object under a name, or in an array at an index. */
type Place =
  | { readonly owner: JsonMembers; readonly name: string }
  | { readonly owner: JsonNode[]; readonly index: number };

class PatchStep {
  readonly #root: JsonMembers;
  readonly #operation: PatchOperation;
  readonly #number: number;

  constructor(root: JsonMembers, operation: PatchOperation, number: number) {
    this.#root = root;
    this.#operation = operation;
    this.#number = number;
  }

  apply(): void {
    const { kind, path, from, value } = this.#operation;
    switch (kind) {
      case 'add':
        this.#add(this.#placeOf(path), value);
        break;
      case 'set':
        this.#set(this.#placeOf(path), value);
        break;
      case 'replace':
        this.#set(this.#existing(path), value);
        break;
      case 'remove':
        this.#take(this.#existing(path));
        break;
      case 'incr':
        this.#set(this.#placeOf(path), this.#sum(valueAt(this.#placeOf(path)), value));
        break;
      case 'move':
        this.#move(from, path);
        break;
    }
  }

  #add(place: Place, value: JsonNode): void {
    if ('name' in place) place.owner.set(place.name, value);
    else place.owner.splice(place.index, 0, value);
  }

  #set(place: Place, value: JsonNode): void {
    if ('name' in place) place.owner.set(place.name, value);
    else place.owner[place.index] = value;
  }

  #take(place: Place): JsonNode {
    if ('name' in place) {
      const taken = place.owner.get(place.name) ?? 'null';
      place.owner.delete(place.name);
      return taken;
    }
    return place.owner.splice(place.index, 1)[0] ?? 'null';
  }

  #move(from: readonly string[], path: readonly string[]): void {
    const taken = this.#take(this.#existing(from));
    this.#add(this.#placeOf(path), taken);
  }

  #sum(node: JsonNode | undefined, by: string): string {
    if (node === undefined) return by;
    const current = openNode(node);
    const pointer = `/${this.#operation.path.join('/')}`;
    if (typeof current !== 'string' || !/^[-\d]/.test(current))
      throw refusedOperation(this.#number, `the value at '${pointer}' is not a number`);
    const sum = sumOf(current, by);
    if (sum === undefined)
      throw refusedOperation(this.#number, `the sum at '${pointer}' is not a number that JSON can hold`);
    return sum;
  }

  #existing(path: readonly string[]): Place {
    const place = this.#placeOf(path);
    if (valueAt(place) !== undefined) return place;
    throw refusedOperation(
      this.#number,
      `${this.#name} Operation can only be performed on an existing path, no path found at: '/${path.join('/')}'`,
    );
  }

  /** Opens what is on the way. The owner must exist; what the path names need not. */
  #placeOf(path: readonly string[]): Place {
    let owner: JsonNode = this.#root;
    for (const [depth, name] of path.entries()) {
      const place: Place | undefined = this.#placeIn(owner, name);
      if (place === undefined) throw this.#noOwner(path.slice(0, depth));
      if (depth === path.length - 1) return place;
      const next: JsonNode | undefined = valueAt(place);
      if (next === undefined) throw this.#noOwner(path.slice(0, depth));
      owner = openNode(next);
      this.#set(place, owner);
    }
    throw this.#noOwner([]);
  }

  /** Undefined in a string, a number or a word. */
  #placeIn(owner: JsonNode, name: string): Place | undefined {
    if (owner instanceof Map) return { owner, name };
    if (!Array.isArray(owner)) return undefined;
    const index = name === '-' ? owner.length : /^(0|[1-9]\d{0,6})$/.test(name) ? Number(name) : -1;
    if (index < 0 || index > owner.length) {
      throw refusedOperation(
        this.#number,
        `'${name}' is not an index of an array of ${owner.length} elements`,
      );
    }
    return { owner, index };
  }

  get #name(): string {
    const { kind } = this.#operation;
    return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  }

  #noOwner(found: readonly string[]): Error {
    return refusedOperation(
      this.#number,
      `${this.#name} Operation can only create a child object of an existing node(array or object) and cannot create path recursively, no path found beyond: '/${found.join('/')}'`,
    );
  }
}

function valueAt(place: Place): JsonNode | undefined {
  return 'name' in place ? place.owner.get(place.name) : place.owner[place.index];
}

const digits = /^-?\d+$/;
const bits = 64;

/** Integers of 64 bits are added exactly, all else as doubles. Undefined if the sum is none that JSON can write. */
function sumOf(left: string, right: string): string | undefined {
  if (digits.test(left) && digits.test(right)) {
    const sum = BigInt(left) + BigInt(right);
    if (BigInt.asIntN(bits, sum) === sum) return sum.toString();
  }
  const sum = Number(left) + Number(right);
  return Number.isFinite(sum) ? JSON.stringify(sum) : undefined;
}
