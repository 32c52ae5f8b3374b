// What a server starts beside itself must be put together with it, or it would be missed only in servers, and only once it is started.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { filesIn, repositoryRoot } from '../support/repository.ts';

test('every file that the sources name by its place beside them is a program of the bundle', () => {
  const programs = readFileSync(join(repositoryRoot, 'scripts/bundle.mjs'), 'utf8');
  const named = sources().flatMap((source) =>
    [...read(source).matchAll(/new URL\('([^']+)\.js',\s*import\.meta\.url\)/g)].map(
      ([, path = '']) => `${join(dirname(source), path)}.ts`,
    ),
  );
  assert.ok(named.includes('src/storage/disk/read-worker.ts'), 'the thread that reads is found');
  assert.deepEqual(
    named.filter((program) => !programs.includes(`'${program}'`)),
    [],
  );
});

test('the place of a file is asked for only to find another file', () => {
  const others = sources().filter((source) =>
    read(source)
      .replaceAll(/new URL\('[^']+\.js',\s*import\.meta\.url\)/g, '')
      .includes('import.meta'),
  );
  assert.deepEqual(others, []);
});

function sources(): string[] {
  return filesIn(['src'], '.ts').filter((path) => !path.endsWith('.test.ts'));
}

function read(source: string): string {
  return readFileSync(join(repositoryRoot, source), 'utf8');
}
