// Which test files share a process, and in which order the processes start. A process of its own costs a file the start of Node and
// the loading of all it tests, which for most of them is more than their tests do.

import { dirname } from 'node:path';

/** Files that need the machine, the process or the command line for themselves: each runs in a process of its own. */
const alone = ['test/crash/', 'test/frame/', 'test/simulation/'];
/** Few enough that a process which dies or hangs takes little with it: its files are run again one by one. */
const maxFilesTogether = 12;

/** By what they take on a quiet machine; the longest start first, so that none of them is at work alone in the end. */
const longest = [
  'test/crash/damage',
  'test/crash/sigkill',
  'test/crash/kill-sweep',
  'test/simulation/seeds-',
  'test/frame/supervisor',
  'test/frame/scripts',
  'test/crash/cql-sigkill',
  'test/frame/command-line',
  'test/frame/map-changes',
  'test/frame/throughput',
  'test/simulation/',
  'test/crash/',
  'test/frame/',
  'test/',
];

/** Lists of files, each for one process. */
export function inProcesses(files) {
  const together = new Map();
  const processes = [];
  for (const file of [...files].sort()) {
    const folder = folderOf(file);
    const open = together.get(folder);
    if (open !== undefined && open.length < maxFilesTogether) {
      open.push(file);
      continue;
    }
    const started = [file];
    processes.push(started);
    if (!alone.some((prefix) => file.startsWith(prefix))) together.set(folder, started);
  }
  return processes.sort((one, other) => turnOf(one) - turnOf(other) || other.length - one.length);
}

/** Files of one part of the project load much the same: `src/language`, `test/cql`. */
function folderOf(file) {
  return dirname(file).split('/').slice(0, 2).join('/');
}

function turnOf([first]) {
  const turn = longest.findIndex((prefix) => first.startsWith(prefix));
  return turn === -1 ? longest.length : turn;
}
