import type { Setting } from './setting.ts';

export type CqlSetting = 'auth' | 'server-side-retry' | 'cql-read-timeout-ms' | 'cql-write-timeout-ms';

/** The CQL door. */
export const cqlSettings: Readonly<Record<CqlSetting, Setting>> = {
  auth: {
    kind: 'switch',
    default: false,
    help: 'ask CQL clients for a login on loopback too; elsewhere they are always asked',
  },
  'server-side-retry': {
    kind: 'switch',
    default: false,
    help: 'CQL requests beyond their throughput wait up to 60 s and are not refused',
  },
  'cql-read-timeout-ms': {
    kind: 'number',
    default: 10_000,
    low: 1,
    high: 3_600_000,
    placeholder: 'MS',
    help: 'a CQL read that takes longer is answered with ReadTimeout',
  },
  'cql-write-timeout-ms': {
    kind: 'number',
    default: 10_000,
    low: 1,
    high: 3_600_000,
    placeholder: 'MS',
    help: 'a CQL write that takes longer is answered with WriteTimeout',
  },
};
