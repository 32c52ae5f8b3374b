// Asks the parser of a real Apache Cassandra 5.0 about every statement in src/language/cql/cassandra-verdicts.json, and
// about those of a file with one JSON string a line if one is given, and writes down what it said:
//   node scripts/cql-verdicts.mjs [new-statements.jsonl]
// It needs JDK 17 and a folder with the jars of org.apache.cassandra:cassandra-all 5.0.x in CASSANDRA_LIB; no server runs.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const file = join(root, 'src/language/cql/cassandra-verdicts.json');
const library = process.env.CASSANDRA_LIB;
if (library === undefined) {
  console.error('CASSANDRA_LIB names no folder with the jars of cassandra-all 5.0.');
  process.exit(2);
}

const [newStatements] = process.argv.slice(2);
const statements = new Set(JSON.parse(readFileSync(file, 'utf8')).map(([statement]) => statement));
if (newStatements !== undefined) {
  for (const line of readFileSync(newStatements, 'utf8').split('\n')) {
    if (line !== '') statements.add(JSON.parse(line));
  }
}

const verdicts = ask([...statements]);
// Nothing of Cassandra's is said where it stumbled over its own error, or where its answer hangs on its classes.
const kept = verdicts.filter(
  ([, verdict]) =>
    verdict === null || !/^(not a syntax error|Error setting|.* reason: NullPointerException)/.test(verdict),
);
writeFileSync(file, `[\n${kept.map((pair) => `  ${JSON.stringify(pair)}`).join(',\n')}\n]\n`);
spawnSync('npx', ['biome', 'format', '--write', file], { cwd: root, stdio: 'inherit' });
console.log(
  `${kept.length} statements, of which ${kept.filter(([, verdict]) => verdict === null).length} were accepted`,
);

function ask(list) {
  const java = spawnSync(
    process.env.JAVA ?? 'java',
    [
      '-cp',
      join(library, '*'),
      '--add-exports',
      'java.base/jdk.internal.ref=ALL-UNNAMED',
      join(root, 'scripts/CqlVerdicts.java'),
    ],
    {
      input: list.map((statement) => `${quote(statement)}\n`).join(''),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  );
  const answers = java.stdout.split('\n').filter((line) => line === 'null' || line.startsWith('"'));
  if (answers.length !== list.length)
    throw new Error(`${answers.length} answers to ${list.length}: ${java.stderr}`);
  return list.map((statement, index) => [statement, JSON.parse(answers[index])]);
}

function quote(text) {
  const asCode = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `"${text.replaceAll(/[^ !#-[\]-~]/g, asCode)}"`;
}
