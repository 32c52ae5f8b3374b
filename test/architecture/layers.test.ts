// The direction of imports is held by biome.json; these tests hold biome.json. Every import that one folder could make of
// another is planted in a temporary tree, and exactly the forbidden ones must be reported: a rule that reports nothing,
// because a glob no longer matches, fails here.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { repositoryRoot } from '../support/repository.ts';

/** From the bottom. Folders in one line may not import one another either. */
const layers: readonly (readonly string[])[] = [
  ['src/errors'],
  ['src/foundation'],
  ['src/partitioning'],
  ['src/throughput', 'src/values'],
  ['src/storage'],
  ['src/replication'],
  ['src/catalog'],
  ['src/routing'],
  ['src/balancing', 'src/advisor'],
  ['src/execution'],
  ['src/language/parsing'],
  ['src/language/cql', 'src/language/sql'],
  ['src/protocol/tls'],
  ['src/protocol/http'],
  ['src/protocol/cql', 'src/protocol/nosql', 'src/protocol/admin'],
  ['src/config'],
  ['src'],
  ['cli'],
];
/** What lies below a folder and is nevertheless not its own. */
const foreign = new Set([
  // Keys as bytes and rings know nothing of one another.
  'src/values → src/partitioning',
  'src/protocol/cql → src/language/sql',
  'src/protocol/nosql → src/language/cql',
  'src/protocol/admin → src/language/cql',
]);

let tree: string;
let reported: Set<string>;

before(() => {
  tree = mkdtempSync(join(tmpdir(), 'ringfold-layers-'));
  const { vcs: _vcs, ...settings } = JSON.parse(readFileSync(join(repositoryRoot, 'biome.json'), 'utf8'));
  writeFileSync(join(tree, 'biome.json'), JSON.stringify(settings));
  for (const from of layers.flat()) {
    for (const to of layers.flat()) if (from !== to) plant(from, to, relative(from, `${to}/${targetIn(to)}`));
    plant(from, 'classic-level', 'classic-level');
  }
  plant('src/storage/level', 'classic-level', 'classic-level');
  plant('src/storage/level', 'src/replication', '../../replication/thing.ts');
  const biome = join(repositoryRoot, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout } = spawnSync(
    process.execPath,
    [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'],
    {
      cwd: tree,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  );
  const diagnostics = JSON.parse(stdout).diagnostics as { category: string; location: { path: string } }[];
  const imports = diagnostics.filter(({ category }) => category === 'lint/style/noRestrictedImports');
  reported = new Set(
    imports.map(
      ({ location }) => readFileSync(join(tree, location.path), 'utf8').split('\n')[0]?.slice(3) ?? '',
    ),
  );
});
after(() => rmSync(tree, { recursive: true, force: true }));

/** The folder `src` stands for the files directly in it. */
function targetIn(folder: string): string {
  return folder === 'src' ? 'ringfold.ts' : 'thing.ts';
}

function plant(from: string, to: string, specifier: string): void {
  const path = join(tree, from, `imports-${to.replaceAll('/', '-')}.ts`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `// ${from} → ${to}\nimport '${specifier.startsWith('.') || to === 'classic-level' ? specifier : `./${specifier}`}';\n`,
  );
}

function heightOf(folder: string): number {
  return layers.findIndex((layer) => layer.includes(folder));
}

for (const from of layers.flat()) {
  test(`${from} imports only what is below it`, () => {
    for (const to of layers.flat()) {
      if (from === to) continue;
      const edge = `${from} → ${to}`;
      const isForbidden = heightOf(to) >= heightOf(from) || foreign.has(edge);
      assert.equal(reported.has(edge), isForbidden, `${edge} is ${isForbidden ? 'forbidden' : 'allowed'}`);
    }
  });
}

test('only storage/level imports classic-level, and is a part of storage otherwise', () => {
  for (const from of layers.flat()) assert.ok(reported.has(`${from} → classic-level`), from);
  assert.ok(!reported.has('src/storage/level → classic-level'));
  assert.ok(reported.has('src/storage/level → src/replication'));
});
