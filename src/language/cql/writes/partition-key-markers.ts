import type { TableSchema } from '../../../catalog/cql/table-schema.ts';
import type { Relation } from '../relations.ts';
import type { InsertStatement } from '../statements/insert.ts';
import type { Term } from '../terms.ts';

/** By the name of the column. The last marker that stands for a column is the one that clients route by. */
export type KeyMarkers = ReadonlyMap<string, number>;

export function markersOfRelations(relations: readonly Relation[]): KeyMarkers {
  const found = new Map<string, number>();
  for (const relation of relations) {
    if (relation.kind === 'comparison') note(found, relation.column, [relation.term]);
    else if (relation.kind === 'in' && !('kind' in relation.values))
      note(found, relation.column, relation.values);
  }
  return found;
}

export function markersOfColumns({ columns, values }: InsertStatement): KeyMarkers {
  const found = new Map<string, number>();
  for (const [at, column] of columns.entries()) {
    const term = values[at];
    if (term !== undefined) note(found, column, [term]);
  }
  return found;
}

/** In the order of the partition key; empty where a column of it has no marker of its own. */
export function partitionKeyIndexes({ partitionKey }: TableSchema, markers: KeyMarkers): readonly number[] {
  const found = partitionKey.flatMap(({ name }) => markers.get(name) ?? []);
  return found.length === partitionKey.length ? found : [];
}

/** Also of `(int)?`, which is about the same column. */
function markerIn(term: Term): number | undefined {
  if (term.kind === 'typeHint') return markerIn(term.term);
  return term.kind === 'marker' ? term.index : undefined;
}

function note(found: Map<string, number>, column: string, terms: readonly Term[]): void {
  for (const term of terms) {
    const marker = markerIn(term);
    if (marker !== undefined) found.set(column, marker);
  }
}
