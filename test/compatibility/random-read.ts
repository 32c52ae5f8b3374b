// SELECT with every clause.

import type { RandomChoice } from './random-choice.ts';
import { type RandomStatement, StatementWriter } from './random-statement.ts';
import type { RandomColumn, RandomTable } from './random-table.ts';
import { randomValue, scalarNames } from './random-value.ts';
import { inList, multiColumn, whereOfPartition } from './random-write.ts';

const comparisons = ['<', '<=', '>', '>='] as const;

export function randomRead(choice: RandomChoice, table: RandomTable): RandomStatement {
  const writer = new StatementWriter(choice, table);
  const isGrouped = choice.happens(0.12);
  const isDistinct = !isGrouped && choice.happens(0.08);
  const isAggregate = isGrouped ? choice.happens(0.7) : choice.happens(0.15);
  const selection = isDistinct
    ? `DISTINCT ${distinctColumns(writer)}`
    : selectors(writer, isAggregate, isGrouped);
  const json = choice.happens(0.08) ? 'JSON ' : '';
  const clauses = [`SELECT ${json}${selection} FROM TT`, where(writer)];
  if (isGrouped) clauses.push(`GROUP BY ${groupColumns(writer)}`);
  if (choice.happens(0.2)) clauses.push(orderBy(writer));
  if (choice.happens(0.12))
    clauses.push(`PER PARTITION LIMIT ${writer.integer(choice.happens(0.05) ? 0 : 1, 3)}`);
  if (choice.happens(0.2)) clauses.push(`LIMIT ${writer.integer(choice.happens(0.05) ? -1 : 1, 5)}`);
  if (choice.happens(0.6)) clauses.push('ALLOW FILTERING');
  const statement = writer.statement(clauses.filter((clause) => clause !== '').join(' '));
  return choice.happens(0.35) ? { ...statement, fetchSize: choice.integer(1, 4) } : statement;
}

function distinctColumns(writer: StatementWriter): string {
  const { choice } = writer;
  const keys = writer.columns('partition').map(({ name }) => name);
  const statics = writer.columns('static').map(({ name }) => name);
  if (choice.happens(0.1)) return choice.one(writer.table.columns).name;
  return [...keys, ...choice.some(statics)].join(', ');
}

function selectors(writer: StatementWriter, isAggregate: boolean, isGrouped: boolean): string {
  const { choice, table } = writer;
  if (!isAggregate && choice.happens(isGrouped ? 0.2 : 0.4)) return '*';
  return choice
    .times(choice.integer(1, 3), () => {
      const column = choice.one(table.columns);
      const chosen =
        isAggregate && choice.happens(0.8) ? aggregate(writer, column) : selector(writer, column, 2);
      return choice.happens(0.1) ? `${chosen} AS ${choice.one(['x', '"Y"', 'p0'])}` : chosen;
    })
    .join(', ');
}

function aggregate(writer: StatementWriter, column: RandomColumn): string {
  const { choice } = writer;
  const name = choice.one(['count', 'min', 'max', 'sum', 'avg']);
  if (choice.happens(0.2)) return choice.one(['count(*)', 'count(1)', 'COUNT(*)']);
  return `${name}(${choice.happens(0.2) ? selector(writer, column, 1) : writer.nameOf(column)})`;
}

function selector(writer: StatementWriter, column: RandomColumn, depth: number): string {
  const { choice, table } = writer;
  const name = writer.nameOf(column);
  const { type } = column;
  const [first] = type.parts;
  if (depth === 0 || choice.happens(0.4)) return name;
  const inner = () => selector(writer, column, depth - 1);
  const element = (): string => {
    if (first === undefined) return name;
    const literal = () => randomValue(choice, first).text;
    if (type.kind === 'user') return `${name}.${choice.one([...type.fields, 'f0'])}`;
    if (type.kind !== 'map' && type.kind !== 'set') return `${name}[0]`;
    return choice.happens(0.7)
      ? `${name}[${literal()}]`
      : `${name}[${literal()}..${choice.happens(0.5) ? literal() : ''}]`;
  };
  const partition = table.columns.filter(({ kind }) => kind === 'partition').map((key) => key.name);
  return choice.weighted([
    // Only at the top, where a time of the server's own clock can be told.
    [
      depth === 2 ? 3 : 0,
      () =>
        `${choice.one(['writetime', 'ttl', 'writetime', 'maxwritetime'])}(${choice.happens(0.15) ? element() : name})`,
    ],
    [first === undefined ? 0 : 5, element],
    [3, () => `CAST(${inner()} AS ${choice.one(scalarNames)})`],
    [1, () => `token(${partition.join(', ')})`],
    [1, () => `to_json(${inner()})`],
    [2, () => `${choice.one(typedFunctions(type.name))}(${inner()})`],
    [
      2,
      () =>
        `${name} ${choice.one(['+', '-', '*', '/', '%'])} ${choice.happens(0.5) ? randomValue(choice, type).text : choice.one(['1', '2', '2.5', name])}`,
    ],
    [1, () => `-${name}`],
    [1, () => `(${type.kind === 'scalar' ? type.name : 'int'}) ${writer.value(type)}`],
    [1, () => `(${choice.one(scalarNames)}) ${randomValue(choice, type).text}`],
    [1, () => `(${choice.one(scalarNames)}) ${name}`],
    [
      1,
      () =>
        choice.one([`[${name}]`, `{${name}}`, `(${name}, 1)`, `{${name}: ${name}}`, `(list<int>) [${name}]`]),
    ],
    [1, () => randomValue(choice, type).text],
  ]);
}

function typedFunctions(typeName: string): string[] {
  const blob = /^\w+$/.test(typeName)
    ? [`${typeName}_as_blob`, `blob_as_${typeName}`, `${typeName}AsBlob`]
    : [];
  const collection = [
    'collection_count',
    'collection_min',
    'collection_max',
    'collection_sum',
    'collection_avg',
    'map_keys',
    'map_values',
  ];
  const dates = ['to_date', 'to_timestamp', 'to_unix_timestamp', 'min_timeuuid', 'max_timeuuid'];
  const masks = ['mask_null', 'mask_default', 'mask_hash'];
  const numbers = ['abs', 'round', 'exp', 'log', 'log10'];
  return [...blob, ...blob, ...collection, ...dates, ...masks, ...numbers, 'nope', 'token'];
}

function groupColumns(writer: StatementWriter): string {
  const { choice } = writer;
  const keys = [...writer.columns('partition'), ...writer.columns('clustering')].map((column) =>
    writer.nameOf(column),
  );
  const count = choice.integer(1, keys.length);
  return (choice.happens(0.9) ? keys.slice(0, count) : choice.shuffled(keys).slice(0, count)).join(', ');
}

function orderBy(writer: StatementWriter): string {
  const { choice, table } = writer;
  const clustering = writer.columns('clustering');
  const among = clustering.length > 0 && choice.happens(0.9) ? clustering : [choice.one(table.columns)];
  const direction = choice.one(['ASC', 'DESC']);
  const terms = among
    .slice(0, choice.integer(1, among.length))
    .map(
      (column) =>
        `${writer.nameOf(column)} ${choice.happens(0.85) ? direction : choice.one(['ASC', 'DESC'])}`,
    );
  return `ORDER BY ${terms.join(', ')}`;
}

function where(writer: StatementWriter): string {
  const { choice } = writer;
  const relations = choice.weighted([
    [3, () => []],
    [7, () => [...whereOfPartition(writer), ...clusteringRelations(writer)]],
    [1, () => tokenRelations(writer)],
    [2, () => clusteringRelations(writer)],
    [
      1,
      () =>
        writer
          .columns('partition')
          .slice(0, 1)
          .map((column) => anyRelation(writer, column)),
    ],
    [
      1,
      () => [
        ...writer.columns('partition').map((column) => inList(writer, column)),
        ...clusteringRelations(writer),
      ],
    ],
  ]);
  const others = choice.happens(0.3) ? [anyRelation(writer, choice.one(writer.table.columns))] : [];
  const all = [...relations, ...others];
  return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
}

function clusteringRelations(writer: StatementWriter): string[] {
  const { choice } = writer;
  const clustering = writer.columns('clustering');
  if (clustering.length > 0 && choice.happens(0.12)) {
    return [multiColumn(writer, choice.one(['=', 'IN', ...comparisons]))];
  }
  const relations: string[] = [];
  for (const column of clustering) {
    const relation = choice.weighted([
      [3, () => `${writer.nameOf(column)} = ${writer.keyValue(column.type)}`],
      [1, () => inList(writer, column)],
      [2, () => `${writer.nameOf(column)} ${choice.one(comparisons)} ${writer.keyValue(column.type)}`],
      [2, () => ''],
    ]);
    if (relation !== '') relations.push(relation);
    if (!relation.includes(' = ') && choice.happens(0.85)) break;
  }
  return relations;
}

function tokenRelations(writer: StatementWriter): string[] {
  const { choice } = writer;
  const keys = writer.columns('partition');
  const names = keys.map((column) => writer.nameOf(column)).join(', ');
  const bound = () =>
    choice.happens(0.5)
      ? `token(${keys.map((column) => writer.keyValue(column.type)).join(', ')})`
      : writer.given(
          choice.one([
            { text: '0', bound: 0n },
            { text: '-9223372036854775808', bound: -(2n ** 63n) },
            { text: '4611686018427387904', bound: 2n ** 62n },
          ]),
        );
  return choice.times(
    choice.integer(1, 2),
    () => `token(${names}) ${choice.one([...comparisons, '='])} ${bound()}`,
  );
}

function anyRelation(writer: StatementWriter, column: RandomColumn): string {
  const { choice } = writer;
  const { type } = column;
  const name = writer.nameOf(column);
  const [first, second] = type.parts;
  const plain = () => `${name} ${choice.one(['=', '=', '!=', ...comparisons])} ${writer.value(type)}`;
  if (first === undefined || !['list', 'set', 'map', 'user'].includes(type.kind) || choice.happens(0.3)) {
    return choice.weighted([
      [6, plain],
      [1, () => inList(writer, column)],
      [1, () => `${name} IS NOT NULL`],
      [1, () => `${name} CONTAINS ${writer.value(type)}`],
      [1, () => `${name} LIKE ${writer.value(type)}`],
    ]);
  }
  if (type.kind === 'user') return `${name}.${type.fields[0]} = ${writer.value(first)}`;
  if (type.kind !== 'map' || second === undefined) return `${name} CONTAINS ${writer.value(first)}`;
  return choice.weighted([
    [1, () => `${name} CONTAINS ${writer.value(second)}`],
    [1, () => `${name} CONTAINS KEY ${writer.value(first)}`],
    [2, () => `${name}[${writer.value(first)}] ${choice.one(['=', '=', '>'])} ${writer.value(second)}`],
  ]);
}
