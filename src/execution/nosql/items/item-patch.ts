// A partial update: at most ten edits of one item, by JSON pointers, if its condition holds.

import { invalidRequest } from '../../../errors/invalid-request.ts';
import { isSystemProperty } from '../../../values/json-item.ts';
import { type JsonMembers, type JsonNode, openNode } from '../../../values/json-tree.ts';
import { invalidPayload } from './item-refusals.ts';

const kinds = ['add', 'set', 'replace', 'remove', 'incr', 'move'] as const;

export type PatchKind = (typeof kinds)[number];

export interface PatchOperation {
  readonly kind: PatchKind;
  /** At least one name or index. */
  readonly path: readonly string[];
  /** Of a move. */
  readonly from: readonly string[];
  /** JSON text; empty where none is needed. */
  readonly value: string;
}

/** Whether the item, system properties included, is one that may be changed. Made by the SQL language. */
export type PatchCondition = (document: unknown) => boolean;

export interface ItemPatch {
  readonly operations: readonly PatchOperation[];
  readonly condition: PatchCondition | undefined;
}

/** What a client asked for. */
export interface PatchRequest {
  readonly operations: readonly PatchOperation[];
  /** SQL: `from c where …`. */
  readonly condition: string | undefined;
}

const maxOperations = 10;
/** No item is nested deeper. */
const maxDepth = 128;

/** The text is JSON. Either `{operations, condition}` or a bare list of operations. */
export function parsePatch(text: string): PatchRequest {
  const body = openNode(text);
  if (Array.isArray(body)) return { operations: operationsOf(body), condition: undefined };
  if (typeof body === 'string') throw invalidPayload();
  const list = openNode(body.get('operations') ?? 'null');
  if (!Array.isArray(list)) throw invalidPayload();
  const condition = body.has('condition') ? JSON.parse(textOf(body.get('condition'))) : undefined;
  if (condition !== undefined && condition !== null && typeof condition !== 'string') throw invalidPayload();
  return { operations: operationsOf(list), condition: condition ?? undefined };
}

function operationsOf(list: readonly JsonNode[]): PatchOperation[] {
  if (list.length === 0) throw invalidRequest('The patch request must have at least one operation.');
  if (list.length > maxOperations) {
    throw invalidRequest(
      `The number of patch operations can't exceed '${maxOperations}'. Learn more: https://aka.ms/cosmosdbpatchdocs`,
    );
  }
  return list.map((node, at) => {
    const members = openNode(node);
    if (!(members instanceof Map)) throw invalidPayload();
    return operationOf(members, at + 1);
  });
}

function operationOf(members: JsonMembers, number: number): PatchOperation {
  const named = stringOf(members.get('op'))?.toLowerCase();
  // Java and .NET spell it out.
  const kind = named === 'increment' ? 'incr' : kinds.find((one) => one === named);
  if (kind === undefined) throw refusedOperation(number, `'${named ?? ''}' is not a patch operation`);
  const path = pointerOf(members.get('path'), number);
  const from = kind === 'move' ? pointerOf(members.get('from'), number) : [];
  const needsValue = kind !== 'remove' && kind !== 'move';
  const value = members.get('value');
  if (needsValue && value === undefined) throw refusedOperation(number, `${kind} must have a value`);
  if (kind === 'incr' && typeof JSON.parse(textOf(value)) !== 'number') {
    throw refusedOperation(number, 'the value of an increment must be a number');
  }
  if (kind === 'move' && from.every((name, at) => path[at] === name)) {
    throw refusedOperation(number, "the 'from' of a move must not be its 'path' nor an owner of it");
  }
  return { kind, path, from, value: needsValue ? textOf(value) : '' };
}

/** `/a/b~1c` is `a` and `b/c`. */
function pointerOf(node: JsonNode | undefined, number: number): string[] {
  const pointer = stringOf(node);
  if (pointer === undefined || !pointer.startsWith('/') || pointer === '/') {
    throw refusedOperation(number, 'its path is not a JSON pointer to a property');
  }
  const path = pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (path.length > maxDepth) throw refusedOperation(number, 'its path leads deeper than items go');
  const [first = ''] = path;
  if (path.length === 1 && (first === 'id' || isSystemProperty(first))) {
    throw refusedOperation(number, `'/${first}' is a system property and cannot be patched`);
  }
  return path;
}

function stringOf(node: JsonNode | undefined): string | undefined {
  const value: unknown = typeof node === 'string' ? JSON.parse(node) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function textOf(node: JsonNode | undefined): string {
  return typeof node === 'string' ? node : 'null';
}

export function refusedOperation(number: number, reason: string): Error {
  return invalidRequest(`For Operation(${number}): ${reason}. Learn more: https://aka.ms/cosmosdbpatchdocs`);
}
