// One operation of a batch or of bulk, as JSON says it.

import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { invalidRequest } from '../../errors/invalid-request.ts';
import { draftItem } from '../../execution/nosql/items/item-draft.ts';
import { isSameKey } from '../../execution/nosql/items/item-partition-key.ts';
import {
  invalidPayload,
  itemNotFound,
  keyNotOfItem,
  tooLarge,
} from '../../execution/nosql/items/item-refusals.ts';
import type { ItemStep } from '../../execution/nosql/items/item-step.ts';
import type { JsonKeyComponent } from '../../partitioning/json-key-component.ts';
import { type JsonMembers, openNode } from '../../values/json-tree.ts';
import { jsonTextOf } from '../../values/parse-json.ts';
import { draftPatch } from './draft-patch.ts';
import { plainEtag } from './item-request.ts';
import type { NosqlContext } from './nosql-context.ts';

const kinds = {
  create: 'create',
  upsert: 'upsert',
  read: 'read',
  replace: 'replace',
  delete: 'delete',
  patch: 'patch',
} as const satisfies Record<string, ItemStep['kind']>;

export interface BatchOperation {
  readonly kind: ItemStep['kind'];
  /** Where it is not in the item itself. */
  readonly id: string | undefined;
  /** JSON text. */
  readonly body: string | undefined;
  /** JSON text, as it stands in headers. */
  readonly partitionKey: string | undefined;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly wantsMinimal: boolean;
}

const maxOperations = 100;
const maxBytes = 2 * 2 ** 20;

export function parseBatch(body: Buffer): BatchOperation[] {
  if (body.length > maxBytes) throw tooLarge(body.length, maxBytes);
  if (body.toString('latin1', 0, 64).trimStart()[0] !== '[') {
    throw invalidRequest(
      'The batch is not a JSON array. Batches in the binary form of the .NET SDK (HybridRow) are not served: send the operations one by one, or as JSON.',
    );
  }
  const list = openNode(jsonTextOf(body, invalidPayload));
  if (!Array.isArray(list)) throw invalidPayload();
  if (list.length > maxOperations)
    throw invalidRequest('Batch request has more operations than what is supported.');
  return list.map((node) => {
    const members = openNode(node);
    if (!(members instanceof Map)) throw invalidPayload();
    return operationOf(members);
  });
}

function operationOf(members: JsonMembers): BatchOperation {
  const named = textMember(members, 'operationType')?.toLowerCase() ?? '';
  if (!Object.hasOwn(kinds, named))
    throw invalidRequest(`The batch has an operation of no known type: '${named}'.`);
  const body = members.get('resourceBody');
  return {
    kind: kinds[named as keyof typeof kinds],
    id: textMember(members, 'id'),
    body: typeof body === 'string' ? body : undefined,
    partitionKey: partitionKeyMember(members),
    ifMatch: textMember(members, 'ifMatch'),
    ifNoneMatch: textMember(members, 'ifNoneMatch'),
    wantsMinimal: members.get('minimalReturnPreference') === 'true',
  };
}

function textMember(members: JsonMembers, name: string): string | undefined {
  const node = members.get(name);
  const value: unknown = typeof node === 'string' ? JSON.parse(node) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** A text that is JSON, as in the header; some clients send the array itself. */
function partitionKeyMember(members: JsonMembers): string | undefined {
  const node = members.get('partitionKey');
  return typeof node === 'string' && node.startsWith('[') ? node : textMember(members, 'partitionKey');
}

/** Throws for what can be seen to be wrong before any item is looked at. */
export async function stepOf(
  context: NosqlContext,
  container: ContainerDefinition,
  operation: BatchOperation,
  partitionKey: readonly JsonKeyComponent[],
): Promise<ItemStep> {
  const { catalog } = context.parts;
  const { kind } = operation;
  const ifMatch = plainEtag(operation.ifMatch);
  switch (kind) {
    case 'create':
    case 'upsert':
    case 'replace': {
      const draft = draftItem(container, Buffer.from(operation.body ?? 'null'));
      if (!isSameKey(draft.partitionKey, partitionKey)) throw keyNotOfItem();
      if (kind === 'create') return { kind, draft, rid: await catalog.nextRid(container) };
      if (kind === 'upsert') return { kind, draft, rid: await catalog.nextRid(container), ifMatch };
      const id = operation.id ?? draft.id;
      if (id !== draft.id)
        throw invalidRequest(`The id '${draft.id}' of the item is not the '${id}' that is replaced.`);
      return { kind, id, draft, ifMatch };
    }
    case 'patch':
      return {
        kind,
        id: idOf(operation),
        patch: draftPatch(context, container, operation.body ?? 'null'),
        ifMatch,
      };
    case 'delete':
      return { kind, id: idOf(operation), ifMatch };
    case 'read':
      return { kind, id: idOf(operation), ifNoneMatch: plainEtag(operation.ifNoneMatch) };
  }
}

/** None has the empty id. */
function idOf({ id }: BatchOperation): string {
  if (id === undefined || id === '') throw itemNotFound();
  return id;
}
