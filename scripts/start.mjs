// `npm start -- FLAGS`: makes the clone ready, then is the command line itself, in this same process, so that signals
// and the exit code need no passing on.

import { pathToFileURL } from 'node:url';
import { makeReady, outputOf } from './ready.mjs';

const parent = process.ppid;
makeReady();

// npm passes a signal on to the shell it runs this in, and some shells end without passing it on again. Being left
// by that shell therefore counts as the signal.
if (process.env.npm_lifecycle_event !== undefined) {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}

const commandLine = outputOf('cli/ringfold.ts');
process.argv = [process.execPath, commandLine, 'start', ...process.argv.slice(2)];
await import(pathToFileURL(commandLine).href);
