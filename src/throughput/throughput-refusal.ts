// What Cosmos says when it refuses a throughput setting. Clients and scripts read these sentences (some take the minimum out of
// them), so they go out as `cosmosMessage`, word for word where the service's own words are known; docs/throughput.md says
// which ones are. Header names are in here for that reason only: nothing below the protocols reads a header.

import { RingfoldError } from '../errors/ringfold-error.ts';
import type { MinimumThroughput, ThroughputFacts } from './minimum-throughput.ts';
import { MAX_RU, MAX_SHARED_CONTAINERS } from './throughput-limits.ts';
import { type ProvisionedThroughput, provisionedRu, stepOf } from './throughput-setting.ts';

export function badThroughput(
  cosmosMessage: string,
  details: Readonly<Record<string, unknown>> = {},
): RingfoldError {
  return new RingfoldError('bad-throughput', { cosmosMessage, ...details });
}

/** Too little, too much, or between the steps. */
export function outOfRange(
  requested: ProvisionedThroughput,
  minimum: MinimumThroughput,
  facts: ThroughputFacts,
): RingfoldError {
  const requestedRu = provisionedRu(requested);
  const minimumRu = minimum.ruPerSecond;
  const sentences = [
    `The offer should have valid throughput values between ${minimumRu} and ${MAX_RU} inclusive in increments of ${stepOf(requested.kind)}.`,
  ];
  if (requestedRu < minimumRu) {
    sentences.push(
      `Requested throughput ${requestedRu} is less than required minimum throughput ${minimumRu}.`,
      ...reasonOf(minimum, facts),
    );
  } else if (requestedRu > MAX_RU) {
    sentences.push(`Requested throughput ${requestedRu} is more than possible maximum throughput ${MAX_RU}.`);
  }
  return badThroughput(sentences.join(' '), {
    requestedRu,
    minimumRu,
    maximumRu: MAX_RU,
    stepRu: stepOf(requested.kind),
    minimumBecause: minimum.because,
  });
}

function reasonOf({ because, ruPerSecond }: MinimumThroughput, facts: ThroughputFacts): string[] {
  switch (because) {
    case 'least':
      return [];
    case 'highest-ever':
      return [`Minimum limit ${ruPerSecond} is because of Highest RUs provisioned ${facts.highestRuEver}.`];
    case 'storage':
      return [`Minimum limit ${ruPerSecond} is because of Storage in GB ${Math.ceil(facts.storageGb)}.`];
    case 'containers':
      return [`Minimum limit ${ruPerSecond} is because of Collection count ${facts.sharingContainers}.`];
  }
}

export function notANumber(header: string, value: number): RingfoldError {
  return badThroughput(`The value '${value}' specified for the header '${header}' is invalid.`, { value });
}

export function bothKindsAtOnce(): RingfoldError {
  return badThroughput(
    'Offer throughput and autopilot settings cannot be specified together: a resource has either manual or autoscale throughput.',
  );
}

/** The kind of throughput only changes by a migration, which takes no figure. */
export function migrationNeeded(from: ProvisionedThroughput['kind']): RingfoldError {
  return badThroughput(
    from === 'autoscale'
      ? 'x-ms-cosmos-migrate-offer-to-manual-throughput must be supplied and offercontent must contain autopilotSettings for migration of autoscale collection to manual throughput.'
      : 'x-ms-cosmos-migrate-offer-to-autopilot must be supplied and offercontent must not contain autopilotSettings for migration from manual throughput to autoscale.',
  );
}

export function serverlessContainer(): RingfoldError {
  return badThroughput(
    'Setting offer throughput or autopilot on container is not supported for serverless accounts.',
  );
}

export function serverlessDatabase(): RingfoldError {
  return badThroughput('Shared throughput database creation is not supported for serverless accounts.');
}

/** Also for who only wants to read it. */
export function serverlessOffer(): RingfoldError {
  return badThroughput('Reading or replacing offers is not supported for serverless accounts.');
}

export function noThroughputOfItsOwn(): RingfoldError {
  return badThroughput(
    'Throughput update is not supported for resources created without dedicated throughput.',
  );
}

export function tooManySharedContainers(): RingfoldError {
  return new RingfoldError('too-many-shared-containers', {
    cosmosMessage: `Collection create forbidden as collection count in database offer has exceeded ${MAX_SHARED_CONTAINERS}.`,
    maximum: MAX_SHARED_CONTAINERS,
  });
}

/** A database cannot scale beyond one partition before it has any. */
export function nobodyShares(): RingfoldError {
  return badThroughput(
    'There are no collections using the shared database offer. Please retry the scale operation after creating a collection that uses database offer',
  );
}

export function changePending(): RingfoldError {
  return new RingfoldError('throughput-change-pending', {
    cosmosMessage:
      'Another scaling operation is in progress for this resource. Please retry once it is complete.',
  });
}

export function customPolicy(): RingfoldError {
  return badThroughput(
    'Throughput of this resource was redistributed across its physical partitions. Set the throughput policy to Equal before changing the throughput of the resource.',
  );
}
