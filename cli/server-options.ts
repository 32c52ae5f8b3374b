import type { Config } from '../src/config.ts';
import type { Log } from '../src/foundation/log.ts';
import type { RingfoldOptions } from '../src/ringfold.ts';

const bytesPerMb = 2 ** 20;

/** What `startRingfold` is given for a configuration. */
export function optionsOf(config: Config, ownerName: string, log: Log): RingfoldOptions {
  const broadcastAddress = given(config.broadcastAddress);
  const { keysFile, issuer, audience, structureOnly } = config.entra;
  return {
    host: config.host,
    port: config.port,
    cqlPort: config.cqlPort,
    cql: {
      settings: {
        alwaysAsksLogin: config.auth,
        retriesRefused: config.serverSideRetry,
        broadcastAddress,
        readTimeoutMs: config.cqlReadTimeoutMs,
        writeTimeoutMs: config.cqlWriteTimeoutMs,
      },
    },
    nosql: {
      settings: {
        consistency: config.consistency,
        broadcastAddress,
        allowedOrigins: config.allowedOrigins,
        maxDatabasesAndContainers: config.maxDatabasesAndContainers,
      },
      keys: Object.fromEntries(Object.entries(config.keys).filter(([, key]) => key !== '')),
      entra:
        keysFile === '' && !structureOnly
          ? undefined
          : { keysFile: given(keysFile), issuer: given(issuer), audience: given(audience), structureOnly },
    },
    tls: config.tlsCert === '' ? undefined : { certificate: config.tlsCert, key: config.tlsKey },
    ...(config.inMemory ? {} : { dataDir: config.dataDir, nodeDirs: config.nodeDirs }),
    ...(config.nodes === undefined ? {} : { nodes: config.nodes }),
    rowStore: config.rowStore,
    rebuildNodes: config.rebuildNodes,
    forceRecover: config.forceRecover,
    settings: {
      cacheBytes: config.cacheMb * bytesPerMb,
      logRetentionBytes: config.logRetentionMb * bytesPerMb,
      scrubIntervalMs: config.scrubIntervalS * 1_000,
      reserveFreeBytes: config.reserveFreeMb * bytesPerMb,
    },
    throughput: {
      enforceDefaults: config.enforceDefaults,
      serverless: config.serverless,
      chargeProfile: config.chargeProfile,
      listPrices: config.listPrices,
      burst: config.burst,
      maxLogicalPartitionBytes: config.maxLogicalPartitionBytes,
    },
    purge: { intervalMs: config.purgeIntervalS * 1_000 },
    ownerName,
    log,
  };
}

/** Settings that are texts are empty where nobody gave one. */
function given(text: string): string | undefined {
  return text === '' ? undefined : text;
}
