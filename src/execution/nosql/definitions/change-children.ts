// Users, permissions, encryption keys and scripts: what is kept and shown, and needs no more than that.

import { childRecord, noRecord } from '../../../catalog/nosql/definition-records.ts';
import type {
  DatabaseDefinition,
  JsonObject,
  PlainDefinition,
} from '../../../catalog/nosql/nosql-definitions.ts';
import type { NosqlParts } from '../nosql-parts.ts';
import { type ChildPlace, childRid, childrenAt, withChild } from './child-place.ts';
import {
  checkEtag,
  type ExpectedEtag,
  ownerNotFound,
  resourceExists,
  resourceNotFound,
} from './definition-checks.ts';
import { freshIdentity, freshRid, renewedIdentity } from './fresh-identity.ts';

/** Checked, with what the service fills in. */
export interface ChildDraft {
  readonly id: string;
  readonly shown: JsonObject;
}

/** Throws where the draft cannot stand beside the others. */
export type CheckAmong = (others: readonly PlainDefinition[]) => void;

const numberBits = 31;

export function createChild(
  parts: NosqlParts,
  place: ChildPlace,
  draft: ChildDraft,
  checkAmong?: CheckAmong,
): Promise<PlainDefinition> {
  return parts.catalog.inTurn(() => {
    const database = databaseOf(parts, place);
    if (childrenAt(database, place).has(draft.id)) throw resourceExists();
    return write(parts, place, database, { before: undefined, draft, checkAmong });
  });
}

/** Of an upsert: replaced if there is one of that id, else created. */
export function upsertChild(
  parts: NosqlParts,
  place: ChildPlace,
  draft: ChildDraft,
  expected: ExpectedEtag,
  checkAmong?: CheckAmong,
): Promise<{ readonly child: PlainDefinition; readonly isNew: boolean }> {
  return parts.catalog.inTurn(async () => {
    const database = databaseOf(parts, place);
    const before = childrenAt(database, place).get(draft.id);
    if (before !== undefined) checkEtag(before, expected);
    const child = await write(parts, place, database, { before, draft, checkAmong });
    return { child, isNew: before === undefined };
  });
}

/** It may get another id. */
export function replaceChild(
  parts: NosqlParts,
  place: ChildPlace,
  rid: string,
  draft: ChildDraft,
  expected: ExpectedEtag,
  checkAmong?: CheckAmong,
): Promise<PlainDefinition> {
  return parts.catalog.inTurn(() => {
    const database = databaseOf(parts, place);
    const before = childIn(database, place, rid);
    checkEtag(before, expected);
    const same = childrenAt(database, place).get(draft.id);
    if (same !== undefined && same.rid !== rid) throw resourceExists();
    return write(parts, place, database, { before, draft, checkAmong });
  });
}

export function deleteChild(
  parts: NosqlParts,
  place: ChildPlace,
  rid: string,
  expected: ExpectedEtag,
): Promise<void> {
  const { catalog, throughput } = parts;
  return catalog.inTurn(async () => {
    const database = databaseOf(parts, place);
    const before = childIn(database, place, rid);
    checkEtag(before, expected);
    const permissions =
      place.type === 'user' ? (database.users.get(before.id)?.permissions ?? new Map()) : new Map();
    const gone = [rid, ...[...permissions.values()].map((permission) => permission.rid)];
    await throughput.store.records.put(gone.map((each) => noRecord('child', each)));
    catalog.adopt(withChild(database, place, before, undefined));
  });
}

async function write(
  parts: NosqlParts,
  place: ChildPlace,
  database: DatabaseDefinition,
  change: {
    readonly before: PlainDefinition | undefined;
    readonly draft: ChildDraft;
    readonly checkAmong: CheckAmong | undefined;
  },
): Promise<PlainDefinition> {
  const { before, draft, checkAmong } = change;
  const others = [...childrenAt(database, place).values()].filter((each) => each.rid !== before?.rid);
  checkAmong?.(others);
  const identity =
    before === undefined
      ? freshIdentity(parts, draft.id, newRid(parts, place, others))
      : renewedIdentity(parts, before, draft.id);
  const child: PlainDefinition = { ...identity, shown: draft.shown };
  await parts.throughput.store.records.put([childRecord(place.type, place.owner, child)]);
  parts.catalog.adopt(withChild(database, place, before, child));
  return child;
}

function newRid({ random }: NosqlParts, place: ChildPlace, others: readonly PlainDefinition[]): string {
  const taken = new Set(others.map(({ rid }) => rid));
  return freshRid(
    random,
    numberBits,
    (number) => childRid(place, number),
    (rid) => taken.has(rid),
  );
}

function databaseOf({ catalog }: NosqlParts, { database }: ChildPlace): DatabaseDefinition {
  const found = catalog.databaseOfRid(database);
  if (found === undefined) throw ownerNotFound('database');
  return found;
}

function childIn(database: DatabaseDefinition, place: ChildPlace, rid: string): PlainDefinition {
  const found = [...childrenAt(database, place).values()].find((each) => each.rid === rid);
  if (found === undefined) throw resourceNotFound();
  return found;
}
