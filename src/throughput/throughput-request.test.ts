import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ErrorCode } from '../errors/error-codes.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import type { ThroughputFacts } from './minimum-throughput.ts';
import {
  checkThroughput,
  containerThroughput,
  databaseThroughput,
  requestedThroughput,
  type ThroughputRequest,
} from './throughput-request.ts';

const nothing: ThroughputFacts = { storageGb: 0, highestRuEver: 0, sharingContainers: 0 };

function refused(cosmosMessage: string, attempt: () => unknown, code: ErrorCode = 'bad-throughput'): void {
  assert.throws(attempt, (error) => {
    assert.ok(error instanceof RingfoldError);
    assert.equal(error.code, code);
    assert.equal(error.details['cosmosMessage'], cosmosMessage);
    return true;
  });
}

function create(request: ThroughputRequest): unknown {
  return containerThroughput(request, 'provisioned', undefined);
}

test('a new container has what was asked for', () => {
  assert.deepEqual(create({ ruPerSecond: 400 }), { kind: 'manual', ruPerSecond: 400 });
  assert.deepEqual(create({ maxRuPerSecond: 7_000 }), { kind: 'autoscale', maxRuPerSecond: 7_000 });
  assert.deepEqual(create({ maxRuPerSecond: 1_000, incrementPercent: 0 }), {
    kind: 'autoscale',
    maxRuPerSecond: 1_000,
    incrementPercent: 0,
  });
});

test('a new container that asks for nothing gets the default, its part of the database, or is serverless', () => {
  assert.deepEqual(create({}), { kind: 'default' });
  assert.deepEqual(containerThroughput({}, 'provisioned', 0), { kind: 'shared' });
  assert.deepEqual(containerThroughput({}, 'serverless', undefined), { kind: 'serverless' });
});

test('a container may have its own throughput in a database that shares, and beside 25 that share it must', () => {
  assert.deepEqual(containerThroughput({}, 'provisioned', 24), { kind: 'shared' });
  refused(
    'Collection create forbidden as collection count in database offer has exceeded 25.',
    () => containerThroughput({}, 'provisioned', 25),
    'too-many-shared-containers',
  );
  assert.deepEqual(containerThroughput({ ruPerSecond: 400 }, 'provisioned', 25), {
    kind: 'manual',
    ruPerSecond: 400,
  });
});

test('a new database shares what was asked for, or nothing', () => {
  assert.deepEqual(databaseThroughput({ ruPerSecond: 400 }, 'provisioned'), {
    kind: 'manual',
    ruPerSecond: 400,
  });
  assert.equal(databaseThroughput({}, 'provisioned'), undefined);
  assert.equal(databaseThroughput({}, 'serverless'), undefined);
  refused(
    'The offer should have valid throughput values between 400 and 1000000 inclusive in increments of 100. Requested throughput 300 is less than required minimum throughput 400.',
    () => databaseThroughput({ ruPerSecond: 300 }, 'provisioned'),
  );
});

test('throughput below the minimum, above the maximum or between the steps is refused in the words of Cosmos', () => {
  const manual =
    'The offer should have valid throughput values between 400 and 1000000 inclusive in increments of 100.';
  const autoscale =
    'The offer should have valid throughput values between 1000 and 1000000 inclusive in increments of 1000.';
  refused(`${manual} Requested throughput 300 is less than required minimum throughput 400.`, () =>
    create({ ruPerSecond: 300 }),
  );
  refused(manual, () => create({ ruPerSecond: 405 }));
  refused(`${manual} Requested throughput 1000100 is more than possible maximum throughput 1000000.`, () =>
    create({ ruPerSecond: 1_000_100 }),
  );
  refused(`${autoscale} Requested throughput -200 is less than required minimum throughput 1000.`, () =>
    create({ maxRuPerSecond: -200, incrementPercent: 0 }),
  );
  refused(autoscale, () => create({ maxRuPerSecond: 1_500 }));
});

test('a refusal says why the minimum is what it is', () => {
  const requested = { kind: 'autoscale', maxRuPerSecond: 1_000 } as const;
  const cases = [
    [{ highestRuEver: 60_000 }, 6_000, 'Highest RUs provisioned 60000'],
    [{ storageGb: 1_199.5 }, 12_000, 'Storage in GB 1200'],
    [{ sharingContainers: 27 }, 3_000, 'Collection count 27'],
  ] as const;
  for (const [facts, minimum, reason] of cases) {
    refused(
      `The offer should have valid throughput values between ${minimum} and 1000000 inclusive in increments of 1000. ` +
        `Requested throughput 1000 is less than required minimum throughput ${minimum}. ` +
        `Minimum limit ${minimum} is because of ${reason}.`,
      () => checkThroughput(requested, { ...nothing, ...facts }),
    );
  }
});

test('manual and autoscale together are refused', () => {
  for (const request of [
    { ruPerSecond: 400, maxRuPerSecond: 1_000 },
    { ruPerSecond: 400, incrementPercent: 1 },
  ]) {
    refused(
      'Offer throughput and autopilot settings cannot be specified together: a resource has either manual or autoscale throughput.',
      () => create(request),
    );
  }
});

test('what is no whole number is refused', () => {
  for (const value of [400.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
    refused(`The value '${value}' specified for the header 'x-ms-offer-throughput' is invalid.`, () =>
      create({ ruPerSecond: value }),
    );
    const autopilot = `The value '${value}' specified for the header 'x-ms-cosmos-offer-autopilot-settings' is invalid.`;
    refused(autopilot, () => create({ maxRuPerSecond: value }));
    refused(autopilot, () => create({ maxRuPerSecond: 1_000, incrementPercent: value }));
  }
  for (const incrementPercent of [-1, 101]) {
    refused(
      `The value '${incrementPercent}' specified for the header 'x-ms-cosmos-offer-autopilot-settings' is invalid.`,
      () => create({ maxRuPerSecond: 1_000, incrementPercent }),
    );
  }
  refused("The value 'NaN' specified for the header 'x-ms-cosmos-offer-autopilot-settings' is invalid.", () =>
    create({ incrementPercent: 1 }),
  );
});

test('throughput on a serverless server is refused', () => {
  for (const request of [{ ruPerSecond: 400 }, { maxRuPerSecond: 1_000 }]) {
    refused(
      'Setting offer throughput or autopilot on container is not supported for serverless accounts.',
      () => containerThroughput(request, 'serverless', undefined),
    );
    refused('Shared throughput database creation is not supported for serverless accounts.', () =>
      databaseThroughput(request, 'serverless'),
    );
  }
});

test('any numbers make a valid setting or are refused, and nothing else happens', () => {
  const number = fc.option(fc.oneof(fc.double(), fc.integer(), fc.constantFrom(400, 1_000, 1_000_000)), {
    nil: undefined,
  });
  const request = fc.record({ ruPerSecond: number, maxRuPerSecond: number, incrementPercent: number });
  fc.assert(
    fc.property(request, (wished) => {
      try {
        const setting = requestedThroughput(wished);
        if (setting === undefined) return;
        checkThroughput(setting, nothing);
        const [ru, least, step] =
          setting.kind === 'manual'
            ? [setting.ruPerSecond, 400, 100]
            : [setting.maxRuPerSecond, 1_000, 1_000];
        assert.ok(ru >= least && ru <= 1_000_000 && ru % step === 0);
      } catch (error) {
        assert.ok(error instanceof RingfoldError && error.code === 'bad-throughput', String(error));
      }
    }),
  );
});
