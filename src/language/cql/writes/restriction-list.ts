import type { ColumnSchema } from '../../../catalog/cql/table-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { assert } from '../../../foundation/assert.ts';
import type { KeyRestriction, SliceRestriction } from './key-restriction.ts';

/** What is said of the columns of one part of the key, in the order of the columns; what cannot be said together is refused. */
export class RestrictionList {
  #restrictions: KeyRestriction[] = [];

  get all(): readonly KeyRestriction[] {
    return this.#restrictions;
  }

  get columns(): readonly ColumnSchema[] {
    return this.#restrictions.flatMap(({ columns }) => columns);
  }

  get hasSlice(): boolean {
    return this.#restrictions.some(({ kind }) => kind === 'slice');
  }

  get hasIn(): boolean {
    return this.#restrictions.some(({ kind }) => kind === 'in');
  }

  add(restriction: KeyRestriction): void {
    let merged = restriction;
    const others: KeyRestriction[] = [];
    for (const existing of this.#restrictions) {
      if (isDisjoint(existing, restriction)) others.push(existing);
      else merged = mergeRestrictions(existing, merged);
    }
    others.push(merged);
    this.#restrictions = others.sort((left, right) => firstPosition(left) - firstPosition(right));
  }

  /** After a slice no later column may be restricted. */
  addInOrder(restriction: KeyRestriction): void {
    const last = this.#restrictions.at(-1);
    const before = this.#restrictions;
    this.add(restriction);
    if (last === undefined) return;
    const [lastColumn] = last.columns;
    const [newColumn] = restriction.columns;
    assert(lastColumn !== undefined && newColumn !== undefined, 'a restriction has a column');
    if (last.kind === 'slice' && newColumn.position > lastColumn.position) {
      throw invalidRequest(
        `Clustering column "${newColumn.name}" cannot be restricted (preceding column "${lastColumn.name}" is restricted by a non-EQ relation)`,
      );
    }
    if (restriction.kind === 'slice' && newColumn.position < lastColumn.position) {
      const next = before.find((other) => firstPosition(other) > newColumn.position) ?? last;
      throw invalidRequest(
        `PRIMARY KEY column "${next.columns[0]?.name}" cannot be restricted (preceding column "${newColumn.name}" is restricted by a non-EQ relation)`,
      );
    }
  }
}

function firstPosition({ columns }: KeyRestriction): number {
  return columns[0]?.position ?? 0;
}

function isDisjoint(left: KeyRestriction, right: KeyRestriction): boolean {
  return !left.columns.some((column) => right.columns.includes(column));
}

function mergeRestrictions(existing: KeyRestriction, added: KeyRestriction): KeyRestriction {
  const common = existing.columns.filter((column) => added.columns.includes(column));
  const names = common.map(({ name }) => name).join(', ');
  if (existing.kind !== 'slice') {
    const what = existing.kind === 'eq' ? 'an Equal' : 'a IN';
    throw invalidRequest(`${names} cannot be restricted by more than one relation if it includes ${what}`);
  }
  if (added.kind !== 'slice') {
    throw invalidRequest(
      `Column "${names}" cannot be restricted by both an equality and an inequality relation`,
    );
  }
  return mergeSlices(existing, added, names);
}

function mergeSlices(existing: SliceRestriction, added: SliceRestriction, names: string): SliceRestriction {
  if (existing.columns[0] !== added.columns[0]) {
    const later = firstPosition(existing) > firstPosition(added) ? existing : added;
    throw invalidRequest(
      `Column "${later.columns[0]?.name}" cannot be restricted by two inequalities not starting with the same column`,
    );
  }
  if (existing.start !== undefined && added.start !== undefined) {
    throw invalidRequest(`More than one restriction was found for the start bound on ${names}`);
  }
  if (existing.end !== undefined && added.end !== undefined) {
    throw invalidRequest(`More than one restriction was found for the end bound on ${names}`);
  }
  const columns = existing.columns.length >= added.columns.length ? existing.columns : added.columns;
  return { kind: 'slice', columns, start: existing.start ?? added.start, end: existing.end ?? added.end };
}
