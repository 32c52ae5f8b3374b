import { containerOwner, databaseOwner, type ThroughputOwner } from '../../../catalog/throughput-owner.ts';
import { describeAllThroughput, describeThroughput } from '../../../execution/describe-throughput.ts';
import type { ThroughputChanges } from '../../../execution/throughput-changes.ts';
import type { ControlBucketSetting } from '../../../throughput/control-buckets.ts';
import type { Redistribution } from '../../../throughput/partition-shares.ts';
import type { AdminContext } from '../admin-context.ts';
import {
  type AdminRequest,
  type AdminResponse,
  badRequest,
  jsonBody,
  numberIn,
  ok,
} from '../admin-message.ts';
import { databaseNameIn, throughputFields, throughputIn } from '../throughput-fields.ts';
import { containerIn } from './containers.ts';

export async function listThroughput(
  _request: AdminRequest,
  { throughput }: AdminContext,
): Promise<AdminResponse> {
  return ok({ throughput: await describeAllThroughput(throughput) });
}

export async function readContainerThroughput(
  request: AdminRequest,
  context: AdminContext,
): Promise<AdminResponse> {
  const { container } = containerIn(request, context);
  return ok(await describeThroughput(context.throughput, containerOwner(container)));
}

/**
 * One of: `{ruPerSecond}` · `{maxRuPerSecond, incrementPercent}` · `{migrateTo: "manual" | "autoscale" | "provisioned"}` ·
 * `{targets: {"3": 5000}, sources: [1]}` · `{policy: "equal"}` · `{controlBuckets: [{id, maxThroughputPercentage}]}`.
 * 202 while partitions are still to be split for it.
 */
export async function changeContainerThroughput(
  request: AdminRequest,
  context: AdminContext,
): Promise<AdminResponse> {
  const { container } = containerIn(request, context);
  const { changes } = context.throughput;
  const fields = ['migrateTo', 'targets', 'sources', 'policy', 'controlBuckets'];
  const body = jsonBody(request, [...throughputFields, ...fields]);
  const { targets, sources, policy, migrateTo } = onlyOneOf(body);
  if (targets !== undefined) await changes.redistribute(container, redistributionIn(targets, sources));
  else if (policy === 'equal') await changes.equalize(container);
  else if (policy !== undefined) throw badRequest('"policy" is "equal"; "targets" make it custom');
  else if (migrateTo === 'provisioned') await changes.provision(container);
  else await changeSetting(changes, containerOwner(container), body);
  return changed(context, containerOwner(container));
}

export async function readDatabaseThroughput(
  request: AdminRequest,
  { throughput }: AdminContext,
): Promise<AdminResponse> {
  const database = databaseNameIn(request.parameters['database']);
  return ok(await describeThroughput(throughput, databaseOwner(database)));
}

/** As for a container, without redistribution: the containers of a database spend from one budget. */
export async function changeDatabaseThroughput(
  request: AdminRequest,
  context: AdminContext,
): Promise<AdminResponse> {
  const owner = databaseOwner(databaseNameIn(request.parameters['database']));
  const body = jsonBody(request, [...throughputFields, 'migrateTo', 'controlBuckets']);
  await changeSetting(context.throughput.changes, owner, onlyOneOf(body));
  return changed(context, owner);
}

async function changed({ throughput }: AdminContext, owner: ThroughputOwner): Promise<AdminResponse> {
  const view = await describeThroughput(throughput, owner);
  return { status: view.pending === undefined ? 200 : 202, body: view };
}

async function changeSetting(
  changes: ThroughputChanges,
  owner: ThroughputOwner,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { migrateTo, controlBuckets } = body;
  if (controlBuckets !== undefined) await changes.setControlBuckets(owner, bucketsIn(controlBuckets));
  else if (migrateTo === 'manual' || migrateTo === 'autoscale') await changes.migrate(owner, migrateTo);
  else if (migrateTo !== undefined)
    throw badRequest('"migrateTo" is "manual" or "autoscale", or "provisioned" for a serverless container');
  else await changes.change(owner, throughputIn(body));
}

/** A figure, a migration, a redistribution, a policy or buckets: were there two, one could be refused when the other is done. */
function onlyOneOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const wishes = [throughputFields, ['migrateTo'], ['targets', 'sources'], ['policy'], ['controlBuckets']];
  const given = wishes.filter((fields) => fields.some((field) => body[field] !== undefined));
  if (given.length === 1) return body;
  throw badRequest('one change at a time: a figure, migrateTo, targets, policy or controlBuckets');
}

function redistributionIn(targets: unknown, sources: unknown = []): Redistribution {
  if (typeof targets !== 'object' || targets === null || Array.isArray(targets))
    throw badRequest('"targets" is an object of RU/s by physical partition');
  if (!Array.isArray(sources)) throw badRequest('"sources" is a list of physical partitions');
  const entries = Object.entries(targets).map(([id, ru]: [string, unknown]) => {
    if (typeof ru !== 'number') throw badRequest('"targets" has RU/s as numbers');
    return [numberIn(id, 'targets'), ru] as const;
  });
  return { targets: new Map(entries), sources: sources.map((id) => numberIn(id, 'sources')) };
}

function bucketsIn(value: unknown): ControlBucketSetting[] {
  if (!Array.isArray(value)) throw badRequest('"controlBuckets" is a list');
  return value.map((bucket: unknown) => {
    const { id, maxThroughputPercentage } = (bucket ?? {}) as Partial<Record<string, unknown>>;
    return {
      id: numberIn(id, 'id'),
      maxThroughputPercentage: numberIn(maxThroughputPercentage, 'maxThroughputPercentage'),
    };
  });
}
