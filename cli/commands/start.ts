import { settingsHelp } from '../../src/config/settings-help.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { identifyNodes, nodeDirectoriesIn } from '../../src/storage/node-directories.ts';
import { version } from '../../src/version.ts';
import type { Command } from '../command.ts';
import { describeError } from '../describe-error.ts';
import type { ReadyServer } from '../server-messages.ts';
import { Supervisor } from '../supervisor.ts';

export const start: Command = {
  name: 'start',
  usage: '[FLAGS]',
  summary: 'start a server and keep it running',
  help: () =>
    `${settingsHelp()}\n\nEach flag may also be a variable (--data-dir: RINGFOLD_DATA_DIR) or a key of the configuration\nfile (data-dir). A flag wins over the variable, and that over the file.`,
  run: async (flags) => {
    let config: Config;
    try {
      config = readConfig({ flags, environment: process.env, workingDirectory: process.cwd() });
    } catch (error) {
      console.error(`ringfold: ${describeError(error)}\nringfold start --help lists all settings.`);
      return 2;
    }
    const supervisor = new Supervisor({
      config,
      onReady: (server) => console.log(config.readyJson ? readyJson(server) : greeting(config, server)),
      say: (line) => console.error(`ringfold: ${line}`),
      nodeDirectories: () => nodeDirectoriesOf(config),
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => supervisor.stop());
    return await supervisor.run();
  },
};

/** By number. Asked after a crash, so whatever is missing by now counts as broken, not as foreign. */
async function nodeDirectoriesOf(config: Config): Promise<string[]> {
  const { dataDir, nodeDirs, nodes = 4 } = config;
  const directories = nodeDirs.length > 0 ? nodeDirs : await nodeDirectoriesIn(dataDir, nodes);
  const identified = await identifyNodes(directories, [...directories.keys()]);
  return identified.map(({ directory }) => directory);
}

/** The process to signal is this one: it passes the wish to stop on to the server. */
function readyJson({ port, cqlPort, key }: ReadyServer): string {
  return JSON.stringify({ ready: true, port, cqlPort, key, pid: process.pid });
}

function greeting(config: Config, { port, cqlPort, key }: ReadyServer): string {
  const address = `${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  const place = config.nodeDirs.length > 0 ? config.nodeDirs.join(', ') : config.dataDir;
  const isPrivate = config.host === 'localhost' || config.host === '::1' || config.host.startsWith('127.');
  const warning = isPrivate
    ? ''
    : '\nAdmin JSON under /_ringfold/ asks for no key: let only those reach the port who may change the server. CQL asks\nfor a login: change the password of the role cassandra, which is cassandra.\n';
  return `Ringfold ${version} is ready.

  data    ${config.inMemory ? 'in memory: gone when it stops' : place}
  NoSQL   http://${address}/ or https://${address}/
  key     ${key}
  CQL     ${config.host}:${cqlPort}, plain or TLS${isPrivate && !config.auth ? '' : '; login cassandra, password cassandra until changed'}
  health  http://${address}/_ringfold/health
${warning}
Try it:
  new CosmosClient({ endpoint: 'http://${address}/', key })      or any Azure Cosmos DB SDK, gateway mode
  cqlsh ${config.host} ${cqlPort}      or any Cassandra driver, data centre datacenter1
  curl http://${address}/_ringfold/status

Ctrl-C stops it.`;
}
