// An item as a client sent it: checked, and taken apart as far as the server must know it. Its text stays as it came.

import type { ContainerDefinition } from '../../../catalog/nosql/nosql-definitions.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { JsonKeyComponent } from '../../../partitioning/json-key-component.ts';
import { isBinaryJson, textOfBinaryJson } from '../../../values/binary-json.ts';
import { hasSystemProperties, stripSystemProperties } from '../../../values/json-item.ts';
import { parseJson } from '../../../values/parse-json.ts';
import { LARGEST_TTL_SECONDS, type StoredItem } from '../../../values/stored-item.ts';
import { indexTermsOf } from './indexed-terms.ts';
import { partitionKeyOf } from './item-partition-key.ts';
import { invalidId, invalidPayload, invalidTtl, missingId, tooLarge } from './item-refusals.ts';
import { systemBytes } from './item-text.ts';
import { uniqueKeysOf } from './unique-keys.ts';

/** What is known of an item by its text and its container. */
export interface ItemFacts {
  readonly id: string;
  readonly partitionKey: readonly JsonKeyComponent[];
  /** The item's own; undefined leaves it to the container. */
  readonly ttlSeconds: number | undefined;
  /** Of each constraint of the container, what must not be there twice. */
  readonly uniqueKeys: readonly ByteString[];
  readonly indexTerms: number;
  /** At the top level. */
  readonly properties: number;
}

export interface ItemDraft extends ItemFacts {
  /** Without system properties. */
  readonly text: Buffer;
}

/** UTF-8 of an item with its system properties; limits. */
const maxItemBytes = 2 * 2 ** 20;
const maxIdBytes = 1_023;
/** Of what comes in binary: an item with system properties that will not be stored may be a little longer. */
const maxBinaryTextBytes = 2.5 * 2 ** 20;

export function draftItem(container: ContainerDefinition, sent: Buffer): ItemDraft {
  const body = isBinaryJson(sent) ? textOfBinary(sent) : sent;
  const item = parseItem(body);
  const facts = factsOf(container, item, ttlOf(container, item));
  const text = hasSystemProperties(item) ? stripSystemProperties(body) : body;
  if (text.length + systemBytes > maxItemBytes) throw tooLarge(text.length + systemBytes, maxItemBytes);
  // What is new stands before a spread: V8 gives an object that gets members behind one a hidden class of its own each time.
  return { text, ...facts };
}

function textOfBinary(sent: Buffer): Buffer {
  return textOfBinaryJson(sent, maxBinaryTextBytes, {
    malformed: invalidPayload,
    tooLong: (bytes) => tooLarge(bytes, maxItemBytes),
  });
}

/** Of a stored item: it was checked when it came, perhaps by other rules for its ttl than hold now. */
export function factsOfStored(
  container: ContainerDefinition,
  { payload, ttlSeconds }: Pick<StoredItem, 'payload' | 'ttlSeconds'>,
): ItemFacts {
  return factsOf(container, parseItem(payload), ttlSeconds);
}

function parseItem(body: Buffer): Readonly<Record<string, unknown>> {
  const parsed = parseJson(body, invalidPayload);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw invalidPayload();
  return parsed as Readonly<Record<string, unknown>>;
}

function factsOf(
  container: ContainerDefinition,
  item: Readonly<Record<string, unknown>>,
  ttlSeconds: number | undefined,
): ItemFacts {
  const id = Object.hasOwn(item, 'id') ? item['id'] : undefined;
  if (id === undefined || id === null) throw missingId();
  if (typeof id !== 'string') throw invalidPayload();
  refuseWrongId(id);
  // First, because it refuses what is nested too deeply for anything else to be done with it.
  const indexTerms = indexTermsOf(container, item);
  return {
    id,
    partitionKey: partitionKeyOf(container, item),
    ttlSeconds,
    uniqueKeys: uniqueKeysOf(container, item),
    indexTerms,
    properties: Object.keys(item).length,
  };
}

function refuseWrongId(id: string): void {
  // Almost every id is so short that its bytes need not be counted.
  const isTooLong = id.length > maxIdBytes / 3 && Buffer.byteLength(id) > maxIdBytes;
  if (id === '' || isTooLong || id.includes('/') || id.includes('\\')) throw invalidId(id);
}

/** Where the container has no TTL an item's own counts for nothing, whatever it is, until somebody turns it on. */
function ttlOf(
  { defaultTtlSeconds }: ContainerDefinition,
  item: Readonly<Record<string, unknown>>,
): number | undefined {
  if (!Object.hasOwn(item, 'ttl')) return undefined;
  const ttl = item['ttl'];
  const isValid =
    typeof ttl === 'number' &&
    Number.isInteger(ttl) &&
    (ttl === -1 || (ttl > 0 && ttl <= LARGEST_TTL_SECONDS));
  if (isValid) return ttl;
  if (defaultTtlSeconds === undefined) return undefined;
  throw invalidTtl(ttl);
}
