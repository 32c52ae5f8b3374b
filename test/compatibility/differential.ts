// node dist/test/compatibility/differential.js SEED [COUNT] [--server HOST:PORT] [--statements N] [--definitions] [--verbose]
// The same random statements to a real Apache Cassandra and to Ringfold, through the same unmodified driver; every answer is compared.
// Each class of difference is printed once, with the seed and the fewest earlier writes that still show it.

import { parseArgs } from 'node:util';
import type { Client } from 'cassandra-driver';
import { startRingfold } from '../../src/ringfold.ts';
import { mutatedStatement } from './mutated-statement.ts';
import { RandomChoice } from './random-choice.ts';
import { catalogQueries, randomDefinition } from './random-definition.ts';
import { randomRead } from './random-read.ts';
import type { RandomStatement } from './random-statement.ts';
import { alteredTable, type RandomColumn, type RandomTable, randomTable } from './random-table.ts';
import { randomWrite, readAll } from './random-write.ts';
import { answerOf, connectTo } from './server-answer.ts';
import { shrunkWrites } from './shrunk-writes.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string', default: '127.0.0.1:9042' },
    statements: { type: 'string', default: '150' },
    verbose: { type: 'boolean', default: false },
    definitions: { type: 'boolean', default: false },
  },
});
const firstSeed = Number(positionals[0] ?? 1);
const seedCount = Number(positionals[1] ?? 1);
const statementCount = Number(flags.statements);

interface Servers {
  readonly cassandra: Client;
  readonly ringfold: Client;
}

interface Answers {
  readonly cassandra: string;
  readonly ringfold: string;
}

const seen = new Map<string, number>();
let compared = 0;

async function both(servers: Servers, statement: RandomStatement, table: string): Promise<Answers> {
  const withName = (text: string) => text.replaceAll('TT', table);
  const { parts } = statement;
  const named = {
    ...statement,
    text: withName(statement.text),
    ...(parts === undefined
      ? {}
      : { parts: parts.map((part) => ({ ...part, query: withName(part.query) })) }),
  };
  const [cassandra, ringfold] = await Promise.all([
    answerOf(servers.cassandra, named),
    answerOf(servers.ringfold, named),
  ]);
  compared += 1;
  if (flags.verbose) console.log(`${statementText(named)}\n${cassandra}\n`);
  // Where Cassandra trips over itself, any refusal is as good.
  const tripped =
    /^error: (?:0x0000 (?:java|org)\.|0x1[235]00|0x000a Invalid value for the paging)/.test(cassandra) &&
    !/^error: 0x0000/.test(ringfold);
  return { cassandra, ringfold: tripped ? cassandra : ringfold };
}

/** One keyspace for all seeds: making and dropping one takes Cassandra longer than all statements of a seed. */
async function runSeeds(contactPoint: string): Promise<void> {
  const keyspace = `j_s${firstSeed}`;
  const servers: Servers = { cassandra: connectTo(flags.server), ringfold: connectTo(contactPoint) };
  try {
    await everywhere(servers, `DROP KEYSPACE IF EXISTS ${keyspace}`);
    await everywhere(
      servers,
      `CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
    );
    await everywhere(servers, `USE ${keyspace}`);
    for (let seed = firstSeed; seed < firstSeed + seedCount; seed++) {
      const choice = new RandomChoice(seed);
      if (flags.definitions) {
        await compareDefinitions(seed, choice, servers, keyspace);
        continue;
      }
      const table = randomTable(choice, seed);
      for (const definition of table.typeDefinitions) await both(servers, { text: definition }, '');
      await new Round(seed, choice, table, servers).run();
    }
  } finally {
    await everywhere(servers, `DROP KEYSPACE IF EXISTS ${keyspace}`).catch(() => {});
    await Promise.all([servers.cassandra.shutdown(), servers.ringfold.shutdown()]);
  }
}

async function everywhere(servers: Servers, text: string): Promise<void> {
  // Dropping a hundred tables takes Cassandra minutes.
  const options = { readTimeout: 600_000 };
  await Promise.all([
    servers.cassandra.execute(text, [], options),
    servers.ringfold.execute(text, [], options),
  ]);
}

/** Definitions one after another, and what the catalog shows after each that changed something. */
async function compareDefinitions(
  seed: number,
  choice: RandomChoice,
  servers: Servers,
  keyspace: string,
): Promise<void> {
  const sofar: string[] = [];
  for (let count = 0; count < statementCount; count++) {
    const statement = randomDefinition(choice);
    const questions = [statement];
    const answers = await both(servers, statement, '');
    if (answers.cassandra === answers.ringfold && !answers.cassandra.startsWith('error')) {
      sofar.push(statement.text);
      questions.push(...catalogQueries.map((text) => ({ text: text.replace('?', `'${keyspace}'`) })));
    }
    for (const question of questions) {
      const { cassandra, ringfold } = question === statement ? answers : await both(servers, question, '');
      if (cassandra === ringfold) continue;
      const signature =
        question === statement ? signatureOf(statement, answers) : `${question.text} ${statement.text}`;
      seen.set(signature, (seen.get(signature) ?? 0) + 1);
      if (seen.get(signature) !== 1) continue;
      const history = sofar.slice(-12).join(';\n');
      console.log(
        `=== seed ${seed}\n${history};\n${statement.text};\n${question.text};\n${differingLines(cassandra, ringfold)}\n`,
      );
    }
    if (answers.cassandra.startsWith('error') !== answers.ringfold.startsWith('error')) return;
  }
}

function differingLines(cassandra: string, ringfold: string): string {
  const [left, right] = [cassandra.split('\n'), ringfold.split('\n')];
  const only = (some: readonly string[], others: readonly string[]) =>
    some.filter((line) => !others.includes(line)).join('\n');
  return `--- cassandra\n${only(left, right)}\n--- ringfold\n${only(right, left)}`;
}

class Round {
  readonly #seed: number;
  readonly #choice: RandomChoice;
  #table: RandomTable;
  readonly #dropped: RandomColumn[] = [];
  readonly #servers: Servers;
  readonly #writes: RandomStatement[] = [];
  #tables = 0;

  constructor(seed: number, choice: RandomChoice, table: RandomTable, servers: Servers) {
    this.#seed = seed;
    this.#choice = choice;
    this.#table = table;
    this.#servers = servers;
  }

  async run(): Promise<void> {
    const name = this.#nextName();
    for (const text of this.#table.definitions) {
      const answers = await both(this.#servers, { text }, name);
      if (answers.cassandra !== answers.ringfold) await this.#report({ text }, answers, false);
      if (answers.cassandra.startsWith('error') !== answers.ringfold.startsWith('error')) return;
      if (answers.cassandra.startsWith('error') && text.startsWith('CREATE TABLE')) return;
    }
    if (this.#table.definitions.length > 1) await new Promise((resolve) => setTimeout(resolve, 1000));
    for (let index = 1; index <= statementCount; index++) {
      if (!(await this.#step(name, index))) return;
    }
  }

  /** False when what the two hold is no longer the same. */
  async #step(name: string, index: number): Promise<boolean> {
    const choice = this.#choice;
    if (choice.happens(0.02)) await this.#alter(name);
    const table = this.#table;
    const isRead = index > 10 && choice.happens(0.5);
    const isCheck = index % 10 === 0;
    const good = isCheck ? readAll(table) : isRead ? randomRead(choice, table) : randomWrite(choice, table);
    const statement =
      !isCheck && good.parts === undefined && choice.happens(0.2)
        ? mutatedStatement(choice, table, good)
        : good;
    const isWrite = !/^\s*SELECT/.test(statement.text);
    const answers = await both(this.#servers, statement, name);
    if (answers.cassandra !== answers.ringfold) {
      await this.#report(statement, answers, !isWrite || /\bIF\b|\[/.test(statement.text));
      if (isCheck) return false;
      if (answers.cassandra.startsWith('error') !== answers.ringfold.startsWith('error') && isWrite)
        return false;
      if (/\bIF\b/.test(statement.text) && isWrite) return false;
    }
    if (isWrite) this.#writes.push(statement);
    return true;
  }

  async #alter(name: string): Promise<void> {
    const { table, statement: text } = alteredTable(this.#choice, this.#table, this.#dropped);
    const answers = await both(this.#servers, { text }, name);
    if (answers.cassandra !== answers.ringfold) await this.#report({ text }, answers, true);
    this.#writes.push({ text });
    if (answers.cassandra.startsWith('error')) return;
    this.#dropped.push(...this.#table.columns.filter((column) => !table.columns.includes(column)));
    this.#table = table;
  }

  async #report(statement: RandomStatement, answers: Answers, dependsOnWrites: boolean): Promise<void> {
    const signature = signatureOf(statement, answers);
    const times = (seen.get(signature) ?? 0) + 1;
    seen.set(signature, times);
    // One class of rows may have several causes.
    if (times > (signature.startsWith('row ') ? 3 : 1)) return;
    const writes = dependsOnWrites
      ? await shrunkWrites(this.#writes, (chosen) => this.#stillDiffers(chosen, statement))
      : [];
    if (writes === undefined) {
      console.log(`(seed ${this.#seed}: not seen again: ${signature})`);
      return;
    }
    const lines = [
      `=== seed ${this.#seed}: ${signature}`,
      ...this.#table.typeDefinitions,
      ...this.#table.definitions,
      ...writes.map(statementText),
      statementText(statement),
      `--- cassandra\n${answers.cassandra}`,
      `--- ringfold\n${answers.ringfold}\n`,
    ];
    console.log(lines.join('\n'));
  }

  async #stillDiffers(writes: readonly RandomStatement[], last: RandomStatement): Promise<boolean> {
    const name = this.#nextName();
    for (const text of this.#table.definitions) await both(this.#servers, { text }, name);
    if (this.#table.definitions.length > 1) await new Promise((resolve) => setTimeout(resolve, 500));
    for (const write of writes) await both(this.#servers, write, name);
    const { cassandra, ringfold } = await both(this.#servers, last, name);
    return cassandra !== ringfold;
  }

  #nextName(): string {
    this.#tables += 1;
    return `t${this.#seed}_${this.#tables}`;
  }
}

function statementText({ text, values, fetchSize }: RandomStatement): string {
  const bound = values === undefined ? '' : ` -- ${values.map((value) => show(value)).join(' ; ')}`;
  return `${text};${bound}${fetchSize === undefined ? '' : ` -- pages of ${fetchSize}`}`;
}

function show(value: unknown): string {
  if (value instanceof Map)
    return `{${[...value].map(([key, held]) => `${show(key)}: ${show(held)}`).join(', ')}}`;
  if (value instanceof Set || Array.isArray(value)) return `[${[...value].map(show).join(', ')}]`;
  if (Buffer.isBuffer(value)) return `0x${value.toString('hex')}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (Object.getPrototypeOf(value ?? 0) === Object.prototype) {
    return `{${Object.entries(value ?? {})
      .map(([key, held]) => `${key}: ${show(held)}`)
      .join(', ')}}`;
  }
  return typeof value === 'symbol' ? 'unset' : String(value);
}

/** Differences of one cause should have one signature: names and values are left out of it. */
function signatureOf({ text }: RandomStatement, { cassandra, ringfold }: Answers): string {
  if (cassandra.startsWith('error') || ringfold.startsWith('error')) {
    return `${generalised(cassandra)} | ${generalised(ringfold)}`;
  }
  const [left, right] = [cassandra.split('\n'), ringfold.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  const what = (left[at] ?? right[at] ?? right.at(-1) ?? '').split(':')[0];
  const words = new Set(text.match(/\b[A-Z]{2,}\b|\b[a-z_]{3,}(?=\()/g));
  return `${what} ${[...words].join(' ')}`;
}

function generalised(answer: string): string {
  const [first = ''] = answer.split('\n');
  if (!first.startsWith('error')) return 'rows';
  return first
    .replace(/'(?:[^']|'')*'/g, 'Q')
    .replace(/\b(?:list|set|map|tuple|vector|frozen)<.*>/g, 'TYPE')
    .replace(new RegExp(`\\b(?:${typeNames.join('|')})\\b`, 'g'), 'TYPE')
    .replace(/\b(?:j_s\d+\.)?t\d+_\d+/g, 'KS')
    .replace(/\b[pcsvfu]\d(?:_\d+)?\b/g, 'NAME')
    .replace(/(?<!0x)-?\b[\da-f]*\d[\w.:-]*/g, 'N')
    .slice(0, 200);
}

const typeNames = [
  ...[
    'ascii',
    'text',
    'int',
    'smallint',
    'tinyint',
    'bigint',
    'varint',
    'boolean',
    'float',
    'double',
    'decimal',
  ],
  ...['uuid', 'timeuuid', 'timestamp', 'date', 'time', 'duration', 'blob', 'inet', 'counter'],
];

const ringfold = await startRingfold();
try {
  await runSeeds(`127.0.0.1:${ringfold.cqlPort}`);
} finally {
  await ringfold.stop();
}
console.log(`${compared} statements compared, ${seen.size} classes of difference`);
for (const [signature, times] of [...seen].sort((a, b) => b[1] - a[1])) console.log(`${times}\t${signature}`);
process.exit(seen.size === 0 ? 0 : 1);
