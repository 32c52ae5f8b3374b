// Rows by hand, for operators and for trying the store before the doors exist. Tables of a door are not reached this way.

import {
  type Charged,
  listRows as listRowsOf,
  type RowPlace,
  type RowTraits,
  readRow as readRowAt,
  writeRow,
} from '../../../execution/row-requests.ts';
import { NO_BUCKET } from '../../../throughput/control-buckets.ts';
import { HttpRefusal } from '../../http/http-refusal.ts';
import type { AdminContext } from '../admin-context.ts';
import { type AdminRequest, type AdminResponse, badRequest, numberIn, ok } from '../admin-message.ts';
import { ownContainerIn } from './containers.ts';

export async function readRow(request: AdminRequest, context: AdminContext): Promise<AdminResponse> {
  const read = await readRowAt(context.throughput, placeIn(request, context), traitsIn(request));
  if (read.value === null) throw new HttpRefusal(404, 'There is no such row.', chargeHeaders(read));
  return { ...ok(read.value), headers: chargeHeaders(read) };
}

export async function listRows(request: AdminRequest, context: AdminContext): Promise<AdminResponse> {
  const listed = await listRowsOf(context.throughput, placeIn(request, context), traitsIn(request));
  const rows = listed.value.rows.map(({ rowKey, value }) => ({
    rowKey,
    sizeBytes: value.length,
    text: value.toString('utf8'),
  }));
  return withCharge({ rows, complete: listed.value.complete }, listed);
}

export async function putRow(request: AdminRequest, context: AdminContext): Promise<AdminResponse> {
  const place = placeIn(request, context);
  const written = await writeRow(context.throughput, place, request.body, traitsIn(request));
  return withCharge(written.value, written);
}

export async function deleteRow(request: AdminRequest, context: AdminContext): Promise<AdminResponse> {
  const written = await writeRow(context.throughput, placeIn(request, context), null, traitsIn(request));
  return withCharge(written.value, written);
}

function withCharge(body: object, charged: Charged<unknown>): AdminResponse {
  const { chargeRu, parts } = charged;
  return { ...ok({ ...body, chargeRu, chargeParts: parts }), headers: chargeHeaders(charged) };
}

/** By the name that Cosmos' clients know. */
function chargeHeaders({ chargeRu }: Charged<unknown>): Record<string, string> {
  return { 'x-ms-request-charge': String(chargeRu) };
}

function placeIn(request: AdminRequest, context: AdminContext): RowPlace {
  const container = ownContainerIn(request, context);
  const { partitionKey = '', rowKey = '' } = request.parameters;
  return { container, partitionKey, rowKey };
}

/** Cosmos' own headers. */
function traitsIn({ headers }: AdminRequest): RowTraits {
  const { 'x-ms-cosmos-priority-level': level = 'High', 'x-ms-cosmos-throughput-bucket': bucket } = headers;
  const priority = level.toLowerCase();
  if (priority !== 'high' && priority !== 'low')
    throw badRequest('x-ms-cosmos-priority-level is High or Low');
  return {
    priority,
    bucket: bucket === undefined ? NO_BUCKET : numberIn(bucket, 'x-ms-cosmos-throughput-bucket', 1, 5),
  };
}
