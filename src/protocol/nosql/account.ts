import { isIP } from 'node:net';
import { REPLICA_COUNT } from '../../partitioning/partition-limits.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import type { NosqlSettings } from './nosql-context.ts';
import type { NosqlResponse } from './nosql-message.ts';

/** Where the one region of this server is, for clients that ask. */
const region = 'Ringfold';

/** What the service's planners are told that they may do; clients with a planner of their own read it. */
const queryEngine = JSON.stringify({
  allowNewKeywords: true,
  maxJoinsPerSqlQuery: 10,
  maxQueryRequestTimeoutFraction: 0.9,
  maxSqlQueryInputLength: 524_288,
  maxUdfRefPerSqlQuery: 10,
  queryMaxInMemorySortDocumentCount: -1_000,
  sqlAllowAggregateFunctions: true,
  sqlAllowGroupByClause: true,
  sqlAllowLike: true,
  sqlAllowNonFiniteNumbers: false,
  sqlAllowScalarSubQuery: true,
  sqlAllowSubQuery: true,
  sqlAllowTop: true,
});

/** There are no attachments; older Java SDKs fail to read an account that does not say how much room there is for them. */
const mediaHeaders = { 'x-ms-max-media-storage-usage-mb': '0', 'x-ms-media-storage-usage-mb': '0' };

/** `GET /`: what this server is and where clients find it, which is where they found it. */
export function readAccount(origin: string, { consistency, broadcastAddress }: NosqlSettings): NosqlResponse {
  const endpoint = broadcastAddress === undefined ? origin : broadcastOrigin(origin, broadcastAddress);
  if (!URL.canParse(endpoint)) throw new HttpRefusal(400, 'The Host header is not a host.');
  const { hostname } = new URL(endpoint);
  const locations = [{ name: region, databaseAccountEndpoint: `${endpoint}/` }];
  const body = {
    _self: '',
    id: accountName(hostname),
    _rid: hostname,
    media: '//media/',
    addresses: '//addresses/',
    _dbs: '//dbs/',
    writableLocations: locations,
    readableLocations: locations,
    enableMultipleWriteLocations: false,
    continuousBackupEnabled: false,
    enableNRegionSynchronousCommit: false,
    enablePerPartitionFailoverBehavior: false,
    disableCrossRegionalHedging: false,
    userReplicationPolicy: {
      asyncReplication: false,
      minReplicaSetSize: 3,
      maxReplicasetSize: REPLICA_COUNT,
    },
    userConsistencyPolicy: { defaultConsistencyLevel: consistency },
    systemReplicationPolicy: { minReplicaSetSize: 3, maxReplicasetSize: REPLICA_COUNT },
    readPolicy: { primaryReadCoefficient: 1, secondaryReadCoefficient: 1 },
    queryEngineConfiguration: queryEngine,
  };
  return { status: 200, headers: mediaHeaders, body: JSON.stringify(body) };
}

/**
 * The first part of the host, as in the service, but never `localhost`: @azure/cosmos takes no locations from an account of that
 * name, and having none reads the account again, twice, before each of its requests.
 */
function accountName(hostname: string): string {
  const name = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname.split('.', 1)[0] : undefined;
  return name === undefined || name === 'localhost' ? 'ringfold' : name;
}

/** The port that was dialled unless the address has one. */
function broadcastOrigin(origin: string, address: string): string {
  if (!URL.canParse(origin)) return origin;
  const { protocol, port } = new URL(origin);
  const host =
    address.includes(':') && !address.startsWith('[') && address.split(':').length > 2
      ? `[${address}]`
      : address;
  const hasPort = /:\d+$/.test(host) && !host.endsWith(']');
  return `${protocol}//${host}${hasPort || port === '' ? '' : `:${port}`}`;
}
