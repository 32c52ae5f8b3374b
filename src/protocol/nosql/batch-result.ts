// What a client is told of one operation of a batch or of bulk.

import type { ContainerDefinition } from '../../catalog/nosql/nosql-definitions.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import { textOfItem } from '../../execution/nosql/items/item-text.ts';
import type { ChargedStep } from '../../execution/nosql/items/transact-items.ts';
import { chargeOfFailure } from '../../throughput/charged-failure.ts';
import { etagOf } from '../../values/etag.ts';
import { errorRows } from './error-responses.ts';
import { statuses } from './item-response.ts';

export interface BatchResult {
  readonly status: number;
  /** JSON text. */
  readonly text: Buffer;
  /** The same without the item, for answers that would be too large; undefined where the item is what was asked for. */
  readonly short: Buffer | undefined;
}

/** Another operation of the batch failed. */
export const failedDependency: BatchResult = {
  status: 424,
  text: Buffer.from('{"statusCode":424,"requestCharge":0}'),
  short: undefined,
};

const end = Buffer.from('}');

export function resultOfStep(
  container: ContainerDefinition,
  { outcome, error, item, chargeRu }: ChargedStep,
  wantsMinimal: boolean,
): BatchResult {
  if (outcome === 'refused') return resultOfError(error, chargeRu);
  const status = statuses[outcome];
  const etag = item === undefined ? '' : `,"eTag":"\\"${etagOf(item.timestamp ?? 0)}\\""`;
  const head = `{"statusCode":${status},"requestCharge":${chargeRu}${etag}`;
  const isShown = item !== undefined && outcome !== 'not-modified' && (outcome === 'read' || !wantsMinimal);
  const short = Buffer.from(`${head}}`);
  if (!isShown) return { status, text: short, short };
  const text = Buffer.concat([Buffer.from(`${head},"resourceBody":`), textOfItem(container, item), end]);
  return { status, text, short: outcome === 'read' ? undefined : short };
}

/** The charge unless the error knows it. */
export function resultOfError(error: unknown, chargeRu?: number): BatchResult {
  const failure = error instanceof RingfoldError ? error : new RingfoldError('internal-error');
  const row = errorRows[failure.code];
  const { substatus: own, retryAfterMs } = failure.details;
  const substatus = typeof own === 'number' ? own : row.substatus;
  const told = {
    statusCode: row.status,
    ...(substatus === 0 ? {} : { subStatusCode: substatus }),
    requestCharge: chargeRu ?? chargeOfFailure(failure),
    ...(typeof retryAfterMs === 'number' ? { retryAfterMilliseconds: retryAfterMs } : {}),
  };
  const text = Buffer.from(JSON.stringify(told));
  return { status: row.status, text, short: text };
}

/** 207 tells clients to look at each. */
export function statusOfAll(results: readonly BatchResult[]): 200 | 207 {
  return results.every(({ status }) => status < 400) ? 200 : 207;
}

export function bodyOfResults(results: readonly BatchResult[]): Buffer {
  const parts = results.flatMap(({ text }, at) => (at === 0 ? [text] : [comma, text]));
  return Buffer.concat([open, ...parts, close]);
}

const open = Buffer.from('[');
const comma = Buffer.from(',');
const close = Buffer.from(']');
