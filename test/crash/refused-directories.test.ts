// What is refused is left exactly as it was: every file, every byte. test/frame/command-line.test.ts has what the command line says.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { RingfoldError } from '../../src/errors/ringfold-error.ts';
import { initialBoundaries } from '../../src/partitioning/initial-layout.ts';
import { partitionKeyDefinition } from '../../src/partitioning/partition-key.ts';
import { startRingfold } from '../../src/ringfold.ts';
import { temporaryDirectory } from '../support/start-ringfold.ts';

const directory = mkdtempSync(join(tmpdir(), 'ringfold-refused-'));
const [sound, foreign] = [join(directory, 'sound'), join(directory, 'foreign')];

before(async () => {
  for (const dataDir of [sound, foreign]) {
    const { store, stop } = await startRingfold({ dataDir });
    await store.createContainer(initialBoundaries('cql', 2), partitionKeyDefinition('cql', ['key']));
    await stop();
  }
});

after(() => rmSync(directory, { recursive: true, force: true }));

const refusals: readonly {
  readonly what: string;
  readonly change: (dataDir: string) => void;
  readonly code: string;
  readonly says: RegExp;
}[] = [
  {
    what: 'a missing node directory',
    change: (dataDir) => rmSync(join(dataDir, 'node-3'), { recursive: true }),
    code: 'data-directory-foreign',
    says: /node 3 is missing/i,
  },
  {
    what: 'an empty node directory',
    change: (dataDir) => {
      rmSync(join(dataDir, 'node-0'), { recursive: true });
      mkdirSync(join(dataDir, 'node-0'));
    },
    code: 'data-directory-foreign',
    says: /node 0 is empty/i,
  },
  {
    what: "another cluster's node directory",
    change: (dataDir) => {
      rmSync(join(dataDir, 'node-1'), { recursive: true });
      cpSync(join(foreign, 'node-1'), join(dataDir, 'node-1'), { recursive: true });
    },
    code: 'data-directory-foreign',
    says: /another cluster/,
  },
  {
    what: 'a node directory that is there twice',
    change: (dataDir) => {
      rmSync(join(dataDir, 'node-2'), { recursive: true });
      cpSync(join(dataDir, 'node-1'), join(dataDir, 'node-2'), { recursive: true });
    },
    code: 'data-directory-foreign',
    says: /storage node 1/,
  },
  {
    what: 'a node without a valid superblock',
    change: (dataDir) => {
      for (const name of ['superblock-a', 'superblock-b'])
        writeFileSync(join(dataDir, 'node-2', name), 'nonsense');
    },
    code: 'data-directory-foreign',
    says: /node 2/,
  },
  {
    what: 'a superblock of an unknown format',
    change: (dataDir) => {
      const line = '{"format":99,"sequence":77}\n';
      const content = `${line}${crc32(line).toString(16).padStart(8, '0')}\n`;
      writeFileSync(join(dataDir, 'node-1', 'superblock-a'), content);
    },
    code: 'unknown-format',
    says: /99/,
  },
  {
    what: 'a log of an unknown format',
    change: (dataDir) => {
      const folder = join(dataDir, 'node-1', 'log');
      for (const name of readdirSync(folder)) {
        const segment = readFileSync(join(folder, name));
        // The format stands behind the eight letters that every segment begins with; the header ends with its checksum.
        segment.writeUInt32BE(99, 8);
        segment.writeUInt32BE(crc32(segment.subarray(0, 46)), 46);
        writeFileSync(join(folder, name), segment);
      }
    },
    code: 'unknown-format',
    says: /99/,
  },
  {
    what: 'a row store of an unknown format',
    change: (dataDir) => {
      const text = '{"format":99}';
      const checksum = crc32(text).toString(16).padStart(8, '0');
      writeFileSync(join(dataDir, 'node-1', 'rows', 'manifest'), `${checksum} ${text}\n`);
    },
    code: 'unknown-format',
    says: /99/,
  },
  {
    what: "somebody else's files in place of a node",
    change: (dataDir) => {
      renameSync(join(dataDir, 'node-3'), join(dataDir, 'away'));
      mkdirSync(join(dataDir, 'node-3'));
      writeFileSync(join(dataDir, 'node-3', 'letter.txt'), 'Dear Theo');
    },
    code: 'data-directory-foreign',
    says: /node 3|node-3/i,
  },
];

for (const { what, change, code, says } of refusals) {
  test(`${what} is refused with a message, and nothing is touched`, async (context) => {
    const dataDir = copyOf(sound, context);
    change(dataDir);
    const found = contentOf(dataDir);
    await assert.rejects(startRingfold({ dataDir }), (error) => {
      assert.ok(error instanceof RingfoldError, String(error));
      assert.equal(error.code, code);
      assert.match(`${error.message} ${JSON.stringify(error.details)}`, says);
      return true;
    });
    assert.deepEqual(contentOf(dataDir), found);
  });
}

test('a directory that another server owns is refused, and is free again when that one has stopped', async (context) => {
  const dataDir = copyOf(sound, context);
  const owner = await startRingfold({ dataDir, ownerName: 'Jo' });
  await assert.rejects(startRingfold({ dataDir }), (error) => {
    assert.ok(error instanceof RingfoldError && error.code === 'data-directory-in-use');
    assert.equal(error.details['owner'], 'Jo');
    return true;
  });
  await owner.stop();
  const next = await startRingfold({ dataDir });
  assert.equal(next.store.containers().length, 1);
  await next.stop();
});

test('a start that was refused can be made again once the directory is whole', async (context) => {
  const dataDir = copyOf(sound, context);
  renameSync(join(dataDir, 'node-2'), join(dataDir, 'away'));
  await assert.rejects(startRingfold({ dataDir }), { code: 'data-directory-foreign' });
  renameSync(join(dataDir, 'away'), join(dataDir, 'node-2'));
  const server = await startRingfold({ dataDir });
  await server.store.whenQuiet();
  assert.ok(server.store.status().nodes.every(({ state }) => state === 'up'));
  await server.stop();
});

function copyOf(base: string, context: TestContext): string {
  const dataDir = join(temporaryDirectory(context), 'data');
  cpSync(base, dataDir, { recursive: true });
  return dataDir;
}

/** Path → hash of the content, of everything below. */
function contentOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    entries.map((name) => {
      const path = join(folder, name);
      const isFile = statSync(path).isFile();
      return [name, isFile ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'folder'];
    }),
  );
}
