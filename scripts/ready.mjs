// Makes a clone ready to run: installs from the lockfile when what is installed differs from it, and builds when
// a source has changed. Says what it does on stderr, because stdout belongs to the command that comes after it
// (`--ready-json`). Needs nothing but Node, and is silent when there is nothing to do.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The folders that TypeScript compiles into `dist/`; the same list as `include` in tsconfig.json. */
export const sourceFolders = ['src', 'cli', 'test', 'bench'];

const buildStamp = join(root, 'dist', '.built');

/** Ends the process with a message when it cannot make the clone ready. */
export function makeReady() {
  requireNode();
  install();
  build();
}

export function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const floor = engines.node.replace('>=', '').split('.').map(Number);
  const running = process.versions.node.split('.').map(Number);
  const isOldEnough = running[0] > floor[0] || (running[0] === floor[0] && running[1] >= floor[1]);
  if (!isOldEnough) fail(`Ringfold needs Node ${engines.node}; this is ${process.version}.`);
}

export function install() {
  const reason = reasonToInstall();
  if (reason === undefined) return;
  step(`installing dependencies (${reason})`, () => {
    // npm is a script on Windows, which only a shell can start.
    const isWindows = process.platform === 'win32';
    const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      shell: isWindows,
      // npm's own report goes where ours goes.
      stdio: ['ignore', process.stderr, process.stderr],
    });
    return npm.status === 0;
  });
}

/**
 * npm leaves a copy of the lockfile inside node_modules when it has finished, so an install that was interrupted,
 * made by hand, or made for another branch is told apart by what is in it rather than by its age.
 */
function reasonToInstall() {
  const installedPath = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedPath)) return 'none are installed';
  const installed = JSON.parse(readFileSync(installedPath, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const there = installed[path];
    // An optional package for another platform is in the lockfile and rightly not installed.
    if (there === undefined && entry.optional) continue;
    if (there?.integrity !== entry.integrity) return 'the lockfile has changed';
  }
  return undefined;
}

export function build() {
  const sources = sourcesStamp();
  if (existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === sources) return;
  rmSync(buildStamp, { force: true });
  step('building', () => {
    removeOutputWithoutSource();
    const tsc = spawnSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc')], {
      cwd: root,
      stdio: ['ignore', process.stderr, process.stderr],
    });
    return tsc.status === 0 && bundle(root);
  });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(buildStamp, sources);
}

/** Paths of all sources whose name ends so, relative to the root, with forward slashes, sorted. */
export function listSources(ending) {
  const found = [];
  for (const folder of sourceFolders) {
    const path = join(root, folder);
    if (existsSync(path)) found.push(...filesBelow(path).filter((file) => file.endsWith(ending)));
  }
  return found.map((file) => relative(root, file).replaceAll('\\', '/')).sort();
}

/** `src/a.ts` → the absolute path of `dist/src/a.js`. */
export function outputOf(source) {
  return join(root, 'dist', source.replace(/\.ts$/, '.js'));
}

/** Names, times and sizes, so that a source that was deleted or renamed is noticed as well as one that was changed. */
function sourcesStamp() {
  const lines = [...listSources('.ts'), 'tsconfig.json', 'package-lock.json', 'scripts/bundle.mjs'].map(
    (file) => {
      const { mtimeMs, size } = statSync(join(root, file));
      return `${file} ${mtimeMs} ${size}`;
    },
  );
  return `${lines.join('\n')}\n`;
}

/** TypeScript never deletes what it once wrote, and a test whose source is gone would run for ever. */
function removeOutputWithoutSource() {
  for (const folder of sourceFolders) {
    const path = join(root, 'dist', folder);
    if (!existsSync(path)) continue;
    for (const file of filesBelow(path)) {
      const source = relative(join(root, 'dist'), file).replace(/\.(js|d\.ts)(\.map)?$/, '.ts');
      if (!existsSync(join(root, source))) rmSync(file);
    }
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function step(what, work) {
  process.stderr.write(`ringfold: ${what} …\n`);
  const start = performance.now();
  const isDone = work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (!isDone) fail(`${what} failed after ${seconds} s.`);
  process.stderr.write(`ringfold: ${what} took ${seconds} s.\n`);
}

function fail(message) {
  process.stderr.write(`ringfold: ${message}\n`);
  process.exit(1);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) makeReady();
