// WHERE as a whole: what it says of the partition key, of the clustering columns and of the rest, whether that can be read, and by which
// of them it is read. The checks, their order and their words are those of Cassandra's StatementRestrictions.

import type { ColumnSchema, IndexSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import type { TermContext } from '../expressions/term-context.ts';
import { printQualifiedName } from '../print-name.ts';
import type { Relation } from '../relations.ts';
import { hasSupportingIndex, indexGroups, needsFiltering } from './index-support.ts';
import { printRelation } from './print-relation.ts';
import { relationRestriction } from './relation-restriction.ts';
import type { Restriction } from './restriction.ts';
import { RestrictionSet } from './restriction-set.ts';
import { mergeTokenRestrictions, type TokenRestriction, tokenRestriction } from './token-restriction.ts';

export const filteringMessage: string =
  'Cannot execute this query as it might involve data filtering and thus may have unpredictable performance. ' +
  'If you want to execute this query despite the performance unpredictability, use ALLOW FILTERING';

export interface SelectRestrictions {
  readonly partitionKey: RestrictionSet;
  readonly token: TokenRestriction | undefined;
  readonly clustering: RestrictionSet;
  readonly others: RestrictionSet;
  /** Which of the sets are asked of each row. */
  readonly filters: {
    readonly partitionKey: boolean;
    readonly clustering: boolean;
    readonly others: boolean;
  };
  /** Partitions are met in ring order, and not looked up by their keys. */
  readonly isKeyRange: boolean;
  readonly usesIndex: boolean;
  /** Several partitions are looked up. */
  readonly isKeyIn: boolean;
  /** Partitions that have static columns only are not left out. */
  readonly showsStaticsAlone: boolean;
}

export interface RestrictionSettings {
  readonly allowsFiltering: boolean;
  /** Of a table that is small: ALLOW FILTERING need not be said. */
  readonly filtersFreely: boolean;
  readonly selectsOnlyStatics: boolean;
}

export function selectRestrictions(
  relations: readonly Relation[],
  table: TableSchema,
  settings: RestrictionSettings,
  context: TermContext,
): SelectRestrictions {
  const sets = collect(relations, table, settings.allowsFiltering, context);
  refuseIndexExpressions(relations, table);
  const { partitionKey, token, clustering, others } = sets;
  const { indexes } = table;
  const mayFilter = settings.allowsFiltering || settings.filtersFreely;
  const hasIndexOn = (set: RestrictionSet) => set.all.some((one) => hasSupportingIndex(one, indexes));
  const hasClusteringIndex = hasIndexOn(clustering);
  const hasIndex = hasClusteringIndex || hasIndexOn(partitionKey) || hasIndexOn(others);

  const filtersKey = keyNeedsFiltering(partitionKey, table);
  if (filtersKey && !mayFilter && !hasIndex) throw invalidRequest(filteringMessage);
  const isOnToken = token !== undefined && (filtersKey || partitionKey.size < table.partitionKey.length);
  const isKeyRange = isOnToken || filtersKey || (partitionKey.size === 0 && token === undefined);
  let usesIndex = hasIndex && (filtersKey || (partitionKey.size === 0 && token === undefined));
  const filtersPartitionKey = usesIndex || filtersKey;

  if (settings.selectsOnlyStatics && clustering.size > 0) {
    throw invalidRequest('Cannot restrict clustering columns when selecting only static columns');
  }
  const filtersClusteringColumns = clusteringNeedsFiltering(clustering);
  refuseClustering(clustering, table, hasIndex, settings.allowsFiltering);
  if (filtersClusteringColumns && hasIndex) usesIndex = true;
  if (isKeyRange && hasClusteringIndex) usesIndex = true;
  const filtersClustering = usesIndex || filtersClusteringColumns;

  if (others.size > 0) {
    refuseIndexedVectors(others, indexes);
    if (hasIndex) usesIndex = true;
    else if (!mayFilter) throw invalidRequest(filteringMessage);
  }
  const isKeyIn = !isOnToken && partitionKey.has('in');
  if (usesIndex && isKeyIn) {
    throw invalidRequest(
      'Select on indexed columns and with IN clause for the PRIMARY KEY are not supported',
    );
  }
  return {
    partitionKey,
    token,
    clustering,
    others,
    filters: {
      partitionKey: filtersPartitionKey && partitionKey.size > 0,
      clustering: filtersClustering && clustering.size > 0,
      others: others.size > 0,
    },
    isKeyRange,
    usesIndex,
    isKeyIn,
    showsStaticsAlone: clustering.size === 0 && !others.columns.some(({ kind }) => kind === 'regular'),
  };
}

/** Refuses what would have to look at rows that it does not give; asked last of all checks. */
export function refuseFiltering(
  { partitionKey, clustering, others, filters, isKeyRange, usesIndex }: SelectRestrictions,
  { indexes }: TableSchema,
  { allowsFiltering, filtersFreely }: RestrictionSettings,
): void {
  if (allowsFiltering || filtersFreely || !(isKeyRange || usesIndex)) return;
  const filtered = [
    ...(filters.partitionKey ? partitionKey.all : []),
    ...(filters.clustering ? clustering.all : []),
    ...(filters.others ? others.all : []),
  ];
  const isFiltered =
    filtered.length === 0
      ? clustering.size > 0
      : !indexGroups(indexes).some((group) => !filtered.some((one) => needsFiltering(one, group)));
  if (isFiltered) throw invalidRequest(filteringMessage);
}

/** Up to where clustering columns narrow the range that is read; what is behind it is asked of each row. */
export function sliceableClustering(clustering: RestrictionSet): readonly Restriction[] {
  const sliceable: Restriction[] = [];
  let position = 0;
  for (const restriction of clustering.all) {
    if (isFiltered(restriction, position)) break;
    sliceable.push(restriction);
    if (restriction.kind === 'slice') break;
    position = (restriction.columns.at(-1)?.position ?? 0) + 1;
  }
  return sliceable;
}

export function isColumnEqual(
  { partitionKey, clustering }: SelectRestrictions,
  column: ColumnSchema,
): boolean {
  const restriction = (column.kind === 'partition_key' ? partitionKey : clustering).of(column);
  return restriction?.kind === 'equal';
}

interface CollectedRestrictions {
  partitionKey: RestrictionSet;
  token: TokenRestriction | undefined;
  clustering: RestrictionSet;
  others: RestrictionSet;
}

function collect(
  relations: readonly Relation[],
  table: TableSchema,
  allowsFiltering: boolean,
  context: TermContext,
): CollectedRestrictions {
  const sets: CollectedRestrictions = {
    partitionKey: new RestrictionSet(),
    token: undefined,
    clustering: new RestrictionSet(),
    others: new RestrictionSet(),
  };
  for (const relation of relations) {
    if (relation.kind === 'isNotNull') {
      throw invalidRequest(`Unsupported restriction: ${printRelation(relation)}`);
    }
    if (relation.kind === 'indexExpression') continue;
    if (relation.kind === 'token') {
      const added = tokenRestriction(relation, table, context);
      sets.token = sets.token === undefined ? added : mergeTokenRestrictions(sets.token, added, table);
      continue;
    }
    const restriction = relationRestriction(relation, table, context);
    if (relation.kind === 'comparison' && relation.operator === 'LIKE') {
      throw invalidRequest(
        `LIKE restriction is only supported on properly indexed columns. ${printRelation(relation)} is not valid.`,
      );
    }
    add(sets, restriction, table, allowsFiltering);
  }
  return sets;
}

function add(
  sets: CollectedRestrictions,
  restriction: Restriction,
  { indexes }: TableSchema,
  allowsFiltering: boolean,
): void {
  switch (restriction.columns[0]?.kind) {
    case 'partition_key':
      sets.partitionKey = sets.partitionKey.with(restriction);
      break;
    case 'clustering': {
      const merged = sets.clustering.with(restriction);
      if (!allowsFiltering && !hasSupportingIndex(restriction, indexes)) {
        refuseAfterSlice(sets.clustering, restriction, merged);
      }
      sets.clustering = merged;
      break;
    }
    default:
      sets.others = sets.others.with(restriction);
  }
}

function refuseAfterSlice(known: RestrictionSet, added: Restriction, merged: RestrictionSet): void {
  const { last } = known;
  const lastStart = last?.columns[0];
  const addedStart = added.columns[0];
  if (last === undefined || lastStart === undefined || addedStart === undefined) return;
  if (last.kind === 'slice' && addedStart.position > lastStart.position) {
    throw invalidRequest(
      `Clustering column "${addedStart.name}" cannot be restricted (preceding column "${lastStart.name}" is restricted by a non-EQ relation)`,
    );
  }
  if (addedStart.position < lastStart.position && added.kind === 'slice') {
    const next = merged.columnAfter(addedStart)?.name;
    throw invalidRequest(
      `PRIMARY KEY column "${next}" cannot be restricted (preceding column "${addedStart.name}" is restricted by a non-EQ relation)`,
    );
  }
}

function keyNeedsFiltering(set: RestrictionSet, { partitionKey }: TableSchema): boolean {
  if (set.size === 0) return false;
  return set.size < partitionKey.length || set.has('slice') || set.has('contains');
}

function clusteringNeedsFiltering(clustering: RestrictionSet): boolean {
  let position = 0;
  for (const restriction of clustering.all) {
    if (isFiltered(restriction, position)) return true;
    if (restriction.kind !== 'slice') position = (restriction.columns.at(-1)?.position ?? 0) + 1;
  }
  return false;
}

function isFiltered({ kind, columns }: Restriction, position: number): boolean {
  return kind === 'contains' || columns[0]?.position !== position;
}

function refuseClustering(
  set: RestrictionSet,
  { clustering }: TableSchema,
  hasIndex: boolean,
  allowsFiltering: boolean,
): void {
  if (hasIndex || allowsFiltering) return;
  if (set.has('contains')) {
    throw invalidRequest(
      'Clustering columns can only be restricted with CONTAINS with a secondary index or filtering',
    );
  }
  if (!clusteringNeedsFiltering(set)) return;
  for (const [at, column] of set.columns.entries()) {
    const expected = clustering[at];
    if (expected !== undefined && expected !== column) {
      throw invalidRequest(
        `PRIMARY KEY column "${column.name}" cannot be restricted as preceding column "${expected.name}" is not restricted`,
      );
    }
  }
}

/** None of the indexes that there are has expressions of its own. */
function refuseIndexExpressions(relations: readonly Relation[], table: TableSchema): void {
  const [first, ...others] = relations.filter((relation) => relation.kind === 'indexExpression');
  if (first === undefined) return;
  if (others.length > 0) {
    throw invalidRequest('Multiple custom index expressions in a single query are not supported');
  }
  const found = table.indexes.find(({ name }) => name === first.index);
  if (found === undefined) {
    throw invalidRequest(
      `Invalid index expression, index ${first.index} not found for ${printQualifiedName(table)}`,
    );
  }
  if (found.kind !== 'CUSTOM') {
    throw invalidRequest(
      `Only CUSTOM indexes may be used in custom index expressions, ${first.index} is not valid`,
    );
  }
  throw invalidRequest(`Index ${first.index} does not support custom expressions`);
}

function refuseIndexedVectors(others: RestrictionSet, indexes: readonly IndexSchema[]): void {
  const vector = others.columns.find(({ type }) => type.kind === 'vector');
  if (vector !== undefined && indexes.some(({ column }) => column === vector.name)) {
    throw invalidRequest('Vector indexes only support ANN queries');
  }
}
