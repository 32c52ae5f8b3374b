import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositoryRoot } from '../../../../test/support/repository.ts';
import { ringfoldLayouts } from './ringfold-layouts.ts';

test('every table of keyspace ringfold is described with all its columns, and no other', () => {
  const [, ...sections] = readFileSync(join(repositoryRoot, 'docs/cql-virtual-tables.md'), 'utf8').split(
    '\n### ',
  );
  const described = sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const cells = lines.filter((line) => line.startsWith('| `')).map((line) => line.split('|')[1] ?? '');
    const [name = '', ...keys] = namesIn(heading);
    return { name, columns: [...new Set([...keys, ...cells.flatMap(namesIn)])].sort() };
  });
  const tables = Object.values(ringfoldLayouts).map(({ name, partitionKey, clustering, regulars }) => ({
    name,
    columns: Object.keys({ ...partitionKey, ...clustering, ...regulars }).sort(),
  }));
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
  assert.deepEqual(described.sort(byName), tables.sort(byName));
});

function namesIn(text: string): string[] {
  return Array.from(text.matchAll(/`(\w+)`/g), ([, name = '']) => name);
}
