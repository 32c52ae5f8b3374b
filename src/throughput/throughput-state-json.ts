// The stored form of a throughput state. Reading it back trusts nothing: a wrong figure would let a container spend anything.

import { RingfoldError } from '../errors/ringfold-error.ts';
import type { ProvisionedThroughput, ThroughputSetting } from './throughput-setting.ts';
import type { PendingChange, ThroughputState } from './throughput-state.ts';

const VERSION = 1;

export interface ThroughputStateJson {
  readonly version: typeof VERSION;
  readonly setting: ThroughputSetting;
  readonly highestRuEver: number;
  readonly pending?: PendingChange;
}

/** Plain data, for JSON.stringify. */
export function encodeThroughputState({
  setting,
  highestRuEver,
  pending,
}: ThroughputState): ThroughputStateJson {
  return { version: VERSION, setting, highestRuEver, ...(pending === undefined ? {} : { pending }) };
}

/** Throws `unknown-format` for another version, `corrupt-data` for what `encodeThroughputState` could not have made. */
export function decodeThroughputState(json: unknown): ThroughputState {
  const state = fieldsOf<keyof ThroughputStateJson>(json);
  const version = countOf(state.version);
  if (version !== VERSION) throw new RingfoldError('unknown-format', { what: 'throughput', version });
  return {
    setting: decodeSetting(state.setting),
    highestRuEver: countOf(state.highestRuEver),
    pending: state.pending === undefined ? undefined : decodePending(state.pending),
  };
}

function decodeSetting(json: unknown): ThroughputSetting {
  const { kind } = fieldsOf<'kind'>(json);
  switch (kind) {
    case 'default':
    case 'shared':
    case 'serverless':
      return { kind };
    default:
      return decodeProvisioned(json);
  }
}

function decodeProvisioned(json: unknown): ProvisionedThroughput {
  const { kind, ruPerSecond, maxRuPerSecond, incrementPercent } = fieldsOf<
    'kind' | 'ruPerSecond' | 'maxRuPerSecond' | 'incrementPercent'
  >(json);
  switch (kind) {
    case 'manual':
      return { kind: 'manual', ruPerSecond: countOf(ruPerSecond) };
    case 'autoscale':
      return {
        kind: 'autoscale',
        maxRuPerSecond: countOf(maxRuPerSecond),
        ...(incrementPercent === undefined ? {} : { incrementPercent: countOf(incrementPercent) }),
      };
    default:
      throw corrupt('unknown kind of setting');
  }
}

function decodePending(json: unknown): PendingChange {
  const { kind, setting, partitionTarget, toSplit } = fieldsOf<
    'kind' | 'setting' | 'partitionTarget' | 'toSplit'
  >(json);
  switch (kind) {
    case 'scale-up':
      return {
        kind: 'scale-up',
        setting: decodeProvisioned(setting),
        partitionTarget: countOf(partitionTarget),
      };
    case 'redistribution':
      if (!Array.isArray(toSplit) || toSplit.length === 0) throw corrupt('nothing to split');
      return { kind: 'redistribution', toSplit: toSplit.map((id: unknown) => countOf(id)) };
    default:
      throw corrupt('unknown kind of pending change');
  }
}

/** Nothing is known of the fields yet. */
function fieldsOf<Name extends string>(json: unknown): { readonly [Field in Name]?: unknown } {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw corrupt('not an object');
  return json;
}

function countOf(json: unknown): number {
  if (typeof json !== 'number' || !Number.isSafeInteger(json) || json < 0)
    throw corrupt('not a whole number');
  return json;
}

function corrupt(reason: string): RingfoldError {
  return new RingfoldError('corrupt-data', { what: 'throughput', reason });
}
