// `npm run test:cassandra [-- WORDS]`: runs the CQL tests on a real Apache Cassandra 5.0 instead of on Ringfold, to show that
// what they ask for is what Cassandra does, and the known differences, to show that they are. It starts one from Maven Central (scripts/real-cassandra.mjs); with
// RINGFOLD_TEST_CQL=host:port in the environment it takes that one.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { makeReady, root } from './ready.mjs';
import { startCassandra } from './real-cassandra.mjs';

makeReady();
const words = process.argv.slice(2).map((word) => (word.startsWith('test/') ? word : `test/cql/${word}`));
const given = process.env.RINGFOLD_TEST_CQL;
const cassandra =
  given === undefined ? await startCassandra() : { contactPoint: given, stop: async () => {} };
console.log(`Apache Cassandra is at ${cassandra.contactPoint}`);

const tests = spawn(
  process.execPath,
  [join(root, 'scripts/test.mjs'), ...(words.length > 0 ? words : ['test/cql/', 'test/compatibility/known'])],
  { stdio: 'inherit', env: { ...process.env, RINGFOLD_TEST_CQL: cassandra.contactPoint } },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tests.kill(signal));
const status = await new Promise((resolve) => tests.once('exit', (code) => resolve(code ?? 1)));
await cassandra.stop();
process.exit(status);
