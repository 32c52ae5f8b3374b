// What an import rule cannot see: words that would bring time, chance or the process into code that must not know them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesIn, repositoryRoot } from '../support/repository.ts';

interface Ban {
  readonly word: RegExp;
  readonly why: string;
}

const pure: readonly Ban[] = [
  { word: /\basync\b|\bawait\b|\bPromise\b/, why: 'the domain is synchronous' },
  { word: /\bDate\b|\bperformance\b/, why: 'time is passed in' },
  { word: /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b/, why: 'chance is passed in' },
  { word: /\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b/, why: 'the domain does nothing later' },
  { word: /from 'node:(?!crypto|zlib|buffer|util)/, why: 'the domain does no I/O' },
];
const everywhere: readonly Ban[] = [
  { word: /\bprocess\b/, why: 'only the command line knows the process' },
  {
    word: /from '(\.\.\/)+(test|bench)\/|from '.*\.(samples|vectors)\.ts'/,
    why: 'the product does not use its tests',
  },
  { word: /@ts-ignore|@ts-expect-error|@ts-nocheck/, why: 'types are not decoration' },
];
const clocks: readonly Ban[] = [
  { word: /\bDate\.now\b|\bperformance\.now\b/, why: 'only foundation/clock.ts asks the time' },
  { word: /\bMath\.random\b/, why: 'only foundation/random.ts asks for chance' },
  { word: /(?<!\.)\b(setTimeout|setInterval)\b/, why: 'only foundation/scheduler.ts does something later' },
];
const sources = ['clock', 'random', 'scheduler'].map((name) => `src/foundation/${name}.ts`);

/** Comments and texts may say anything; `@ts-` orders are comments, so they are looked for before. */
function bannedIn(text: string, bans: readonly Ban[]): string[] {
  const code = text
    .replaceAll(/\/\*(?!.*@ts-)[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/(?!.*@ts-).*$/gm, '')
    .replaceAll(/(?<!from )'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
  return bans.filter(({ word }) => word.test(code)).map(({ why }) => why);
}

function findings(files: readonly string[], bans: readonly Ban[]): string[] {
  return files.flatMap((file) =>
    bannedIn(readFileSync(join(repositoryRoot, file), 'utf8'), bans).map((why) => `${file}: ${why}`),
  );
}

/** What is shipped: samples and vectors stand beside the tests that use them, and are theirs. */
function productFiles(folders: readonly string[]): string[] {
  const files = filesIn(folders, '.ts').filter((file) => !/\.(test|samples|vectors)\.ts$/.test(file));
  assert.ok(files.length > 0, 'there are files to look at');
  return files;
}

test('partitioning, throughput and values hold no I/O, no clock and no chance', () => {
  assert.deepEqual(findings(productFiles(['src/partitioning', 'src/throughput', 'src/values']), pure), []);
});

test('src knows neither the process nor its tests', () => {
  assert.deepEqual(findings(productFiles(['src']), everywhere), []);
});

test('time, chance and timers come in through foundation', () => {
  const files = productFiles(['src']).filter((file) => !sources.includes(file));
  assert.deepEqual(findings(files, clocks), []);
});

test('a banned word that is planted is found, and the same word in a comment or a text is not', () => {
  assert.deepEqual(bannedIn('export async function go() {}', pure), ['the domain is synchronous']);
  assert.deepEqual(bannedIn('const now = Date.now();', pure), ['time is passed in']);
  assert.deepEqual(bannedIn('const now = Date.now();', clocks), ['only foundation/clock.ts asks the time']);
  assert.deepEqual(bannedIn("import { readFile } from 'node:fs/promises';", pure), [
    'the domain does no I/O',
  ]);
  assert.deepEqual(bannedIn('exit(process.pid)', everywhere), ['only the command line knows the process']);
  assert.deepEqual(bannedIn('// @ts-ignore\nx()', everywhere), ['types are not decoration']);
  assert.deepEqual(bannedIn("import { x } from '../../test/support/x.ts';", everywhere), [
    'the product does not use its tests',
  ]);
  assert.deepEqual(bannedIn("import { x } from './x.samples.ts';", everywhere), [
    'the product does not use its tests',
  ]);
  assert.deepEqual(bannedIn("// process.exit\n/* process */ const text = 'the process';", everywhere), []);
});
