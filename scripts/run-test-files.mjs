// Runs test files in one process and tells what each of them did.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { outputOf, root } from './ready.mjs';

const wholeFile = 'the file as a whole';
let programs = 0;

export async function runTestFile(file, timeoutMs, signal) {
  const path = outputOf(file);
  const result = new FileResult(file);
  const began = performance.now();
  for await (const { type, data } of run({ files: [path], timeout: timeoutMs, signal })) {
    if (data?.name !== path) result.note(type, data);
    // Node tells of the file itself only when it failed or held nothing.
    else if (type === 'test:pass') result.fail(wholeFile, new Error('it holds no test'));
    else if (type === 'test:fail') result.noteFailure(`${wholeFile}, ${result.place}`, data.details.error);
  }
  result.end(performance.now() - began);
  return result;
}

/**
 * Each file is a suite of one process. There are no results when that process died, hung or failed besides its tests, since
 * nobody knows whose doing it was: then there is the place it had come to, and only running them one by one tells.
 */
export async function runTogether(files, timeoutMs, signal) {
  const path = writeProgram(files);
  const results = new Map(files.map((file) => [file, new FileResult(file)]));
  let current = results.get(files[0]);
  let hasFailedAsWhole = false;
  for await (const { type, data } of run({ files: [path], timeout: timeoutMs, signal })) {
    if (data?.name === path) {
      if (type === 'test:fail') hasFailedAsWhole ||= data.details.error.failureType !== 'subtestsFailed';
    } else if (data?.nesting !== 0 || !results.has(data.name)) {
      current.note(type, data);
    } else if (type === 'test:dequeue') {
      current = results.get(data.name);
    } else if (type === 'test:pass' || type === 'test:fail') {
      if (type === 'test:fail') current.noteFailure(wholeFile, data.details.error);
      else if (current.isEmpty) current.fail(wholeFile, new Error('it holds no test'));
      current.end(data.details.duration_ms);
    }
  }
  rmSync(path);
  const isSound = !hasFailedAsWhole && [...results.values()].every(({ hasEnded }) => hasEnded);
  if (isSound) return { results: [...results.values()] };
  return { place: `${current.file}, ${current.place}` };
}

class FileResult {
  passed = 0;
  failed = 0;
  skipped = 0;
  failures = [];
  output = [];
  hasEnded = false;
  ms = 0;
  /** Tests and suites that have begun and not ended, the outermost first. */
  #open = [];
  #lastEnded;

  constructor(file) {
    this.file = file;
  }

  /** For who looks for what a process was at when it hung or died. */
  get place() {
    if (this.#open.length > 0) return `in: ${this.#open.join(' > ')}`;
    return this.#lastEnded === undefined ? 'and no test of it was heard of' : `after: ${this.#lastEnded}`;
  }

  get isEmpty() {
    return this.passed + this.failed + this.skipped === 0;
  }

  end(ms) {
    this.hasEnded = true;
    this.ms = ms;
  }

  note(type, data) {
    if (type === 'test:stdout' || type === 'test:stderr') this.output.push(data.message);
    if (type === 'test:dequeue') this.#open.push(data.name);
    if (type === 'test:complete') {
      this.#lastEnded = data.name;
      this.#open.splice(this.#open.lastIndexOf(data.name), 1);
    }
    if (type === 'test:fail') this.noteFailure(data.name, data.details.error);
    if (type !== 'test:pass') return;
    if (data.skip !== undefined || data.todo !== undefined) this.skipped += 1;
    else if (data.details.type !== 'suite') this.passed += 1;
  }

  /** A suite or file that failed only because of the tests inside it has been counted by them. */
  noteFailure(name, error) {
    if (error.failureType !== 'subtestsFailed') this.fail(name, error);
  }

  fail(name, error) {
    this.failed += 1;
    this.failures.push({ file: this.file, name, error });
  }
}

/** A file is loaded inside its suite, so that what it calls at its top, hooks included, is of that suite. */
function writeProgram(files) {
  const folder = join(root, 'dist', 'test-processes');
  mkdirSync(folder, { recursive: true });
  programs += 1;
  const path = join(folder, `${process.pid}-${programs}.mjs`);
  const suites = files.map(
    (file) =>
      `describe(${JSON.stringify(file)}, () => import(${JSON.stringify(pathToFileURL(outputOf(file)).href)}));`,
  );
  writeFileSync(path, `import { describe } from 'node:test';\n${suites.join('\n')}\n`);
  return path;
}
