// A storage node is damaged under a running server, as it comes with its default settings: within ten seconds it is noticed,
// service goes on, the node is made good from the others, and then nothing differs.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import {
  eventually,
  postJson,
  runCommand,
  StartedRingfold,
  temporaryDirectory,
} from '../support/start-ringfold.ts';
import { cutInHalf, flipBytes, logSegments, rowTables } from './file-damage.ts';
import { LightLoad } from './light-load.ts';

const noticedWithinMs = 10_000;
const damagedNode = 1;
const baseRows = 600;
const rowBytes = 3_000;

interface Damage {
  readonly what: string;
  readonly doIt: (nodeDirectory: string) => void;
  /** Without it: once the server says that the node is down or differs. */
  readonly isNoticed?: (nodeDirectory: string) => boolean;
  /** All rows are read at once, before any check has looked. */
  readonly isReadAtOnce?: boolean;
  /** The process may die of it and be started again by the supervisor, or refuse writes for a while. */
  readonly mayInterrupt?: boolean;
}

const noticed = new RegExp(
  `node (down|rebuilt) node=${damagedNode} |scrub found differences|the server died`,
);
const superblocks = ['superblock-a', 'superblock-b'];

const damages: readonly Damage[] = [
  { what: 'a deleted node directory', doIt: (node) => rmSync(node, { recursive: true }) },
  {
    what: 'two deleted node directories at once',
    doIt: (node) => {
      rmSync(node, { recursive: true });
      rmSync(join(dirname(node), 'node-3'), { recursive: true });
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
  { what: 'flipped bytes in a table of rows', doIt: (node) => flipBytes(rowTables(node)[0] ?? '') },
  {
    what: 'a table of rows cut off in the middle',
    doIt: (node) => cutInHalf(rowTables(node)[0] ?? ''),
    mayInterrupt: true,
  },
  {
    // LevelDB maps its tables: reading what is no longer there is SIGBUS, and the supervisor has to find the node.
    what: 'a table of rows cut off in the middle and read at once',
    doIt: (node) => cutInHalf(rowTables(node)[0] ?? ''),
    isReadAtOnce: true,
    mayInterrupt: true,
  },
  { what: 'a deleted table of rows', doIt: (node) => rmSync(rowTables(node)[0] ?? '') },
  { what: 'a deleted row store', doIt: (node) => rmSync(join(node, 'rows'), { recursive: true }) },
  {
    what: 'a node without superblocks',
    doIt: (node) => {
      for (const name of superblocks) rmSync(join(node, name));
    },
    // A node that is up knows who it is, and writes them again.
    isNoticed: (node) => superblocks.every((name) => existsSync(join(node, name))),
  },
];

const directory = mkdtempSync(join(tmpdir(), 'ringfold-damage-'));
const base = join(directory, 'base');
let baseLoad: LightLoad;
let container: number;

before(async (suite) => {
  // Stopped once, so that what was in LevelDB's journal becomes a table when it is opened again.
  const context = suite as TestContext;
  const server = await StartedRingfold.start(context, ['--data-dir', base]);
  const created = await server.ask('/_ringfold/containers', postJson({ partitions: 2 }));
  ({ container } = (await created.json()) as { container: number });
  baseLoad = new LightLoad(server, container);
  await baseLoad.fill(baseRows, rowBytes);
  assert.equal(await server.end('SIGTERM'), 0);
});

after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));

describe('under a running server', { concurrency: 4 }, () => {
  for (const damage of damages) {
    test(`${damage.what} is noticed within 10 s, service goes on, and the node is made good`, (context) =>
      suffer(damage, context));
  }
});

async function suffer(damage: Damage, context: TestContext): Promise<void> {
  const dataDir = join(temporaryDirectory(context), 'data');
  cpSync(base, dataDir, { recursive: true });
  const server = await StartedRingfold.start(context, ['--data-dir', dataDir]);
  const load = baseLoad.continueOn(server);
  const nodeDirectory = join(dataDir, `node-${damagedNode}`);
  try {
    load.begin();
    await eventually('writes are served', () => load.written > 20);
    const heard = server.stderr.length;
    const damagedAt = performance.now();
    damage.doIt(nodeDirectory);
    if (damage.isReadAtOnce === true) await scrub(server).catch(() => {});
    const isNoticed = damage.isNoticed ?? (() => noticed.test(server.stderr.slice(heard)));
    await eventually('it is noticed', () => isNoticed(nodeDirectory), noticedWithinMs);
    const noticedMs = Math.round(performance.now() - damagedAt);
    await eventually('the node is up and level', () => isWhole(server), 30_000);
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

/** All nodes are up and all replicas level. While the server is being started again nobody answers. */
async function isWhole(server: StartedRingfold): Promise<boolean> {
  try {
    const status = (await (await server.ask('/_ringfold/status')).json()) as {
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
