import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { storageEngineContract } from '../../../test/contract/storage-engine.contract.ts';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import { defaultLevelEngineOptions, LevelEngine } from './level-engine.ts';

const key = (text: string) => text as ByteString;
const isCode = (code: string) => (error: unknown) => error instanceof RingfoldError && error.code === code;
const options = defaultLevelEngineOptions;

async function withDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'ringfold-level-'));
  try {
    await use(join(parent, 'rows'));
  } finally {
    await rm(parent, { recursive: true });
  }
}

storageEngineContract('the LevelDB engine', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ringfold-level-'));
  return {
    engine: await LevelEngine.create(directory, options),
    cleanUp: () => rm(directory, { recursive: true }),
  };
});

test('rows are there after closing and opening again', () =>
  withDirectory(async (directory) => {
    const first = await LevelEngine.create(directory, options);
    await first.write([{ key: Buffer.from('a'), value: Buffer.from('kept') }], true);
    await first.close();
    const second = await LevelEngine.open(directory, options);
    assert.equal((await second.get(key('a')))?.toString(), 'kept');
    await second.close();
  }));

test('opening a store that is not there is refused and leaves nothing behind', () =>
  withDirectory(async (directory) => {
    await assert.rejects(LevelEngine.open(directory, options), isCode('corrupt-data'));
    await assert.rejects(readdir(directory), { code: 'ENOENT' });
  }));

test('a store is not created over another', () =>
  withDirectory(async (directory) => {
    await (await LevelEngine.create(directory, options)).close();
    await assert.rejects(LevelEngine.create(directory, options), (error: Error) =>
      /exists/.test(String(error.cause)),
    );
  }));

test('a store that is open already is in use', () =>
  withDirectory(async (directory) => {
    const engine = await LevelEngine.create(directory, options);
    await assert.rejects(LevelEngine.open(directory, options), isCode('data-directory-in-use'));
    await engine.close();
  }));

test('a second write during the first is a broken invariant', () =>
  withDirectory(async (directory) => {
    const engine = await LevelEngine.create(directory, options);
    const first = engine.write([{ key: Buffer.from('a'), value: Buffer.from('1') }], true);
    await assert.rejects(engine.write([], false), /one write is in flight/);
    await first;
    await engine.close();
  }));

test('the size of a range counts what has reached tables', () =>
  withDirectory(async (directory) => {
    const engine = await LevelEngine.create(directory, {
      ...options,
      writeBufferBytes: 2 ** 16,
      compression: false,
    });
    for (let n = 0; n < 20; n++) {
      await engine.write([{ key: Buffer.from([n]), value: Buffer.alloc(2 ** 15, n) }], false);
    }
    assert.ok((await engine.approximateSize({ from: key('\x00'), to: key('\xff') })) > 2 ** 18);
    await engine.close();
  }));
