import { MAX_LOGICAL_PARTITION_BYTES } from '../partitioning/partition-limits.ts';
import { priceLists } from '../throughput/request-charge.ts';
import type { Setting } from './setting.ts';

export type ThroughputSetting =
  | 'enforce-defaults'
  | 'serverless'
  | 'charge-profile'
  | 'list-prices'
  | 'burst'
  | 'max-logical-partition-bytes';

/** What requests may spend and what keys may hold. */
export const throughputSettings: Readonly<Record<ThroughputSetting, Setting>> = {
  'enforce-defaults': {
    kind: 'switch',
    default: false,
    help: 'refuse what exceeds the 400 RU/s of containers that nobody gave throughput',
  },
  serverless: {
    kind: 'switch',
    default: false,
    help: 'containers are made without throughput: each physical partition has 5,000 RU/s',
  },
  'charge-profile': {
    kind: 'text',
    default: 'docs-2026',
    choices: Object.keys(priceLists),
    placeholder: 'NAME',
    help: `what requests cost: ${Object.keys(priceLists).join(', ')}`,
  },
  'list-prices': {
    kind: 'text',
    default: '',
    placeholder: 'FILE',
    help: 'JSON with the prices by which a month on Azure is estimated',
  },
  burst: {
    kind: 'text',
    default: 'on',
    choices: ['on', 'off'],
    placeholder: 'on|off',
    help: 'let partitions below 3,000 RU/s save up what they leave unused',
  },
  'max-logical-partition-bytes': {
    kind: 'number',
    default: MAX_LOGICAL_PARTITION_BYTES,
    low: 1,
    placeholder: 'BYTES',
    help: 'how much all items with one partition key may take',
  },
};
