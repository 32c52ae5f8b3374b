// Definitions as JSON, with their system properties.

import type {
  ContainerDefinition,
  DatabaseDefinition,
  JsonObject,
  PlainDefinition,
  ResourceIdentity,
} from '../../../catalog/nosql/nosql-definitions.ts';

export function shownDatabase(database: DatabaseDefinition): JsonObject {
  return {
    id: database.id,
    ...systemProperties(database, databaseSelf(database.rid)),
    _colls: 'colls/',
    _users: 'users/',
    _ts: database.ts,
  };
}

export function shownContainer(container: ContainerDefinition): JsonObject {
  return {
    ...container.shown,
    ...systemProperties(container, containerSelf(container)),
    _docs: 'docs/',
    _sprocs: 'sprocs/',
    _triggers: 'triggers/',
    _udfs: 'udfs/',
    _conflicts: 'conflicts/',
    _ts: container.ts,
  };
}

/** `ownerSelf` is the `_self` of what it belongs to; the feed is the word that stands in paths. */
export function shownChild(child: PlainDefinition, ownerSelf: string, feed: string): JsonObject {
  return {
    ...child.shown,
    ...systemProperties(child, `${ownerSelf}${feed}/${child.rid}/`),
    ...(feed === 'users' ? { _permissions: 'permissions/' } : {}),
    _ts: child.ts,
  };
}

export function databaseSelf(rid: string): string {
  return `dbs/${rid}/`;
}

export function containerSelf({
  databaseRid,
  rid,
}: Pick<ContainerDefinition, 'databaseRid' | 'rid'>): string {
  return `${databaseSelf(databaseRid)}colls/${rid}/`;
}

/** `_ts` comes last of all, so it is not among them. */
function systemProperties({ rid, etag }: ResourceIdentity, self: string): JsonObject {
  return { _rid: rid, _self: self, _etag: `"${etag}"` };
}
