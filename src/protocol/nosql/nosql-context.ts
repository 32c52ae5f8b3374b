import { MAX_DATABASES_AND_CONTAINERS } from '../../execution/nosql/definitions/definition-checks.ts';
import type { ChangeFeeds } from '../../execution/nosql/feeds/read-changes.ts';
import type { NosqlParts } from '../../execution/nosql/nosql-parts.ts';
import type { ConsistencyLevel } from './consistency-level.ts';
import type { ResourceTokens } from './resource-tokens.ts';

/** What handlers work on. */
export interface NosqlContext {
  readonly parts: NosqlParts;
  readonly changeFeeds: ChangeFeeds;
  readonly settings: NosqlSettings;
  /** Permissions' tokens are made by it. */
  readonly tokens: ResourceTokens;
}

export interface NosqlSettings {
  /** The account's: what a request gets that does not ask for less. */
  readonly consistency: ConsistencyLevel;
  /** Host, or host and port, told to clients instead of what they dialled; undefined for that. */
  readonly broadcastAddress: string | undefined;
  /** Other origins whose pages may send requests, beside those that this server serves. */
  readonly allowedOrigins: readonly string[];
  /** Together. */
  readonly maxDatabasesAndContainers: number;
}

export const defaultNosqlSettings: NosqlSettings = {
  consistency: 'Session',
  broadcastAddress: undefined,
  allowedOrigins: [],
  maxDatabasesAndContainers: MAX_DATABASES_AND_CONTAINERS,
};
