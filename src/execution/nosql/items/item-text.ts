import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import { etagOf } from '../../../values/etag.ts';
import { spliceSystemProperties } from '../../../values/json-item.ts';
import { ridInContainer } from '../../../values/resource-id.ts';
import { type StoredItem, writeSecondOf } from '../../../values/stored-item.ts';

/** The item as clients see it. */
export function textOfItem(container: ContainerDefinition, item: StoredItem): Buffer {
  const rid = ridInContainer(container.rid, 'document', item.rid ?? 0);
  return spliceSystemProperties(item.payload, {
    rid,
    self: `dbs/${container.databaseRid}/colls/${container.rid}/docs/${rid}/`,
    etag: etagOf(item.timestamp ?? 0),
    ts: writeSecondOf(item),
  });
}

/** What the system properties add to a text: the same for all items, until seconds since 1970 have eleven digits. */
export const systemBytes: number =
  spliceSystemProperties(Buffer.from('{"a":1}'), {
    rid: 'r'.repeat(24),
    self: `dbs/${'d'.repeat(8)}/colls/${'c'.repeat(12)}/docs/${'r'.repeat(24)}/`,
    etag: etagOf(0),
    ts: 1_700_000_000,
  }).length - '{"a":1}'.length;

/** Bytes that are charged and limited: those of the text with its system properties. */
export function shownBytesOf({ payload }: Pick<StoredItem, 'payload'>): number {
  return payload.length + systemBytes;
}
