import type { JsonObject } from '../../../catalog/nosql/nosql-definitions.ts';
import { isObject } from '../../../catalog/nosql/policies/json-fields.ts';
import type { ThroughputRequest } from '../../../throughput/throughput-request.ts';
import type { NosqlRequest } from '../nosql-message.ts';
import { headerOf } from '../request-options.ts';

/** What a new database or container is to have. Figures that are none are left to who refuses figures. */
export function throughputAsked(request: NosqlRequest): ThroughputRequest {
  const manual = headerOf(request, 'x-ms-offer-throughput');
  const autopilot = headerOf(request, 'x-ms-cosmos-offer-autopilot-settings');
  return {
    ...(manual === undefined ? {} : { ruPerSecond: Number(manual) }),
    ...(autopilot === undefined ? {} : autopilotSettings(parsed(autopilot))),
  };
}

/** `{"maxThroughput":4000,"autoUpgradePolicy":{"throughputPolicy":{"incrementPercent":10}}}`. */
export function autopilotSettings(settings: JsonObject): ThroughputRequest {
  const increment = incrementIn(settings['autoUpgradePolicy']);
  return {
    maxRuPerSecond: Number(settings['maxThroughput'] ?? Number.NaN),
    ...(increment === undefined ? {} : { incrementPercent: Number(increment) }),
  };
}

function incrementIn(policy: unknown): unknown {
  if (!isObject(policy)) return undefined;
  const { throughputPolicy } = policy;
  return isObject(throughputPolicy) ? (throughputPolicy['incrementPercent'] ?? undefined) : undefined;
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    // The figure that is not there is refused by its header's name.
    return {};
  }
}
