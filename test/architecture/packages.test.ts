// A fresh clone installs with `npm ci`, which refuses a lockfile that lacks a package, even one for another platform that
// it would never install. A lockfile made where the registry is incomplete lacks those.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositoryRoot } from '../support/repository.ts';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lockfile = JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

test('the lockfile has every package that one of its packages names', () => {
  const missing = Object.entries(lockfile.packages).flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies })
      .filter(
        (name) =>
          !(
            `${path}/node_modules/${name}` in lockfile.packages || `node_modules/${name}` in lockfile.packages
          ),
      )
      .map((name) => `${path} needs ${name}`),
  );
  assert.deepEqual(missing, []);
});

test('every package that is installed everywhere is locked by its contents', () => {
  const unlocked = Object.entries(lockfile.packages)
    .filter(([path, { optional, integrity }]) => path !== '' && !optional && integrity === undefined)
    .map(([path]) => path);
  assert.deepEqual(unlocked, []);
});

test('dependencies are pinned to one version', () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
  );
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    assert.match(String(version), /^\d+\.\d+\.\d+$/, name);
  }
});
