import { integerBetween, type Random } from '../../src/foundation/random.ts';
import type { SimulatedNode, SimulatedRowStore } from './simulated-node.ts';
import type { SimulatedRuns } from './simulated-runs.ts';

export interface NodeFault {
  readonly name: string;
  readonly weight: number;
  /** It strikes a few calls and is over; the others last until the hardware works again. */
  readonly isBrief: boolean;
  readonly begin: (node: SimulatedNode, random: Random) => void;
}

export const nodeFaults: readonly NodeFault[] = [
  {
    name: 'slow',
    weight: 2,
    isBrief: false,
    begin: (node, random) => {
      node.medium.slowness = integerBetween(random, 10, 400);
    },
  },
  { name: 'hung, mute', weight: 3, isBrief: false, begin: (node) => node.medium.hang('mute') },
  { name: 'hung, deaf', weight: 2, isBrief: false, begin: (node) => node.medium.hang('deaf') },
  {
    name: 'dead',
    weight: 2,
    isBrief: false,
    begin: (node) => {
      node.medium.isDead = true;
    },
  },
  {
    name: 'short write',
    weight: 4,
    isBrief: true,
    begin: (node, random) => {
      node.disk.failingAppends = integerBetween(random, 1, 2);
    },
  },
  {
    name: 'failed sync',
    weight: 4,
    isBrief: true,
    begin: (node, random) => {
      node.disk.failingSyncs = integerBetween(random, 1, 2);
    },
  },
  {
    name: 'failed row write',
    weight: 2,
    isBrief: true,
    begin: (node, random) => {
      node.failRowWrites(integerBetween(random, 1, 2));
    },
  },
  {
    name: 'failed row read',
    weight: 2,
    isBrief: true,
    begin: (node, random) => {
      node.failRowReads(integerBetween(random, 1, 3));
    },
  },
  {
    name: 'full',
    weight: 2,
    isBrief: false,
    begin: (node, random) => {
      node.disk.capacityBytes = node.disk.usedBytes + integerBetween(random, 0, 1_500);
    },
  },
];

export interface Damage {
  readonly name: string;
  readonly weight: number;
  /** The only row store it can happen to. */
  readonly rowStore?: SimulatedRowStore['kind'];
  /** Rows are wrong until somebody notices; else the node is. */
  readonly isOfRows: boolean;
  /** False when there was nothing to damage. */
  readonly strike: (node: SimulatedNode) => boolean;
}

export const damages: readonly Damage[] = [
  {
    name: 'lost',
    weight: 3,
    isOfRows: false,
    strike: (node) => {
      node.lose();
      return true;
    },
  },
  {
    name: 'log corrupt',
    weight: 3,
    isOfRows: false,
    strike: (node) => node.disk.corrupt((path) => path.startsWith('log/')),
  },
  {
    name: 'superblock corrupt',
    weight: 1,
    isOfRows: false,
    strike: (node) => node.disk.corrupt((path) => path === 'superblock-a'),
  },
  // Mended by applying the log again, before anybody could notice.
  {
    name: 'row journal corrupt',
    weight: 2,
    rowStore: 'leveldb',
    isOfRows: false,
    strike: ({ rows }) => rows.kind === 'leveldb' && rows.corruptJournal(),
  },
  {
    name: 'row corrupt',
    weight: 2,
    rowStore: 'leveldb',
    isOfRows: true,
    strike: ({ rows }) => rows.kind === 'leveldb' && rows.corruptRow(),
  },
  // Every byte of a run has a checksum over it, so nobody is ever given a wrong row.
  ofRuns('run corrupt', 3, (runs) => runs.corruptRun()),
  ofRuns('run cut off', 1, (runs) => runs.cutRun()),
  ofRuns('run lost', 1, (runs) => runs.loseRun()),
  ofRuns('manifest corrupt', 1, (runs) => runs.corruptManifest()),
  ofRuns('manifest lost', 1, (runs) => runs.loseManifest()),
];

function ofRuns(name: string, weight: number, strike: (runs: SimulatedRuns) => boolean): Damage {
  return {
    name,
    weight,
    rowStore: 'runs',
    isOfRows: false,
    strike: ({ rows }) => rows.kind === 'runs' && strike(rows),
  };
}
