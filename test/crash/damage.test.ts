// A storage node is damaged under a running server, as it comes with its default settings: within ten seconds it is noticed,
// service goes on, the node is made good from the others, and then nothing differs.

import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { HttpClient } from '../support/http-client.ts';
import {
  eventually,
  postJson,
  removeDirectory,
  runCommand,
  StartedRingfold,
  temporaryDirectory,
} from '../support/start-ringfold.ts';
import {
  cutInHalf,
  flipByteOfRun,
  flipBytes,
  knownRuns,
  logSegments,
  manifestOf,
  numberOfRun,
  type PlaceInRun,
  rowFiles,
} from './file-damage.ts';
import { LightLoad } from './light-load.ts';

const noticedWithinMs = 10_000;
const damagedNode = 1;
const baseRows = 300;
const rowBytes = 6_000;

interface Damage {
  readonly what: string;
  readonly doIt: (nodeDirectory: string) => void;
  /** Without it: once the server says that the node is down or differs. */
  readonly isNoticed?: (nodeDirectory: string) => boolean;
  /** All rows are read at once, before any check has looked. */
  readonly isReadAtOnce?: boolean;
  /** The damaged run may also be merged away: a merge reads all of it, or has done so. */
  readonly mayBeMerged?: boolean;
  /** Nobody writes until it is noticed, so that nothing is written over or merged away by chance. */
  readonly isQuiet?: boolean;
  /** The process may die of it and be started again by the supervisor, or refuse writes for a while. */
  readonly mayInterrupt?: boolean;
}

const noticed = new RegExp(
  `node (down|rebuilt) node=${damagedNode} |scrub found differences|the server died`,
);
const superblocks = ['superblock-a', 'superblock-b'];

const placesInRun: readonly PlaceInRun[] = [
  'its first block',
  'a block in its middle',
  'its index',
  'its root',
  'its footer',
];

const damages: readonly Damage[] = [
  { what: 'a deleted node directory', doIt: (node) => removeDirectory(node) },
  {
    what: 'two deleted node directories at once',
    doIt: (node) => {
      removeDirectory(node);
      removeDirectory(join(dirname(node), 'node-3'));
    },
    // With two nodes left there is no quorum until one of the others has been made anew.
    mayInterrupt: true,
  },
  {
    what: 'a node directory that was replaced by an empty one',
    doIt: (node) => {
      renameSync(node, `${node}-away`);
      mkdirSync(node);
    },
  },
  { what: 'a log segment cut off in the middle', doIt: (node) => cutInHalf(logSegments(node).at(-1) ?? '') },
  {
    what: 'flipped bytes in the newest log segment',
    doIt: (node) => flipBytes(logSegments(node).at(-1) ?? ''),
  },
  { what: 'flipped bytes in the oldest log segment', doIt: (node) => flipBytes(logSegments(node)[0] ?? '') },
  ...placesInRun.map((place) => ({
    what: `a flipped byte of a run, in ${place}`,
    doIt: (node: string) => flipByteOfRun(largestRowFile(node), place),
    isQuiet: true,
  })),
  {
    what: 'a flipped byte of a run while rows are written and merged',
    doIt: (node) => flipByteOfRun(largestRowFile(node), 'a block in its middle'),
    mayBeMerged: true,
  },
  { what: 'a run cut off in the middle', doIt: (node) => cutInHalf(largestRowFile(node)), isQuiet: true },
  {
    what: 'a run cut off in the middle and read at once',
    doIt: (node) => cutInHalf(largestRowFile(node)),
    isReadAtOnce: true,
    mayBeMerged: true,
  },
  { what: 'a deleted run', doIt: (node) => rmSync(largestRowFile(node)), isQuiet: true },
  { what: 'a deleted manifest', doIt: (node) => rmSync(manifestOf(node)), isQuiet: true },
  { what: 'a manifest cut off in the middle', doIt: (node) => cutInHalf(manifestOf(node)), isQuiet: true },
  { what: 'flipped bytes in a manifest', doIt: (node) => flipBytes(manifestOf(node)), isQuiet: true },
  {
    what: 'flipped bytes in a manifest while rows are written',
    doIt: (node) => flipBytes(manifestOf(node)),
    // The next run brings the next manifest.
    isNoticed: (node) => isSoundManifest(manifestOf(node)),
  },
  { what: 'a deleted row store', doIt: (node) => removeDirectory(join(node, 'rows')) },
  {
    what: 'a node without superblocks',
    doIt: (node) => {
      for (const name of superblocks) rmSync(join(node, name));
    },
    // A node that is up knows who it is, and writes them again.
    isNoticed: (node) => superblocks.every((name) => existsSync(join(node, name))),
  },
];

/** The same with LevelDB, whose own ways of being damaged are fewer than its ways of saying so. */
const levelDamages: readonly Damage[] = [
  { what: 'flipped bytes in a table of rows', doIt: (node) => flipBytes(largestRowFile(node)) },
  {
    // LevelDB maps its tables: reading what is no longer there is SIGBUS, and the supervisor has to find the node.
    what: 'a table of rows cut off in the middle and read at once',
    doIt: (node) => cutInHalf(largestRowFile(node)),
    isReadAtOnce: true,
    mayInterrupt: true,
  },
  { what: 'a deleted table of rows', doIt: (node) => rmSync(largestRowFile(node)) },
  { what: 'a deleted row store', doIt: (node) => removeDirectory(join(node, 'rows')) },
];

/** A data directory to be copied and damaged, and what is in it. */
interface Base {
  readonly dataDir: string;
  readonly load: LightLoad;
}

const directory = mkdtempSync(join(tmpdir(), 'ringfold-damage-'));
let runs: Base;
let level: Base;

before(async (suite) => {
  const context = suite as TestContext;
  runs = await makeBase(context, 'runs');
  level = await makeBase(context, 'leveldb');
});

after(() => removeDirectory(directory));

describe('under a running server', { concurrency: 4 }, () => {
  for (const damage of damages) {
    test(`${damage.what} is noticed within 10 s, service goes on, and the node is made good`, (context) =>
      suffer(damage, runs, context));
  }
});

describe('under a running server with LevelDB', { concurrency: 4 }, () => {
  for (const damage of levelDamages) {
    test(`${damage.what} is noticed within 10 s, service goes on, and the node is made good`, (context) =>
      suffer(damage, level, context));
  }
});

test('files in a row store that are nobody’s are left alone, and do no harm', async (context) => {
  const dataDir = join(temporaryDirectory(context), 'data');
  cpSync(runs.dataDir, dataDir, { recursive: true });
  const rows = join(dataDir, `node-${damagedNode}`, 'rows');
  const strangers = ['letter.txt', '000007.log', 'manifest.old', 'lost+found'];
  for (let life = 0; life < 2; life++) {
    const server = await StartedRingfold.start(context, ['--data-dir', dataDir]);
    for (const name of strangers) writeFileSync(join(rows, name), 'Dear Theo');
    const load = runs.load.continueOn(server);
    load.begin();
    await eventually('writes are served', () => load.written > 100);
    await load.end();
    await load.checkAll();
    assert.deepEqual(load.failures, []);
    assert.doesNotMatch(server.stderr, /node (down|rebuilt)/);
    assert.equal(await server.end('SIGTERM'), 0);
    for (const name of strangers) assert.equal(readFileSync(join(rows, name), 'utf8'), 'Dear Theo');
  }
});

async function makeBase(context: TestContext, rowStore: 'runs' | 'leveldb'): Promise<Base> {
  const dataDir = join(directory, rowStore);
  const server = await StartedRingfold.start(context, ['--data-dir', dataDir, '--row-store', rowStore]);
  const created = await server.ask('/_ringfold/containers', postJson({ partitions: 2 }));
  const { container } = (await created.json()) as { container: number };
  const load = new LightLoad(server, container);
  await load.fill(baseRows, rowBytes);
  // Stopped once, so that what is in LevelDB's journal becomes a table when it is opened again.
  assert.equal(await server.end('SIGTERM'), 0);
  return { dataDir, load };
}

async function suffer(damage: Damage, base: Base, context: TestContext): Promise<void> {
  const dataDir = join(temporaryDirectory(context), 'data');
  cpSync(base.dataDir, dataDir, { recursive: true });
  const server = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  const load = base.load.continueOn(server);
  const nodeDirectory = join(dataDir, `node-${damagedNode}`);
  try {
    if (damage.isQuiet === true) await mergesToEnd(nodeDirectory);
    else {
      load.begin();
      await eventually('writes are served', () => load.written > 20);
    }
    const heard = server.stderr.length;
    const damagedAt = performance.now();
    const largest = largestRowFile(nodeDirectory);
    const isMerged = () => damage.mayBeMerged === true && !existsSync(largest);
    doTo(nodeDirectory, damage);
    if (damage.isReadAtOnce === true) await scrub(server).catch(() => {});
    const isNoticed = damage.isNoticed ?? (() => isMerged() || noticed.test(server.stderr.slice(heard)));
    await eventually('it is noticed', () => isNoticed(nodeDirectory), noticedWithinMs);
    const noticedMs = Math.round(performance.now() - damagedAt);
    if (damage.isQuiet === true) load.begin();
    const client = new HttpClient(server.port);
    await eventually('the node is up and level', () => isWhole(client));
    const wholeMs = Math.round(performance.now() - damagedAt);
    const writtenBefore = load.written;
    await eventually('writes go on', () => load.written > writtenBefore + 20);
    await load.end();
    assert.deepEqual(await scrub(server), { differences: 0, undecided: 0 });
    await load.checkAll();
    const times = `noticed after ${noticedMs} ms, whole after ${wholeMs} ms, longest pause ${Math.round(load.longestPauseMs)} ms`;
    context.diagnostic(`${damage.what}: ${times}, ${load.failures.length} failed requests`);
    if (damage.mayInterrupt !== true) {
      assert.doesNotMatch(server.stderr, /the server died/);
      assert.deepEqual(load.failures, []);
      assert.ok(load.longestPauseMs < 3_000, times);
    }
    assert.equal(await server.end('SIGTERM'), 0);
    const check = await runCommand(['check-node', nodeDirectory]);
    assert.equal(check.code, 0, check.stderr);
  } catch (error) {
    await load.end().catch(() => {});
    const found = error instanceof Error ? error.message : String(error);
    const tail = load.failures.slice(-3).join('\n');
    throw new Error(
      `${found}\nfailed requests: ${load.failures.length} ${tail}\nthe server said:\n${server.stderr}`,
      {
        cause: error,
      },
    );
  }
}

/** What was to be damaged may have been merged, or come to its end, a moment ago: then there is another. */
function doTo(nodeDirectory: string, { doIt }: Damage): void {
  for (let tries = 1; ; tries++) {
    try {
      doIt(nodeDirectory);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 20) throw error;
    }
  }
}

/** What was damaged while it is merged may be gone with the merge, and the manifest is then written anew. */
async function mergesToEnd(nodeDirectory: string): Promise<void> {
  let seen = '';
  let since = 0;
  await eventually('there is nothing left to merge', () => {
    const present = rowFiles(nodeDirectory).sort();
    const known = knownRuns(nodeDirectory);
    const isWhole = present.length === known.size && present.every((path) => known.has(numberOfRun(path)));
    if (!isWhole || present.join() !== seen) since = performance.now();
    seen = present.join();
    return performance.now() - since > 500;
  });
}

function largestRowFile(nodeDirectory: string): string {
  const isRuns = existsSync(manifestOf(nodeDirectory));
  const known = isRuns ? knownRuns(nodeDirectory) : undefined;
  const [largest] = rowFiles(nodeDirectory).filter((path) => known?.has(numberOfRun(path)) ?? true);
  assert.ok(largest !== undefined, 'the node has rows on disk');
  return largest;
}

/** It begins with the checksum of what follows. */
function isSoundManifest(path: string): boolean {
  const [, checksum, text] = /^([0-9a-f]{8}) (.*)\n$/s.exec(readFileSync(path, 'utf8')) ?? [];
  return text !== undefined && crc32(text) === Number.parseInt(checksum ?? '', 16);
}

/** All nodes are up and all replicas level. While the server is being started again nobody answers. */
async function isWhole(client: HttpClient): Promise<boolean> {
  try {
    const answer = await client.ask('/_ringfold/status', { timeoutMs: 5_000 });
    const status = JSON.parse(answer.text) as {
      nodes: { state: string }[];
      partitions: { members: number[]; levelReplicas: number; state: string }[];
    };
    return (
      status.nodes.every(({ state }) => state === 'up') &&
      status.partitions.every(
        ({ members, levelReplicas, state }) => levelReplicas === members.length && state === 'serving',
      )
    );
  } catch {
    return false;
  }
}

async function scrub(server: StartedRingfold): Promise<{ differences: number; undecided: number }> {
  const response = await server.ask('/_ringfold/scrub', postJson({}));
  const { differences, undecided } = (await response.json()) as { differences: number; undecided: number };
  return { differences, undecided };
}
