// Makes the list in docs/compatibility.md from the names of the tests that speak through unmodified clients: what has no test is not
// claimed. `node scripts/compatibility.mjs` writes it; with `--print` it only prints what the page should be, for the test that holds it.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, 'docs/compatibility.md');
const begin = '<!-- From here on made of test names: node scripts/compatibility.mjs -->';
const end = '<!-- End of what is made of test names. -->';

const text = readFileSync(page, 'utf8');
const from = text.indexOf(begin);
const to = text.indexOf(end);
if (from === -1 || to < from) throw new Error(`docs/compatibility.md has no place for the list: ${begin}`);
const made = `${text.slice(0, from)}${begin}\n\n${sections().join('\n')}\n${text.slice(to)}`;
if (process.argv.includes('--print')) process.stdout.write(made);
else writeFileSync(page, made);

function sections() {
  return ['test/nosql', 'test/cql', 'test/compatibility'].flatMap((folder) =>
    testFiles(folder).map((file) => sectionOf(`${folder}/${file}`)),
  );
}

function testFiles(folder) {
  try {
    return readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.test.ts'))
      .sort();
  } catch {
    return [];
  }
}

/** The first comment of the file says what it is about. */
function sectionOf(path) {
  const source = readFileSync(join(root, path), 'utf8');
  const about = /^\/\/ (.+)$/m.exec(source)?.[1] ?? '';
  const names = [...source.matchAll(/^\s*test\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gm)].map(([, , name]) =>
    name.replace(/\\(.)/g, '$1'),
  );
  return [`### \`${path}\``, '', about, '', ...names.map((name) => `- ${name}`), ''].join('\n');
}
