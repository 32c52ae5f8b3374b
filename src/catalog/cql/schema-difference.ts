// What has to be written so that one schema becomes another. Virtual keyspaces are made by the server, and never written.

import type { SystemRecord } from '../../replication/system-records.ts';
import type { Keyspace } from './cql-schema.ts';
import { keyspaceRecord, tableRecord, typeRecord } from './schema-records.ts';

type Keyspaces = ReadonlyMap<string, Keyspace>;

export function recordsOfDifference(before: Keyspaces, after: Keyspaces): SystemRecord[] {
  return namesOf(before, after).flatMap((name) => {
    const old = stored(before.get(name));
    const now = stored(after.get(name));
    if (old === now) return [];
    return [
      ...differing(keyspaceRecord(name, old), keyspaceRecord(name, now)),
      ...differences(old?.types, now?.types, (type, of) => typeRecord(name, type, of)),
      ...differences(old?.tables, now?.tables, (table, of) => tableRecord(name, table, of)),
    ];
  });
}

/** Containers of tables that are there before and not after. */
export function containersGone(before: Keyspaces, after: Keyspaces): number[] {
  const staying = new Set(containersOf(after));
  return containersOf(before).filter((container) => !staying.has(container));
}

export function containersOf(keyspaces: Keyspaces): number[] {
  return [...keyspaces.values()].flatMap(({ tables }) =>
    [...tables.values()].flatMap(({ container }) => (container === undefined ? [] : [container])),
  );
}

function stored(keyspace: Keyspace | undefined): Keyspace | undefined {
  return keyspace?.isVirtual === true ? undefined : keyspace;
}

function differences<T>(
  before: ReadonlyMap<string, T> = new Map(),
  after: ReadonlyMap<string, T> = new Map(),
  recordOf: (name: string, value: T | undefined) => SystemRecord,
): SystemRecord[] {
  return namesOf(before, after).flatMap((name) => {
    const old = before.get(name);
    const now = after.get(name);
    return old === now ? [] : differing(recordOf(name, old), recordOf(name, now));
  });
}

/** Another object may still say the same: a definition that was set to what it was is no change. */
function differing(before: SystemRecord, after: SystemRecord): SystemRecord[] {
  return JSON.stringify(before.value) === JSON.stringify(after.value) ? [] : [after];
}

function namesOf(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])];
}
