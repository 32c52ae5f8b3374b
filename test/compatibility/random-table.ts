// A table of any shape, with the types it needs.

import type { RandomChoice } from './random-choice.ts';
import {
  type ColumnType,
  counter,
  frozen,
  hasOrder,
  randomComposedType,
  randomFrozenType,
  scalar,
  scalarNames,
  type UserType,
} from './random-value.ts';

export interface RandomColumn {
  readonly name: string;
  readonly kind: 'partition' | 'clustering' | 'static' | 'regular';
  readonly type: ColumnType;
}

export interface RandomTable {
  readonly types: readonly UserType[];
  readonly columns: readonly RandomColumn[];
  readonly isCounter: boolean;
  /** How many of the writes have conditions. */
  readonly conditional: number;
  /** To run before anything else; `TT` stands for the table's name. */
  readonly typeDefinitions: readonly string[];
  readonly definitions: readonly string[];
}

/** The table after one of its columns was dropped, or one added; and the statement that does it. */
export function alteredTable(
  choice: RandomChoice,
  table: RandomTable,
  dropped: readonly RandomColumn[],
): { readonly table: RandomTable; readonly statement: string } {
  const regular = columnsOf(table, 'regular');
  const gone = dropped.filter(({ name }) => !regular.some((column) => column.name === name));
  if (regular.length > 1 && (gone.length === 0 || choice.happens(0.5))) {
    const column = choice.one(regular);
    const columns = table.columns.filter((other) => other !== column);
    return { table: { ...table, columns }, statement: `ALTER TABLE TT DROP ${column.name}` };
  }
  const column: RandomColumn =
    gone.length > 0 && choice.happens(0.7)
      ? choice.one(gone)
      : {
          name: `v${choice.integer(5, 9)}`,
          kind: 'regular',
          type: table.isCounter ? counter : scalar('int'),
        };
  const columns = [...table.columns.filter(({ name }) => name !== column.name), column];
  return { table: { ...table, columns }, statement: `ALTER TABLE TT ADD ${column.name} ${column.type.name}` };
}

export function columnsOf(table: RandomTable, kind: RandomColumn['kind']): readonly RandomColumn[] {
  return table.columns.filter((column) => column.kind === kind);
}

const keyScalars: readonly string[] = scalarNames.filter((name) => name !== 'duration');

export function randomTable(choice: RandomChoice, seed: number): RandomTable {
  const users = randomUserTypes(choice, seed);
  const keyType = (): ColumnType => {
    if (choice.happens(0.6)) return scalar(choice.one(['int', 'text', 'bigint', 'int']));
    if (choice.happens(0.8)) return scalar(choice.one(keyScalars));
    const type = frozen(randomFrozenType(choice, users, 1));
    return hasOrder(type) ? type : scalar('int');
  };
  const isCounter = choice.happens(0.12);
  const plainType = (): ColumnType => {
    if (isCounter) return counter;
    if (choice.happens(0.5)) return scalar(choice.one([...scalarNames, 'int', 'int', 'text']));
    const type = randomComposedType(choice, users, 1);
    return choice.happens(0.3) ? frozen(type) : type;
  };
  const clusteringCount = choice.one([0, 1, 1, 2, 2, 3]);
  const named = (kind: RandomColumn['kind'], letter: string, count: number, type: () => ColumnType) =>
    choice.times(count, (index): RandomColumn => ({ name: `${letter}${index}`, kind, type: type() }));
  const partition = named('partition', 'p', choice.one([1, 1, 2, 3]), keyType);
  const clustering = named('clustering', 'c', clusteringCount, keyType);
  const statics = named('static', 's', clusteringCount === 0 ? 0 : choice.integer(0, 2), plainType);
  const regular = named('regular', 'v', choice.integer(isCounter ? 1 : 0, 4), plainType);
  const columns = [...partition, ...clustering, ...statics, ...regular];
  return {
    types: users,
    columns,
    isCounter,
    conditional: choice.one([0.05, 0.1, 0.5]),
    typeDefinitions: users.map(
      ({ name, fields }) =>
        `CREATE TYPE ${name} (${fields.map((field) => `${field.name} ${field.type.name}`).join(', ')})`,
    ),
    definitions: [
      definitionOf(choice, columns),
      ...(isCounter || regular.length === 0 || choice.happens(0.6)
        ? []
        : [indexOn(choice, choice.one(regular))]),
    ],
  };
}

function randomUserTypes(choice: RandomChoice, seed: number): UserType[] {
  const users: UserType[] = [];
  for (let count = choice.integer(0, 2); count > 0; count--) {
    const fields = choice.times(choice.integer(1, 3), (index) => ({
      name: `f${index}`,
      type: frozen(randomFrozenType(choice, users, 1)),
    }));
    users.push({ name: `u${users.length}_${seed}`, fields });
  }
  return users;
}

function definitionOf(choice: RandomChoice, columns: readonly RandomColumn[]): string {
  const names = (kind: RandomColumn['kind']) =>
    columns.filter((column) => column.kind === kind).map(({ name }) => name);
  const clustering = names('clustering');
  const columnTexts = columns.map(
    ({ name, kind, type }) => `${name} ${type.name}${kind === 'static' ? ' static' : ''}`,
  );
  const order = clustering.map((name) => `${name} ${choice.one(['ASC', 'DESC'])}`);
  const key = [`(${names('partition').join(', ')})`, ...clustering].join(', ');
  const isExpiring = choice.happens(0.1) && !columns.some(({ type }) => type.kind === 'counter');
  const options = [
    ...(clustering.length > 0 && choice.happens(0.6) ? [`CLUSTERING ORDER BY (${order.join(', ')})`] : []),
    ...(isExpiring ? ['default_time_to_live = 100000'] : []),
  ];
  return `CREATE TABLE TT (${columnTexts.join(', ')}, PRIMARY KEY (${key}))${options.length === 0 ? '' : ` WITH ${options.join(' AND ')}`}`;
}

function indexOn(choice: RandomChoice, { name, type }: RandomColumn): string {
  const parts = type.kind === 'map' ? ['keys', 'values', 'entries'] : ['values'];
  const isCollection = type.kind === 'list' || type.kind === 'set' || type.kind === 'map';
  const target = !isCollection ? name : type.isFrozen ? `full(${name})` : `${choice.one(parts)}(${name})`;
  return `CREATE INDEX ON TT (${target})${choice.happens(0.4) ? " USING 'sai'" : ''}`;
}
