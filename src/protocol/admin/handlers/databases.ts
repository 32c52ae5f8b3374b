import { databaseOwner } from '../../../catalog/throughput-owner.ts';
import {
  createDatabase as defineDatabase,
  dropDatabase as forgetDatabase,
} from '../../../execution/define-container.ts';
import { describeThroughput } from '../../../execution/describe-throughput.ts';
import type { AdminContext } from '../admin-context.ts';
import { type AdminRequest, type AdminResponse, jsonBody, ok } from '../admin-message.ts';
import { databaseNameIn, throughputFields, throughputIn } from '../throughput-fields.ts';

/** `{database, ruPerSecond | maxRuPerSecond, incrementPercent}`: a throughput for containers to share. */
export async function createDatabase(
  request: AdminRequest,
  { throughput }: AdminContext,
): Promise<AdminResponse> {
  const body = jsonBody(request, ['database', ...throughputFields]);
  const database = databaseNameIn(body['database']);
  await defineDatabase(throughput, database, throughputIn(body));
  return { status: 201, body: await describeThroughput(throughput, databaseOwner(database)) };
}

export async function dropDatabase(
  request: AdminRequest,
  { throughput }: AdminContext,
): Promise<AdminResponse> {
  const database = databaseNameIn(request.parameters['database']);
  await forgetDatabase(throughput, database);
  return ok({ dropped: database });
}
