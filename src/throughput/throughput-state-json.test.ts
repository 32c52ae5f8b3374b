import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ErrorCode } from '../errors/error-codes.ts';
import { RingfoldError } from '../errors/ringfold-error.ts';
import type { ProvisionedThroughput, ThroughputSetting } from './throughput-setting.ts';
import type { PendingChange, ThroughputState } from './throughput-state.ts';
import { decodeThroughputState, encodeThroughputState } from './throughput-state-json.ts';

// Of ordinary objects, as JSON.parse makes them.
const ordinary = { noNullPrototype: true };
const ru = fc.nat(1_000_000);
const provisioned: fc.Arbitrary<ProvisionedThroughput> = fc.oneof(
  fc.record({ kind: fc.constant('manual' as const), ruPerSecond: ru }, ordinary),
  fc.record({ kind: fc.constant('autoscale' as const), maxRuPerSecond: ru }, ordinary),
  fc.record(
    { kind: fc.constant('autoscale' as const), maxRuPerSecond: ru, incrementPercent: fc.nat(100) },
    ordinary,
  ),
);
const setting: fc.Arbitrary<ThroughputSetting> = fc.oneof(
  provisioned,
  fc.constantFrom({ kind: 'default' } as const, { kind: 'shared' } as const, { kind: 'serverless' } as const),
);
const pending: fc.Arbitrary<PendingChange> = fc.oneof(
  fc.record(
    { kind: fc.constant('scale-up' as const), setting: provisioned, partitionTarget: fc.nat(100) },
    ordinary,
  ),
  fc.record(
    { kind: fc.constant('redistribution' as const), toSplit: fc.array(fc.nat(), { minLength: 1 }) },
    ordinary,
  ),
);
const state: fc.Arbitrary<ThroughputState> = fc.record(
  { setting, highestRuEver: ru, pending: fc.option(pending, { nil: undefined }) },
  ordinary,
);

function refusesWith(code: ErrorCode, json: unknown): void {
  assert.throws(
    () => decodeThroughputState(json),
    (error) => error instanceof RingfoldError && error.code === code,
    JSON.stringify(json),
  );
}

test('what was stored is read back', () => {
  fc.assert(
    fc.property(state, (stored) => {
      const text = JSON.stringify(encodeThroughputState(stored));
      assert.deepEqual(decodeThroughputState(JSON.parse(text)), stored);
    }),
  );
});

test('the form is as documented', () => {
  assert.equal(
    JSON.stringify(
      encodeThroughputState({
        setting: { kind: 'autoscale', maxRuPerSecond: 4_000, incrementPercent: 10 },
        highestRuEver: 4_000,
        pending: {
          kind: 'scale-up',
          setting: { kind: 'autoscale', maxRuPerSecond: 30_000 },
          partitionTarget: 3,
        },
      }),
    ),
    '{"version":1,"setting":{"kind":"autoscale","maxRuPerSecond":4000,"incrementPercent":10},"highestRuEver":4000,' +
      '"pending":{"kind":"scale-up","setting":{"kind":"autoscale","maxRuPerSecond":30000},"partitionTarget":3}}',
  );
});

test('another version is refused, not guessed at', () => {
  refusesWith('unknown-format', { version: 2, setting: { kind: 'default' }, highestRuEver: 400 });
  refusesWith('unknown-format', { version: 0 });
});

test('what cannot have been stored is corrupt', () => {
  const good = { version: 1, setting: { kind: 'manual', ruPerSecond: 400 }, highestRuEver: 400 };
  for (const json of [
    undefined,
    null,
    [],
    'text',
    {},
    { ...good, version: '1' },
    { ...good, setting: undefined },
    { ...good, setting: { kind: 'free' } },
    { ...good, setting: { kind: 'manual' } },
    { ...good, setting: { kind: 'manual', ruPerSecond: -1 } },
    { ...good, setting: { kind: 'manual', ruPerSecond: '400' } },
    { ...good, setting: { kind: 'autoscale', maxRuPerSecond: 0.5 } },
    { ...good, setting: { kind: 'autoscale', maxRuPerSecond: 1_000, incrementPercent: null } },
    { ...good, highestRuEver: undefined },
    { ...good, pending: null },
    { ...good, pending: { kind: 'merge' } },
    { ...good, pending: { kind: 'scale-up', setting: { kind: 'shared' }, partitionTarget: 2 } },
    { ...good, pending: { kind: 'scale-up', setting: good.setting } },
    { ...good, pending: { kind: 'redistribution', toSplit: [] } },
    { ...good, pending: { kind: 'redistribution', toSplit: ['1'] } },
  ]) {
    refusesWith('corrupt-data', json);
  }
});

test('any JSON is a state or is refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      try {
        decodeThroughputState({ ...(json as object), version: 1 });
      } catch (error) {
        assert.ok(error instanceof RingfoldError && error.code === 'corrupt-data');
      }
    }),
  );
});
