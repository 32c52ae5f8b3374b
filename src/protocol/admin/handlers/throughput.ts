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

const changeFields = ['migrateTo', 'targets', 'sources', 'policy', 'controlBuckets'] as const;

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
  const body = onlyOneOf(jsonBody(request, [...throughputFields, ...changeFields]));
  if (body['migrateTo'] === 'provisioned') await context.throughput.changes.provision(container);
  else await changeSetting(context.throughput.changes, containerOwner(container), body);
  return changed(context, containerOwner(container));
}

export async function readDatabaseThroughput(
  request: AdminRequest,
  { throughput }: AdminContext,
): Promise<AdminResponse> {
  const database = databaseNameIn(request.parameters['database']);
  return ok(await describeThroughput(throughput, databaseOwner(database)));
}

/** As for a container, by stretches of the ring instead of partitions; and `{mergeStretches: [left, right]}`. */
export async function changeDatabaseThroughput(
  request: AdminRequest,
  context: AdminContext,
): Promise<AdminResponse> {
  const database = databaseNameIn(request.parameters['database']);
  const { changes } = context.throughput;
  const body = onlyOneOf(jsonBody(request, [...throughputFields, ...changeFields, 'mergeStretches']));
  const { mergeStretches } = body;
  if (mergeStretches === undefined) await changeSetting(changes, databaseOwner(database), body);
  else await changes.mergeStretches(database, ...neighboursIn(mergeStretches));
  return changed(context, databaseOwner(database));
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
  const { migrateTo, controlBuckets, targets, sources, policy } = body;
  if (targets !== undefined) await changes.redistribute(owner, redistributionIn(targets, sources));
  else if (policy === 'equal') await changes.equalize(owner);
  else if (policy !== undefined) throw badRequest('"policy" is "equal"; "targets" make it custom');
  else if (controlBuckets !== undefined) await changes.setControlBuckets(owner, bucketsIn(controlBuckets));
  else if (migrateTo === 'manual' || migrateTo === 'autoscale') await changes.migrate(owner, migrateTo);
  else if (migrateTo !== undefined)
    throw badRequest('"migrateTo" is "manual" or "autoscale", or "provisioned" for a serverless container');
  else await changes.change(owner, throughputIn(body));
}

/** A figure, a migration, a redistribution, a policy or buckets: were there two, one could be refused when the other is done. */
function onlyOneOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const wishes = [
    throughputFields,
    ['migrateTo'],
    ['targets', 'sources'],
    ['policy'],
    ['controlBuckets'],
    ['mergeStretches'],
  ];
  const given = wishes.filter((fields) => fields.some((field) => body[field] !== undefined));
  if (given.length === 1) return body;
  throw badRequest(
    'one change at a time: a figure, migrateTo, targets, policy, controlBuckets or mergeStretches',
  );
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

function neighboursIn(value: unknown): readonly [left: number, right: number] {
  if (!Array.isArray(value) || value.length !== 2)
    throw badRequest('"mergeStretches" is a list of two stretches');
  const [left, right] = value as unknown[];
  return [numberIn(left, 'mergeStretches'), numberIn(right, 'mergeStretches')];
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
