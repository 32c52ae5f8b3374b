import { cpus, loadavg, totalmem } from 'node:os';

/** What a figure is worth depends on where it was measured, and on what else ran there. */
export function machineLine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${memory} GB, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)} before the start`;
}
