// Whose throughput an offer is. Databases and containers each have an offer's rid from the start, whether they have throughput or not.

import type { NosqlCatalog } from '../../../catalog/nosql/nosql-catalog.ts';
import type { ContainerDefinition, DatabaseDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { containerOwner, databaseOwner, type ThroughputOwner } from '../../../catalog/throughput-owner.ts';
import { offerRid } from '../../../values/resource-id.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { freshRid } from './fresh-identity.ts';

/** Names of keyspaces and of databases made by hand have no colon, so nobody else's throughput is under this name. */
const prefix = 'nosql:';

/** The name under which a database's throughput is kept. */
export function throughputName({ rid }: Pick<DatabaseDefinition, 'rid'>): string {
  return `${prefix}${rid}`;
}

/** The rid of the database whose throughput is under the name; undefined for one of another door. */
export function ridOfThroughputName(name: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}

/** A database or a container, as far as its throughput goes. */
export interface OfferOwner {
  readonly resource: DatabaseDefinition | ContainerDefinition;
  readonly owner: ThroughputOwner;
  /** Its `_self`. */
  readonly self: string;
}

/** In the order in which the resources were made, databases before what is in them. */
export function* offerOwners(catalog: NosqlCatalog): Generator<OfferOwner> {
  for (const database of catalog.databases()) {
    if (database.hasSharedThroughput)
      yield {
        resource: database,
        owner: databaseOwner(throughputName(database)),
        self: `dbs/${database.rid}/`,
      };
    for (const container of database.containers.values()) yield offerOwnerOf(container);
  }
}

function offerOwnerOf(container: ContainerDefinition): OfferOwner {
  return {
    resource: container,
    owner: containerOwner(container.container),
    self: `dbs/${container.databaseRid}/colls/${container.rid}/`,
  };
}

const offerBits = 24;

export function freshOfferRid({ catalog, random }: Pick<NosqlParts, 'catalog' | 'random'>): string {
  const taken = new Set(
    catalog
      .databases()
      .flatMap((database) => [
        database.offerRid,
        ...[...database.containers.values()].map((container) => container.offerRid),
      ]),
  );
  return freshRid(random, offerBits, offerRid, (rid) => taken.has(rid));
}
