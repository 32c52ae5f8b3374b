// The documents, held against the code.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { settingsHelp } from '../../src/config/settings-help.ts';
import { type ErrorCode, errorKinds } from '../../src/errors/error-codes.ts';
import { startRingfold } from '../../src/index.ts';
import { errorStatuses } from '../../src/protocol/admin/error-responses.ts';
import { filesIn, repositoryRoot } from '../support/repository.ts';

const documents = [
  ...filesIn(['docs', 'bench'], '.md'),
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
];

function read(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8');
}

/** The cells of all rows of a document's tables. */
function tableRows(document: string): string[][] {
  return read(document)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

test('docs/errors.md has every code with its fault, whether to retry, and its status, and no other', () => {
  const documented = tableRows('docs/errors.md')
    .filter(([code]) => code?.startsWith('`'))
    .map(([code, fault, retry, status]) => `${code} ${fault} ${retry} ${status}`);
  const codes = Object.keys(errorKinds) as ErrorCode[];
  const expected = codes.map((code) => {
    const { fault, retry } = errorKinds[code];
    return `\`${code}\` ${fault} ${retry ? 'yes' : 'no'} ${errorStatuses[code]}`;
  });
  assert.deepEqual(documented.sort(), expected.sort());
});

test('docs/operating.md has every admin route, and no other', async () => {
  const server = await startRingfold();
  const { routes } = (await (await fetch(`http://127.0.0.1:${server.port}/`)).json()) as { routes: string[] };
  await server.stop();
  const documented = tableRows('docs/operating.md')
    .map(([route = '']) => route.replaceAll('`', ''))
    .filter((route) => /^(GET|PUT|POST|DELETE) \//.test(route));
  assert.deepEqual(documented, routes);
});

test('every flag of the server that a document for users names exists', () => {
  const known = new Set([...settingsHelp().matchAll(/--[a-z-]+/g)].map(([flag]) => flag));
  // Those of the other commands.
  const others = [
    '--at',
    '--json',
    '--set',
    '--migrate',
    '--give',
    '--take-from',
    '--database',
    '--help',
    '--version',
  ];
  for (const flag of others) known.add(flag);
  const unknown = ['README.md', 'docs/operating.md', 'docs/errors.md', 'CHANGELOG.md'].flatMap((document) =>
    [...read(document).matchAll(/(?<![\w-])--[a-z][a-z-]+/g)]
      .filter(([flag]) => !known.has(flag))
      .map(([flag]) => `${document}: ${flag}`),
  );
  assert.deepEqual(unknown, []);
});

test('every link leads to a file', () => {
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\(([^)#:]+)(#[^)]*)?\)/g)]
      .filter(([, target = '']) => !existsSync(join(repositoryRoot, dirname(document), target)))
      .map(([, target]) => `${document}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('every source and test that a document names exists', () => {
  const missing = documents.flatMap((document) =>
    [...read(document).matchAll(/`((?:src|test|cli|docs|scripts)\/[\w./-]+\.\w+)`/g)]
      .filter(([, path = '']) => !existsSync(join(repositoryRoot, path)))
      .map(([, path]) => `${document}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

test('a decision says its question, the decision, why, what was given up, and how an error would be noticed', () => {
  const decisions = filesIn(['docs/decisions'], '.md');
  assert.ok(decisions.length >= 9);
  for (const decision of decisions) {
    const headings = [...read(decision).matchAll(/^\*\*(.+?)\*\*/gm)].map(([, heading]) => heading);
    assert.deepEqual(
      headings,
      ['Question.', 'Decision.', 'Why.', 'What we gave up.', 'How we would notice that it was wrong.'],
      decision,
    );
  }
});

test('docs/mission.md has every row, each with a test or the words "not yet"', () => {
  const rows = tableRows('docs/mission.md').filter(([id]) => /^[A-E]\d$/.test(id ?? ''));
  const counts: Record<string, number> = { A: 9, B: 5, C: 6, D: 1, E: 7 };
  const expected = Object.entries(counts).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
  );
  assert.deepEqual(
    rows.map(([id]) => id),
    expected,
  );
  for (const [id, , shownBy = ''] of rows) assert.match(shownBy, /not yet|`(src|test)\//, id);
});

test('docs/compatibility.md lists the tests through unmodified clients as they are', () => {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [join(repositoryRoot, 'scripts/compatibility.mjs'), '--print'],
    { encoding: 'utf8', maxBuffer: 2 ** 24 },
  );
  assert.equal(status, 0, stderr);
  assert.ok(read('docs/compatibility.md') === stdout, 'run: node scripts/compatibility.mjs');
});
