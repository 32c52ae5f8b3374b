// What the kernel tells of another process: which one listens on a port, and how much processor time it has used.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The kernel tells processor time in hundredths of a second on every Linux there is, whatever it counts in. */
const ticksPerSecond = 100;
const listening = '0A';

/** Undefined where the kernel does not tell, or does not tell us. */
export function processListeningOn(port: number): number | undefined {
  try {
    const sockets = new Set(['tcp', 'tcp6'].flatMap((file) => listeningInodes(file, port)));
    return numbered('/proc').find((pid) => openFiles(pid).some((link) => sockets.has(link)));
  } catch {
    return undefined;
  }
}

/** Processor time of all threads that the process has or had, in seconds. */
export function processCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is a name in brackets that may hold anything; the third is the first behind the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/**
 * Resolves when the process has used less than a tenth of a core for a while, or when the time is up: what writes leave to be done
 * belongs to them, and not to what is measured next.
 */
export async function whenProcessIdle(pid: number, atMostSeconds: number): Promise<void> {
  const stepMs = 200;
  let quietSteps = 0;
  for (let step = 0; step < atMostSeconds * (1_000 / stepMs) && quietSteps < 2; step++) {
    const before = processCpuSeconds(pid);
    await sleep(stepMs);
    quietSteps = processCpuSeconds(pid) - before < stepMs / 10_000 ? quietSteps + 1 : 0;
  }
}

function listeningInodes(file: string, port: number): string[] {
  const inHex = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(`/proc/net/${file}`, 'latin1')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${inHex}`) && state === listening)
    .map((fields) => `socket:[${fields[9]}]`);
}

/** Processes of other users are not ours to see, and files are closed while we look. */
function openFiles(pid: number): string[] {
  const directory = `/proc/${pid}/fd`;
  return orNothing(() => numbered(directory)).flatMap((descriptor) =>
    orNothing(() => [readlinkSync(`${directory}/${descriptor}`)]),
  );
}

function orNothing<T>(look: () => T[]): T[] {
  try {
    return look();
  } catch {
    return [];
  }
}

function numbered(directory: string): number[] {
  return readdirSync(directory)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}
