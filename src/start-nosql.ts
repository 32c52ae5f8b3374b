// Builds what NoSQL clients are served with, from the stored definitions up.

import { readFile } from 'node:fs/promises';
import type { ContainerPurge } from './balancing/container-purge.ts';
import { NosqlCatalog } from './catalog/nosql/nosql-catalog.ts';
import { RingfoldError } from './errors/ringfold-error.ts';
import { dropLeftovers } from './execution/nosql/definitions/drop-leftovers.ts';
import { ChangeFeeds } from './execution/nosql/feeds/read-changes.ts';
import { StoredItemIndex } from './execution/nosql/indexes/stored-item-index.ts';
import { purgeOfItems } from './execution/nosql/items/container-items-purge.ts';
import { DeletedPartitionsCare } from './execution/nosql/items/deleted-partitions-care.ts';
import { PartitionDeletions } from './execution/nosql/items/partition-deletions.ts';
import { nameOfContainer, nameOfLogicalPartition } from './execution/nosql/named-container.ts';
import type { NosqlParts } from './execution/nosql/nosql-parts.ts';
import type { ThroughputParts } from './execution/throughput-parts.ts';
import type { Clock } from './foundation/clock.ts';
import type { Log } from './foundation/log.ts';
import type { Random } from './foundation/random.ts';
import type { Scheduler } from './foundation/scheduler.ts';
import type { ServedTables } from './protocol/admin/admin-context.ts';
import type { HttpListener } from './protocol/http/http-exchange.ts';
import { isLoopback } from './protocol/loopback.ts';
import { type AccountKeys, accountKeys, tokenSecret } from './protocol/nosql/account-keys.ts';
import { Authorization } from './protocol/nosql/authorization.ts';
import { type EntraSettings, EntraTokens } from './protocol/nosql/entra-tokens.ts';
import {
  defaultNosqlSettings,
  type NosqlContext,
  type NosqlSettings,
} from './protocol/nosql/nosql-context.ts';
import { NosqlServer } from './protocol/nosql/nosql-server.ts';
import { ResourceTokens } from './protocol/nosql/resource-tokens.ts';
import type { IndexDirectory } from './storage/index-directory.ts';
import type { ServerTimestamps } from './values/server-timestamps.ts';

export interface NosqlOptions {
  readonly settings: Partial<NosqlSettings>;
  /** Those that are not given are made: see `accountKeys`. */
  readonly keys: Partial<AccountKeys>;
  /** Undefined where no issuer's tokens are accepted. */
  readonly entra: EntraOptions | undefined;
}

export interface EntraOptions {
  /** A file: JWKS, or a public key in PEM. */
  readonly keysFile: string | undefined;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  readonly structureOnly: boolean;
}

export interface StartedNosql {
  readonly answer: HttpListener;
  readonly keys: AccountKeys;
  /** Nobody but the machine itself can reach the server. */
  readonly isOnlyLoopback: boolean;
  readonly containers: ServedTables;
  /** What may go by itself in a container of this door. */
  readonly purgeOf: (container: number) => ContainerPurge | undefined;
  readonly stop: () => Promise<void>;
}

interface Surroundings {
  readonly host: string;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
  readonly timestamps: ServerTimestamps;
  /** Where the index of items is kept. */
  readonly indexDirectory: IndexDirectory;
}

export async function startNosql(
  throughput: ThroughputParts,
  options: NosqlOptions,
  { host, clock, scheduler, random, log, timestamps, indexDirectory }: Surroundings,
): Promise<StartedNosql> {
  const { records } = throughput.store;
  const isOnlyLoopback = host === 'localhost' || isLoopback(host);
  const keys = await accountKeys(records, options.keys, isOnlyLoopback);
  const tokens = new ResourceTokens(tokenSecret(keys));
  const entra = new EntraTokens(await entraSettings(options.entra), [keys.primary, keys.secondary]);
  const catalog = await NosqlCatalog.load(records);
  await dropLeftovers(throughput, catalog);
  const deletions = await PartitionDeletions.load(records);
  const index = await StoredItemIndex.open({
    store: throughput.store,
    catalog,
    directory: indexDirectory,
    scheduler,
    log,
  });
  const parts: NosqlParts = { throughput, catalog, timestamps, deletions, index, random, scheduler };
  const settings: NosqlSettings = { ...defaultNosqlSettings, ...options.settings };
  const context: NosqlContext = { parts, changeFeeds: new ChangeFeeds(parts), settings, tokens };
  const authorization = new Authorization({ keys, tokens, entra, clock });
  const care = new DeletedPartitionsCare(parts, log);
  care.start();
  return {
    answer: new NosqlServer(context, authorization, log).answer,
    keys,
    isOnlyLoopback,
    containers: {
      kind: 'NoSQL container',
      nameOf: (container) => nameOfContainer(parts, container),
      nameOfPartition: (container, logicalPartition) =>
        nameOfLogicalPartition(parts, container, logicalPartition),
    },
    purgeOf: (container) => purgeOfItems(parts, container),
    stop: async () => {
      await care.stop();
      await index.stop();
    },
  };
}

async function entraSettings(options: EntraOptions | undefined): Promise<EntraSettings | undefined> {
  if (options === undefined) return undefined;
  const { keysFile, ...settings } = options;
  if (keysFile === undefined) return { ...settings, keys: undefined };
  try {
    return { ...settings, keys: await readFile(keysFile, 'utf8') };
  } catch (cause) {
    const details = {
      setting: '--entra-keys',
      source: 'the settings',
      reason: `${keysFile} cannot be read`,
    };
    throw new RingfoldError('bad-setting', details, cause);
  }
}
