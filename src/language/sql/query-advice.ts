// What in a query is known to make it dear, by the ids of Microsoft's Query Advisor pages. Clients have the words.

import { partsOf, selectedBy } from './find-aggregates.ts';
import { type Call, type Expression, isQuery, type SqlQuery } from './sql-query.ts';

const byName: Readonly<Record<string, string>> = {
  CONTAINS: 'QA1002',
  ENDSWITH: 'QA1004',
  GETCURRENTDATETIME: 'QA1007',
  GETCURRENTTICKS: 'QA1008',
  GETCURRENTTIMESTAMP: 'QA1009',
};

/** Functions that are dear when their third argument is true. */
const byFlag: Readonly<Record<string, string>> = {
  ARRAY_CONTAINS: 'QA1000',
  STARTSWITH: 'QA1003',
  STRINGEQUALS: 'QA1003',
};

const distinctJoin = 'QA1001';
const computedGroup = 'QA1005';
const changedCase = 'QA1006';
const comparisons = new Set(['=', '!=', '<', '<=', '>', '>=']);

/** Each id once, in their order. */
export function adviceOn(query: SqlQuery): readonly string[] {
  const found = new Set<string>();
  adviseOnQuery(query, found);
  return [...found].sort();
}

function adviseOnQuery(query: SqlQuery, found: Set<string>): void {
  const { select, from, where, groupBy, orderBy } = query;
  if (select.isDistinct && from.length > 1) found.add(distinctJoin);
  if (groupBy.some((node) => node.kind === 'call' || node.kind === 'binary')) found.add(computedGroup);
  for (const { origin } of from) {
    if (isQuery(origin)) adviseOnQuery(origin, found);
    else adviseOn(origin, found);
  }
  if (where !== undefined) {
    if (comparesChangedCase(where)) found.add(changedCase);
    adviseOn(where, found);
  }
  for (const node of [...selectedBy(query), ...groupBy, ...orderBy.map(({ value }) => value)])
    adviseOn(node, found);
}

function adviseOn(node: Expression, found: Set<string>): void {
  if (node.kind === 'subquery') adviseOnQuery(node.query, found);
  if (node.kind === 'call' && !node.isUserDefined) {
    const id = adviceOnCall(node);
    if (id !== undefined) found.add(id);
  }
  for (const part of partsOf(node)) adviseOn(part, found);
}

function adviceOnCall({ name, arguments: given }: Call): string | undefined {
  const known = name.toUpperCase();
  const [, , flag] = given;
  const isSet = flag?.kind === 'literal' && flag.value === true;
  return byName[known] ?? (isSet ? byFlag[known] : undefined);
}

function comparesChangedCase(node: Expression): boolean {
  const isCompared = (node.kind === 'binary' && comparisons.has(node.operator)) || node.kind === 'in';
  return (isCompared && partsOf(node).some(changesCase)) || partsOf(node).some(comparesChangedCase);
}

function changesCase(node: Expression): boolean {
  return node.kind === 'call' && !node.isUserDefined && /^(UPPER|LOWER)$/i.test(node.name);
}
