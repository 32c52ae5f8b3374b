// Asks a real Apache Cassandra 5.0 every question in src/language/cql/expressions/cassandra-answers.json, and writes down what it
// answers: values as bytes, names and types of columns, refusals with their codes:
//   node scripts/cql-answers.mjs <port>
// To ask more, add a question to the file with null as its answer.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const file = join(root, 'src/language/cql/expressions/cassandra-answers.json');
const questions = JSON.parse(readFileSync(file, 'utf8'));

const socket = net.connect(Number(process.argv[2] ?? 9042), '127.0.0.1');
let received = Buffer.alloc(0);
const waiting = [];
socket.on('data', (bytes) => {
  received = Buffer.concat([received, bytes]);
  for (;;) {
    if (received.length < 9) return;
    const end = 9 + received.readInt32BE(5);
    if (received.length < end) return;
    const frame = received.subarray(0, end);
    received = received.subarray(end);
    waiting.shift()?.({ flags: frame[1], opcode: frame[4], body: frame.subarray(9) });
  }
});

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  short() {
    return this.take(2).readUInt16BE();
  }
  int() {
    return this.take(4).readInt32BE();
  }
  string() {
    return this.take(this.short()).toString();
  }
  value() {
    const length = this.int();
    return length < 0 ? null : this.take(length).toString('hex');
  }
}

const natives = {
  1: 'ascii',
  2: 'bigint',
  3: 'blob',
  4: 'boolean',
  5: 'counter',
  6: 'decimal',
  7: 'double',
  8: 'float',
  9: 'int',
  11: 'timestamp',
  12: 'uuid',
  13: 'text',
  14: 'varint',
  15: 'timeuuid',
  16: 'inet',
  17: 'date',
  18: 'time',
  19: 'smallint',
  20: 'tinyint',
};

const vectorElements = { Float: 'float', Int32: 'int', UTF8: 'text' };

function readType(reader) {
  const id = reader.short();
  switch (id) {
    case 0: {
      const name = reader.string();
      const [, element, dimension] = /VectorType\(.*\.(\w+)Type , (\d+)\)/.exec(name) ?? [];
      if (element !== undefined) return `vector<${vectorElements[element]}, ${dimension}>`;
      return name.replace(/.*\./, '').replace(/Type$/, '').toLowerCase();
    }
    case 0x20:
      return `list<${readType(reader)}>`;
    case 0x21:
      return `map<${readType(reader)}, ${readType(reader)}>`;
    case 0x22:
      return `set<${readType(reader)}>`;
    case 0x30: {
      reader.string();
      const name = reader.string();
      for (let fields = reader.short(); fields > 0; fields--) {
        reader.string();
        readType(reader);
      }
      return name;
    }
    case 0x31:
      return `tuple<${Array.from({ length: reader.short() }, () => readType(reader)).join(', ')}>`;
    default:
      return natives[id];
  }
}

function readColumns(reader, flags, count) {
  if ((flags & 1) !== 0) [reader.string(), reader.string()];
  return Array.from({ length: count }, () => {
    if ((flags & 1) === 0) [reader.string(), reader.string()];
    return `${reader.string()} ${readType(reader)}`;
  });
}

async function send(opcode, ...parts) {
  const body = Buffer.concat(parts);
  const header = Buffer.from([4, 0, 0, 0, opcode, 0, 0, 0, 0]);
  header.writeInt32BE(body.length, 5);
  socket.write(Buffer.concat([header, body]));
  const frame = await new Promise((resolve) => waiting.push(resolve));
  const reader = new Reader(frame.body);
  if ((frame.flags & 8) !== 0) for (let warnings = reader.short(); warnings > 0; warnings--) reader.string();
  if (frame.opcode !== 0) return { reader };
  const code = reader.int().toString(16).padStart(4, '0');
  return { refusal: `${code} ${reader.string()}` };
}

function sized(bytes) {
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

async function query(statement, ...values) {
  const bound = values.map((hex) => sized(Buffer.from(hex.replaceAll(' ', ''), 'hex')));
  const flags = Buffer.from(values.length === 0 ? [0, 1, 0] : [0, 1, 1, 0, values.length]);
  const { refusal, reader } = await send(7, sized(Buffer.from(statement)), flags, ...bound);
  if (refusal !== undefined) return refusal;
  if (reader.int() !== 2) return null;
  const [kind, count] = [reader.int(), reader.int()];
  const columns = readColumns(reader, kind, count);
  const rows = Array.from({ length: reader.int() }, () => Array.from(columns, () => reader.value()));
  return { columns, rows };
}

async function variablesOf(statement) {
  const { refusal, reader } = await send(9, sized(Buffer.from(statement)));
  if (refusal !== undefined) return refusal;
  reader.int();
  reader.take(reader.short());
  const [flags, count] = [reader.int(), reader.int()];
  for (let keys = reader.int(); keys > 0; keys--) reader.short();
  return readColumns(reader, flags, count);
}

async function stored(column, term, ...values) {
  await query('DELETE FROM b_expr.sink WHERE k = 1');
  const refusal = await query(`INSERT INTO b_expr.sink (k, ${column}) VALUES (1, ${term})`, ...values);
  if (refusal !== null) return refusal;
  const { rows } = await query(`SELECT ${column} FROM b_expr.sink WHERE k = 1`);
  return { value: rows[0]?.[0] ?? null };
}

// Signatures come in the order of Java's hashes, which is another at every start. Nothing of Cassandra's is said where it stumbled
// over its own error, nor where its memory of earlier calls shows.
const ordered = (answer) =>
  typeof answer === 'string' ? answer.replace(/ \((known type signatures|can be matched).*/s, '') : answer;
const isKept = (answer) => typeof answer !== 'string' || !answer.startsWith('0000 ');

async function askAll(list, ask) {
  const kept = [];
  for (const question of list) {
    const answer = ordered(await ask(...question.slice(0, -1)));
    if (isKept(answer)) kept.push([...question.slice(0, -1), answer]);
    else console.log(`not kept: ${question.slice(0, -1).join(' ')}: ${answer}`);
  }
  return kept;
}

await send(1, Buffer.from('\0\x01\0\x0bCQL_VERSION\0\x053.0.0'));
for (const statement of questions.definitions) {
  const refusal = await query(statement);
  if (typeof refusal === 'string') console.log(refusal);
}
for (const table of Object.keys(questions.rows)) {
  const { columns, rows } = await query(`SELECT * FROM b_expr.${table}`);
  const names = columns.map((column) => column.replace(/ .*/, ''));
  questions.rows[table] = rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at], value])));
}
for (const [family, list] of Object.entries(questions.selections)) {
  questions.selections[family] = await askAll(list, (table, select) =>
    query(`SELECT ${select} FROM b_expr.${table}`),
  );
}
questions.terms = await askAll(questions.terms, stored);
questions.bound = await askAll(questions.bound, (column, hex) => stored(column, '?', hex));
questions.variables = await askAll(questions.variables, variablesOf);
socket.destroy();

const lines = (list) => `[\n${list.map((each) => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]`;
const members = Object.entries(questions).map(([name, value]) => {
  if (Array.isArray(value)) return `  "${name}": ${lines(value)}`;
  const inner = Object.entries(value).map(([key, list]) => `"${key}": ${lines(list)}`);
  return `  "${name}": {\n${inner.join(',\n')}}`;
});
writeFileSync(file, `{\n${members.join(',\n')}\n}\n`);
spawnSync('npx', ['biome', 'format', '--write', file], { cwd: root, stdio: 'inherit' });
