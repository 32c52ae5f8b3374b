// INSERT, UPDATE, DELETE and BATCH of every form.

import type { RandomChoice } from './random-choice.ts';
import { type RandomStatement, StatementWriter } from './random-statement.ts';
import { columnsOf, type RandomColumn, type RandomTable } from './random-table.ts';
import { listOf, randomKeyValue, randomValue, setOf } from './random-value.ts';

export function randomWrite(choice: RandomChoice, table: RandomTable): RandomStatement {
  return choice.happens(0.08) ? batchMessage(choice, table) : singleWrite(choice, table);
}

/** As a client makes it of statements that it has. */
function batchMessage(choice: RandomChoice, table: RandomTable): RandomStatement {
  const parts = choice.times(choice.integer(1, 3), () => {
    const { text, values = [] } = singleWrite(choice, table);
    return { query: text, params: values };
  });
  const text = parts.map(({ query }) => query).join('; ');
  return { text: `(message) ${text}`, values: parts.flatMap(({ params }) => params), parts };
}

function singleWrite(choice: RandomChoice, table: RandomTable): RandomStatement {
  const writer = new StatementWriter(choice, table);
  if (table.isCounter) {
    return writer.statement(
      choice.weighted([
        [8, () => update(writer, false)],
        [1, () => insert(writer, false)],
        [1, () => batch(writer)],
      ]),
    );
  }
  const isConditional = choice.happens(table.conditional);
  return writer.statement(
    choice.weighted([
      [5, () => insert(writer, isConditional)],
      [5, () => update(writer, isConditional)],
      [3, () => remove(writer, isConditional)],
      [1, () => batch(writer)],
      [1, () => insertJson(writer)],
    ]),
  );
}

function using(writer: StatementWriter, isConditional: boolean, mayExpire: boolean): string {
  const { choice } = writer;
  const parts: string[] = [];
  if (choice.happens(isConditional ? 0.05 : 0.85) && !(writer.table.isCounter && choice.happens(0.9))) {
    parts.push(`TIMESTAMP ${writer.long(1, 12)}`);
  }
  if (mayExpire && choice.happens(writer.table.isCounter ? 0.05 : 0.2)) {
    parts.push(
      `TTL ${choice.happens(0.1) ? writer.integer(-1, 0) : writer.given({ text: '100000', bound: 100000 })}`,
    );
  }
  return parts.length === 0 ? '' : ` USING ${parts.join(' AND ')}`;
}

function insert(writer: StatementWriter, isConditional: boolean): string {
  const { choice } = writer;
  const others = [...writer.columns('static'), ...writer.columns('regular')];
  const partition = writer.columns('partition');
  const clustering = choice.happens(0.92) ? writer.columns('clustering') : [];
  const chosen = choice.happens(0.97)
    ? [...partition, ...clustering, ...choice.some(others, 0.6)]
    : choice.some(writer.table.columns, 0.7);
  const names = chosen.map((column) => writer.nameOf(column));
  const values = chosen.map((column) =>
    column.kind === 'regular' || column.kind === 'static'
      ? writer.valueOrNothing(column.type)
      : writer.keyValue(column.type),
  );
  const condition = isConditional ? ' IF NOT EXISTS' : '';
  return `INSERT INTO TT (${names.join(', ')}) VALUES (${values.join(', ')})${condition}${using(writer, isConditional, true)}`;
}

function insertJson(writer: StatementWriter): string {
  const { choice } = writer;
  const chosen = [
    ...writer.columns('partition'),
    ...writer.columns('clustering'),
    ...choice.some([...writer.columns('static'), ...writer.columns('regular')], 0.6),
  ];
  const members = chosen.map(({ name, type }) => `"${name}": ${jsonOf(randomValue(choice, type).bound)}`);
  const text = `{${members.join(', ')}}`;
  const ending = choice.one(['', '', ' DEFAULT NULL', ' DEFAULT UNSET']);
  return `INSERT INTO TT JSON ${writer.given({ text: `'${text.replaceAll("'", "''")}'`, bound: text })}${ending}${using(writer, false, true)}`;
}

/** JSON as somebody would write it by hand for such a value. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`;
  if (value instanceof Map) {
    return `{${[...value].map(([key, held]) => `${quotedOnce(jsonOf(key))}: ${jsonOf(held)}`).join(', ')}}`;
  }
  if (value instanceof Set) return `[${[...value].map(jsonOf).join(', ')}]`;
  if (Buffer.isBuffer(value)) return `"0x${value.toString('hex')}"`;
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if ('elements' in value) return jsonOf(value.elements);
  if (Object.getPrototypeOf(value) === Object.prototype) {
    return `{${Object.entries(value)
      .map(([key, held]) => `"${key}": ${jsonOf(held)}`)
      .join(', ')}}`;
  }
  return Symbol.iterator in value ? jsonOf([...(value as Iterable<unknown>)]) : JSON.stringify(`${value}`);
}

function quotedOnce(text: string): string {
  return text.startsWith('"') ? text : JSON.stringify(text);
}

function update(writer: StatementWriter, isConditional: boolean): string {
  const { choice } = writer;
  const targets = [...writer.columns('static'), ...writer.columns('regular')];
  const onlyStatic = writer.columns('static').length > 0 && choice.happens(0.2);
  const among = onlyStatic ? writer.columns('static') : targets;
  const chosen = among.length === 0 ? [...writer.table.columns].slice(0, 1) : atLeastOne(choice, among);
  const usingText = using(writer, isConditional, true);
  const assignments = chosen.map((column) => assignment(writer, column));
  const where = whereOfRow(writer, onlyStatic);
  return `UPDATE TT${usingText} SET ${assignments.join(', ')} WHERE ${where}${isConditional ? condition(writer) : ''}`;
}

function assignment(writer: StatementWriter, column: RandomColumn): string {
  const { choice } = writer;
  const { type } = column;
  const name = writer.nameOf(column);
  if (type.kind === 'counter')
    return `${name} = ${name} ${choice.one(['+', '+', '-'])} ${writer.value(type)}`;
  const plain = () =>
    choice.happens(0.03)
      ? `${name} ${choice.one(['+=', '-=', `= ${name} +`])} ${writer.value(type)}`
      : `${name} = ${writer.valueOrNothing(type)}`;
  const [first, second] = type.parts;
  if (first === undefined || choice.happens(type.isFrozen ? 0.95 : 0.3)) return plain();
  if (type.kind === 'list') {
    return choice.weighted([
      [3, () => `${name} = ${name} + ${writer.value(type)}`],
      [2, () => `${name} = ${writer.value(type)} + ${name}`],
      [2, () => `${name} = ${name} - ${writer.value(type)}`],
      [1, () => `${name} += ${writer.value(type)}`],
      [2, () => `${name}[${writer.integer(0, 3)}] = ${writer.valueOrNothing(first)}`],
    ]);
  }
  if (type.kind === 'set')
    return `${name} ${choice.one(['+=', '-=', `= ${name} +`, `= ${name} -`])} ${writer.value(type)}`;
  if (type.kind === 'map' && second !== undefined) {
    return choice.weighted([
      [2, () => `${name} = ${name} + ${writer.value(type)}`],
      [
        2,
        () =>
          `${name} ${choice.one(['-=', `= ${name} -`])} ${writer.given(setOf(choice.times(choice.integer(0, 2), () => randomValue(choice, first))))}`,
      ],
      [3, () => `${name}[${writer.value(first)}] = ${writer.valueOrNothing(second)}`],
    ]);
  }
  if (type.kind === 'user') {
    const field = choice.integer(0, type.fields.length - 1);
    return `${name}.${type.fields[field]} = ${writer.valueOrNothing(type.parts[field] ?? first)}`;
  }
  return plain();
}

function remove(writer: StatementWriter, isConditional: boolean): string {
  const { choice } = writer;
  const usingText = using(writer, isConditional, false);
  const columns = [...writer.columns('static'), ...writer.columns('regular')];
  if (columns.length > 0 && choice.happens(0.35)) {
    const onlyStatic = writer.columns('static').length > 0 && choice.happens(0.3);
    const chosen = atLeastOne(choice, onlyStatic ? writer.columns('static') : columns);
    const targets = chosen.map((column) => deletion(writer, column));
    return `DELETE ${targets.join(', ')} FROM TT${usingText} WHERE ${whereOfRow(writer, onlyStatic)}${isConditional ? condition(writer) : ''}`;
  }
  const where = choice.happens(0.5) ? whereOfRow(writer, false) : whereOfRange(writer);
  return `DELETE FROM TT${usingText} WHERE ${where}${isConditional ? condition(writer) : ''}`;
}

function deletion(writer: StatementWriter, column: RandomColumn): string {
  const { choice } = writer;
  const { type } = column;
  const name = writer.nameOf(column);
  const [first] = type.parts;
  if (first === undefined || choice.happens(type.isFrozen ? 0.95 : 0.5)) return name;
  if (type.kind === 'list') return `${name}[${writer.integer(0, 2)}]`;
  if (type.kind === 'map' || type.kind === 'set') return `${name}[${writer.value(first)}]`;
  return type.kind === 'user' ? `${name}.${choice.one(type.fields)}` : name;
}

export function whereOfPartition(writer: StatementWriter): string[] {
  const { choice } = writer;
  return writer.columns('partition').flatMap((column) => {
    if (choice.happens(0.02)) return [];
    if (choice.happens(0.06)) return [inList(writer, column)];
    return [`${writer.nameOf(column)} = ${writer.keyValue(column.type)}`];
  });
}

export function inList(writer: StatementWriter, column: RandomColumn): string {
  const { choice } = writer;
  const values = choice.times(choice.integer(0, 3), () => randomKeyValue(choice, column.type));
  if (choice.happens(0.3)) {
    const list = listOf(values);
    const given = writer.given({ ...list, text: `(${list.text.slice(1, -1)})` });
    return `${writer.nameOf(column)} IN ${given}`;
  }
  return `${writer.nameOf(column)} IN (${values.map((value) => writer.given(value)).join(', ')})`;
}

function whereOfRow(writer: StatementWriter, isOfPartition: boolean): string {
  const { choice } = writer;
  const relations = whereOfPartition(writer);
  const clustering = isOfPartition && choice.happens(0.9) ? [] : writer.columns('clustering');
  for (const column of clustering) {
    if (choice.happens(0.03)) continue;
    if (choice.happens(0.06)) relations.push(inList(writer, column));
    else relations.push(`${writer.nameOf(column)} = ${writer.keyValue(column.type)}`);
  }
  return relations.join(' AND ') || 'zz = 1';
}

function whereOfRange(writer: StatementWriter): string {
  const { choice } = writer;
  const relations = whereOfPartition(writer);
  const clustering = writer.columns('clustering');
  const given = choice.integer(0, clustering.length);
  for (const [index, column] of clustering.entries()) {
    if (index < given) relations.push(`${column.name} = ${writer.keyValue(column.type)}`);
    if (index !== given || choice.happens(0.3)) continue;
    relations.push(
      `${writer.nameOf(column)} ${choice.one(['<', '<=', '>', '>='])} ${writer.keyValue(column.type)}`,
    );
    if (choice.happens(0.4))
      relations.push(`${column.name} ${choice.one(['<', '<=', '>', '>='])} ${writer.keyValue(column.type)}`);
  }
  if (clustering.length > 1 && choice.happens(0.15)) {
    relations.length = writer.columns('partition').length;
    relations.push(multiColumn(writer, choice.one(['<', '<=', '>', '>=', '='])));
  }
  return relations.join(' AND ') || 'zz = 1';
}

/** `(c0, c1) > (1, 2)` */
export function multiColumn(writer: StatementWriter, operator: string): string {
  const { choice } = writer;
  const columns = writer.columns('clustering').slice(choice.happens(0.95) ? 0 : 1);
  const chosen = columns.slice(0, choice.integer(1, Math.max(1, columns.length)));
  const tuple = () => `(${chosen.map((column) => writer.keyValue(column.type)).join(', ')})`;
  const names = `(${chosen.map((column) => writer.nameOf(column)).join(', ')})`;
  if (operator !== 'IN') return `${names} ${operator} ${tuple()}`;
  return `${names} IN (${choice.times(choice.integer(0, 3), tuple).join(', ')})`;
}

function condition(writer: StatementWriter): string {
  const { choice } = writer;
  const columns = [...writer.columns('static'), ...writer.columns('regular')];
  if (columns.length === 0 || choice.happens(0.3)) return ' IF EXISTS';
  return ` IF ${choice.times(choice.integer(1, 2), () => comparison(writer, choice.one(columns))).join(' AND ')}`;
}

function comparison(writer: StatementWriter, column: RandomColumn): string {
  const { choice } = writer;
  const operator = choice.one(['=', '=', '=', '!=', '<', '<=', '>', '>=', 'IN']);
  const { type } = column;
  const [first, second] = type.parts;
  let [name, compared] = [writer.nameOf(column), type];
  if (first !== undefined && choice.happens(0.4)) {
    if (type.kind === 'list') [name, compared] = [`${name}[${writer.integer(0, 2)}]`, first];
    if (type.kind === 'map' && second !== undefined)
      [name, compared] = [`${name}[${writer.value(first)}]`, second];
    if (type.kind === 'user') [name, compared] = [`${name}.${type.fields[0]}`, first];
  }
  // In which order Cassandra looks at several conditions is a matter of hashes, and a null is refused once it is looked at.
  if (/[<>]/.test(operator)) return `${name} ${operator} ${writer.value(compared)}`;
  if (operator !== 'IN') return `${name} ${operator} ${writer.valueOrNothing(compared)}`;
  return `${name} IN (${choice.times(choice.integer(0, 3), () => writer.valueOrNothing(compared)).join(', ')})`;
}

function batch(writer: StatementWriter): string {
  const { choice, table } = writer;
  const isConditional = !table.isCounter && choice.happens(table.conditional);
  const kind = table.isCounter && choice.happens(0.9) ? 'COUNTER ' : choice.one(['', '', 'UNLOGGED ']);
  const parts = choice.times(choice.integer(0, 4), () =>
    choice.weighted([
      [table.isCounter ? 0 : 3, () => insert(writer, isConditional && choice.happens(0.5))],
      [3, () => update(writer, isConditional && choice.happens(0.5))],
      // What a counter holds that was deleted and counted again is undefined.
      [table.isCounter ? 0 : 2, () => remove(writer, isConditional && choice.happens(0.3))],
    ]),
  );
  const usingText = choice.happens(0.1) ? 'USING TIMESTAMP 7 ' : '';
  return `BEGIN ${kind}BATCH ${usingText}${parts.map((part) => `${part}; `).join('')}APPLY BATCH`;
}

function atLeastOne(choice: RandomChoice, columns: readonly RandomColumn[]): RandomColumn[] {
  const chosen = choice.some(columns, 0.4);
  return chosen.length === 0 ? [choice.one(columns)] : chosen;
}

/** Everything there is, to compare what the writes came to. */
export function readAll(table: RandomTable): RandomStatement {
  const cells = [...columnsOf(table, 'static'), ...columnsOf(table, 'regular')];
  const isSimple = ({ type }: RandomColumn) =>
    type.isFrozen || type.kind === 'tuple' || type.kind === 'vector';
  const times = cells
    .filter(isSimple)
    .flatMap(({ name, type }) => [
      ...(type.kind === 'counter' ? [] : [`writetime(${name})`, `ttl(${name})`]),
    ]);
  return { text: `SELECT ${[...table.columns.map(({ name }) => name), ...times].join(', ')} FROM TT` };
}
