import { RingfoldError } from '../../src/errors/ringfold-error.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { consoleLog } from '../../src/foundation/console-log.ts';
import { type Ringfold, startRingfold } from '../../src/ringfold.ts';
import type { Command } from '../command.ts';
import { describeError } from '../describe-error.ts';
import { type FromServer, refusedExitCode, type ToServer } from '../server-messages.ts';
import { optionsOf } from '../server-options.ts';

/** A disk that hangs must not keep a server alive that nobody supervises any more. */
const orphanGraceMs = 10_000;

/** The server itself, as a child of `ringfold start`, which tells it what to serve and when to stop. */
export const serve: Command = {
  name: 'serve',
  usage: '',
  summary: 'the server process; only `ringfold start` runs it',
  help: () => 'Only `ringfold start` runs this.',
  run: async () => {
    if (process.send === undefined) throw new Error('serve is run by `ringfold start` only');
    return await serveUntilStopped();
  },
};

async function serveUntilStopped(): Promise<number> {
  const stopAsked = new Promise<void>((stop) => {
    process.on('message', (message: ToServer) => {
      if (message.kind === 'stop') stop();
    });
    process.on('disconnect', () => {
      setTimeout(() => process.exit(1), orphanGraceMs).unref();
      stop();
    });
    process.on('SIGTERM', () => stop());
  });
  // A terminal sends these to the supervisor as well, and that one decides.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  try {
    return await serveAsTold(await firstMessage(), stopAsked);
  } finally {
    if (process.connected) process.disconnect();
  }
}

async function serveAsTold(told: ToServer, stopAsked: Promise<void>): Promise<number> {
  if (told.kind === 'stop') return 0;
  const log = consoleLog(systemClock, (line) => process.stderr.write(`${line}\n`));
  let server: Ringfold;
  try {
    server = await startRingfold(optionsOf(told.config, told.ownerName, log));
  } catch (error) {
    const code = error instanceof RingfoldError ? error.code : undefined;
    await tell({ kind: 'refused', code, text: describeError(error) });
    return refusedExitCode;
  }
  const { port, cqlPort, keys } = server;
  await tell({ kind: 'ready', port, cqlPort, key: keys.primary });
  await stopAsked;
  await server.stop();
  return 0;
}

/** The supervisor may die before it has said anything. */
function firstMessage(): Promise<ToServer> {
  return new Promise((resolve) => {
    process.once('message', (message: ToServer) => resolve(message));
    process.once('disconnect', () => resolve({ kind: 'stop' }));
  });
}

/** Resolves when the message is on its way, or nobody is there to hear it. */
function tell(message: FromServer): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) resolve();
    else process.send?.(message, () => resolve());
  });
}
