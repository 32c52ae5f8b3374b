// `system_auth`, `system_traces` and `system_distributed`, which Cassandra keeps like tables of its users.

import type { Role, Roles } from '../../../catalog/cql/roles.ts';
import { printUuid } from '../../../values/cql-codec.ts';
import type { TraceEvent, TraceSession, TraceSessions } from '../trace-sessions.ts';
import type { VirtualTable } from '../virtual-table.ts';
import { emptyTable, type NamedRow, tableOfRows } from './named-rows.ts';
import { plainAddress } from './plain-address.ts';
import {
  authLayouts,
  authOptions,
  distributedLayouts,
  emptyAuthLayouts,
  traceLayouts,
  traceOptions,
} from './replicated-layouts.ts';
import { tableOf, type VirtualTableLayout } from './virtual-table-layout.ts';

export function authTables(roles: Pick<Roles, 'all'>): VirtualTable[] {
  const schemaOf = (layout: VirtualTableLayout) => tableOf('system_auth', layout, authOptions);
  return [
    tableOfRows(schemaOf(authLayouts.roles), () => roles.all().map(roleRow)),
    tableOfRows(schemaOf(authLayouts.roleMembers), () =>
      roles.all().flatMap(({ name, memberOf }) => memberOf.map((role) => ({ role, member: name }))),
    ),
    ...emptyAuthLayouts.map((layout) => emptyTable(schemaOf(layout))),
  ];
}

/** What stands for a password is shown to nobody. */
function roleRow({ name, isSuperuser, canLogin, memberOf }: Role): NamedRow {
  return {
    role: name,
    can_login: canLogin,
    is_superuser: isSuperuser,
    member_of: memberOf.length === 0 ? null : memberOf,
  };
}

export function traceTables(traces: Pick<TraceSessions, 'sessions' | 'find'>): VirtualTable[] {
  const schemaOf = (layout: VirtualTableLayout) => tableOf('system_traces', layout, traceOptions);
  const asked = (partitionKey: readonly Buffer[] | undefined): TraceSession[] => {
    const [id] = partitionKey ?? [];
    if (id === undefined) return [...traces.sessions()];
    const session = traces.find(id);
    return session === undefined ? [] : [session];
  };
  return [
    tableOfRows(schemaOf(traceLayouts.sessions), (_session, partitionKey) =>
      asked(partitionKey).map(sessionRow),
    ),
    tableOfRows(schemaOf(traceLayouts.events), (_session, partitionKey) =>
      asked(partitionKey).flatMap((trace) => trace.events.map((event) => eventRow(trace, event))),
    ),
  ];
}

function sessionRow(trace: TraceSession): NamedRow {
  return {
    session_id: printUuid(trace.id),
    client: plainAddress(trace.client),
    command: 'QUERY',
    coordinator: plainAddress(trace.coordinator),
    coordinator_port: trace.coordinatorPort,
    // Drivers ask again until it is there.
    duration: trace.durationMicros ?? null,
    parameters: [...trace.parameters],
    request: trace.request,
    started_at: BigInt(Math.floor(trace.startedAtMs)),
  };
}

function eventRow(trace: TraceSession, { id, activity, elapsedMicros }: TraceEvent): NamedRow {
  return {
    session_id: printUuid(trace.id),
    event_id: printUuid(id),
    activity,
    source: plainAddress(trace.coordinator),
    source_elapsed: elapsedMicros,
    source_port: trace.coordinatorPort,
    thread: 'ringfold',
  };
}

export function distributedTables(): VirtualTable[] {
  return distributedLayouts.map((layout) => emptyTable(tableOf('system_distributed', layout)));
}
