import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { textOfLsn, toldLsn } from '../../catalog/nosql/told-lsn.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { itemNotFound } from '../../execution/nosql/items/item-refusals.ts';
import type { ItemStep } from '../../execution/nosql/items/item-step.ts';
import { textOfItem } from '../../execution/nosql/items/item-text.ts';
import { type ItemsOutcome, transactItems } from '../../execution/nosql/items/transact-items.ts';
import type { RequestUnits } from '../../throughput/request-units.ts';
import type { OperationKind } from '../../throughput/work-done.ts';
import { etagOf } from '../../values/etag.ts';
import type { StoredItem } from '../../values/stored-item.ts';
import { partitionHeaders } from './headers.ts';
import type { ItemTarget } from './item-request.ts';
import type { NosqlContext } from './nosql-context.ts';
import type { NosqlRequest, NosqlResponse } from './nosql-message.ts';
import { traitsOf, wantsMinimal } from './request-options.ts';

const operations = {
  create: 'create-item',
  upsert: 'upsert-item',
  replace: 'replace-item',
  patch: 'patch-item',
  delete: 'delete-item',
  read: 'read-item',
} as const satisfies Record<ItemStep['kind'], OperationKind>;

export const statuses = {
  created: 201,
  replaced: 200,
  read: 200,
  deleted: 204,
  'not-modified': 304,
} as const;

/** One item written, and what the client is told of it. */
export async function writeItem(
  request: NosqlRequest,
  context: NosqlContext,
  target: ItemTarget,
  step: ItemStep,
): Promise<NosqlResponse> {
  const traits = traitsOf(request, operations[step.kind]);
  const outcome = await transactItems(context.parts, { steps: [step], traits, isBatch: false, ...target });
  const { container } = target;
  const [result] = outcome.results;
  const headers = headersOf(context, container, outcome, result?.item);
  if (result === undefined || result.outcome === 'refused')
    throw toldOf(result?.error ?? new RingfoldError('internal-error'), headers, outcome.chargeRu);
  const { item } = result;
  const body = item === undefined || wantsMinimal(request) ? undefined : textOfItem(container, item);
  return { status: statuses[result.outcome], headers, body };
}

/** An item that the path names by a rid which none has. */
export function missingItem(context: NosqlContext, { container }: ItemTarget): RingfoldError {
  return toldOf(itemNotFound(), partitionHeaders(context, container, undefined), 0 as RequestUnits);
}

/** The failure with the headers that its answer has. */
export function toldOf(
  error: RingfoldError,
  headers: Readonly<Record<string, string>>,
  chargeRu: RequestUnits,
): RingfoldError {
  return new RingfoldError(error.code, { ...error.details, headers, chargeRu }, error);
}

export function headersOf(
  context: NosqlContext,
  container: ContainerDefinition,
  { physicalPartition, lsn, chargeRu }: Pick<ItemsOutcome, 'physicalPartition' | 'lsn' | 'chargeRu'>,
  item: StoredItem | undefined,
): Record<string, string> {
  const headers = partitionHeaders(context, container, physicalPartition, lsn);
  headers['x-ms-request-charge'] = String(chargeRu);
  if (item !== undefined) {
    headers['etag'] = `"${etagOf(item.timestamp ?? 0)}"`;
    headers['x-ms-item-lsn'] = textOfLsn(toldLsn(container, item.lsn ?? 0));
  }
  return headers;
}
