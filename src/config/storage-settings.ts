import type { Setting } from './setting.ts';

/** A replica set is four different nodes. */
export const minimumNodes = 4;
/** A node is named in one byte of the superblock's list of members; more directories than this on one machine is a mistake. */
const maximumNodes = 64;

export type StorageSetting =
  | 'data-dir'
  | 'nodes'
  | 'node-dir'
  | 'in-memory'
  | 'cache-mb'
  | 'log-retention-mb'
  | 'scrub-interval-s'
  | 'purge-interval-s'
  | 'reserve-free-mb'
  | 'row-store'
  | 'rebuild-node'
  | 'force-recover';

/** Where data is kept, and how it is cared for. */
export const storageSettings: Readonly<Record<StorageSetting, Setting>> = {
  'data-dir': {
    kind: 'text',
    default: './data',
    placeholder: 'DIR',
    help: 'where the storage nodes are kept',
  },
  nodes: {
    kind: 'number',
    default: minimumNodes,
    low: minimumNodes,
    high: maximumNodes,
    placeholder: 'N',
    help: 'how many storage nodes a new data directory gets',
  },
  'node-dir': {
    kind: 'texts',
    default: [],
    placeholder: 'DIR',
    help: 'a storage node of its own, best on a disk of its own; repeated, at least four',
  },
  'in-memory': { kind: 'switch', default: false, help: 'keep nothing: no file is read or written' },
  'cache-mb': {
    kind: 'number',
    default: 256,
    low: 1,
    high: 1_048_576,
    placeholder: 'MB',
    help: 'memory for rows that were read or written lately',
  },
  'log-retention-mb': {
    kind: 'number',
    default: 256,
    low: 1,
    high: 1_048_576,
    placeholder: 'MB',
    help: 'log each node keeps, so that another can catch up without a copy',
  },
  'scrub-interval-s': {
    kind: 'number',
    default: 5,
    low: 0,
    high: 31_536_000,
    placeholder: 'S',
    help: 'pause between two comparisons of all replicas; 0 compares only when asked',
  },
  'purge-interval-s': {
    kind: 'number',
    default: 3_600,
    low: 0,
    high: 31_536_000,
    placeholder: 'S',
    help: 'pause between two passes that remove what has expired; 0 removes it only when it is written again',
  },
  'reserve-free-mb': {
    kind: 'number',
    default: 64,
    low: 0,
    high: 1_048_576,
    placeholder: 'MB',
    help: 'writes are refused while a disk has less room than this',
  },
  'row-store': {
    kind: 'text',
    default: 'runs',
    choices: ['runs', 'leveldb'],
    placeholder: 'KIND',
    help: 'what keeps the rows of new storage nodes: runs, or leveldb',
  },
  'rebuild-node': {
    kind: 'numbers',
    default: [],
    low: 0,
    high: maximumNodes - 1,
    placeholder: 'N',
    help: 'storage node N is lost: make it anew from the others; repeated',
  },
  'force-recover': {
    kind: 'switch',
    default: false,
    help: 'accept writes with a single readable copy; it may be old',
  },
};
