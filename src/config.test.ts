import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingsHelp } from './config/settings-help.ts';
import { type Config, readConfig } from './config.ts';
import { RingfoldError } from './errors/ringfold-error.ts';

function read(
  flags: string[],
  environment: Record<string, string> = {},
  workingDirectory = '/nowhere',
): Config {
  return readConfig({ flags, environment, workingDirectory });
}

/** The reason a set of settings is refused for. */
function refusal(
  flags: string[],
  environment: Record<string, string> = {},
  workingDirectory?: string,
): string {
  try {
    read(flags, environment, workingDirectory);
  } catch (error) {
    assert.ok(error instanceof RingfoldError);
    assert.equal(error.code, 'bad-setting');
    return `${error.details['setting']}: ${error.details['reason']}`;
  }
  return assert.fail('the settings were accepted');
}

function inDirectoryWith(content: string, use: (directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'ringfold-config-'));
  try {
    writeFileSync(join(directory, 'ringfold.json'), content);
    use(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test('without any setting the server is on loopback, on the ports of Cosmos and Cassandra, with its data in ./data', () => {
  const config = read([], {}, '/somewhere');
  assert.equal(config.dataDir, '/somewhere/data');
  assert.equal(config.host, '127.0.0.1');
  assert.deepEqual([config.port, config.cqlPort, config.nodes], [8081, 9042, undefined]);
  assert.deepEqual([config.readyJson, config.forceRecover, config.inMemory], [false, false, false]);
});

test('a flag wins over the environment, and the environment over the file', () => {
  inDirectoryWith('{"port": 1, "cql-port": 1, "cache-mb": 1}', (directory) => {
    const environment = { RINGFOLD_PORT: '2', RINGFOLD_CQL_PORT: '2', PATH: '/bin' };
    const config = read(['--port', '3'], environment, directory);
    assert.deepEqual([config.port, config.cqlPort, config.cacheMb], [3, 2, 1]);
  });
});

test('an unknown flag, variable or key is refused with the nearest that exists', () => {
  assert.match(refusal(['--prot', '1']), /--prot: .*did you mean --port\?/);
  assert.match(refusal(['-p', '1']), /^-p: there is no such setting/);
  assert.match(refusal([], { RINGFOLD_DATADIR: 'x' }), /did you mean RINGFOLD_DATA_DIR\?/);
  inDirectoryWith('{"dataDir": "x"}', (directory) => {
    assert.match(refusal([], {}, directory), /dataDir: .*did you mean data-dir\?/);
  });
});

test('a value that is missing, of another kind or out of range is refused', () => {
  assert.match(refusal(['--port']), /--port: it needs a value/);
  assert.match(refusal(['--port', 'http']), /from 0 to 65535, not "http"/);
  assert.match(refusal(['--port', '65536']), /from 0 to 65535/);
  assert.match(refusal(['--nodes', '3']), /from 4 to 64/);
  assert.match(refusal(['--ready-json=yes']), /takes no value/);
  assert.match(refusal(['data']), /data: it is not a flag/);
  assert.match(refusal([], { RINGFOLD_READY_JSON: 'maybe' }), /true or false/);
});

test('a file that was named must be there and hold a JSON object', () => {
  assert.match(refusal(['--config', '/nowhere/x.json']), /cannot be read/);
  inDirectoryWith('{', (directory) => assert.match(refusal([], {}, directory), /is not JSON/));
  inDirectoryWith('[]', (directory) => assert.match(refusal([], {}, directory), /not a JSON object/));
});

test('node directories may be given by flags, by one variable or by a list in the file', () => {
  const directories = ['/a', '/b', '/c', '/d', '/e'];
  const flags = directories.flatMap((directory) => ['--node-dir', directory]);
  assert.deepEqual(read(flags).nodeDirs, directories);
  assert.deepEqual(read([], { RINGFOLD_NODE_DIR: directories.join(',') }).nodeDirs, directories);
  inDirectoryWith(JSON.stringify({ 'node-dir': directories }), (directory) => {
    assert.deepEqual(read([], {}, directory).nodeDirs, directories);
  });
});

test('node directories that are too few, given twice, or not as many as --nodes are refused', () => {
  const flags = (directories: string[]): string[] =>
    directories.flatMap((directory) => ['--node-dir', directory]);
  assert.match(refusal(flags(['/a', '/b', '/c'])), /at least 4/);
  assert.match(refusal(flags(['/a', '/b', '/c', '/c/'])), /given twice/);
  assert.match(
    refusal([...flags(['/a', '/b', '/c', '/d']), '--nodes', '6']),
    /4 directories are given for 6 nodes/,
  );
});

test('several nodes may be named for a rebuild', () => {
  assert.deepEqual(read(['--rebuild-node', '1', '--rebuild-node=3']).rebuildNodes, [1, 3]);
});

test('a server that keeps nothing takes no directory', () => {
  assert.match(refusal(['--in-memory', '--data-dir', 'x']), /no directory/);
});

test('throughput has its flags, and prices are read from the file that is named', () => {
  const { enforceDefaults, serverless, chargeProfile, burst, listPrices } = read([]);
  assert.deepEqual([enforceDefaults, serverless, chargeProfile, burst], [false, false, 'docs-2026', true]);
  assert.equal(listPrices.hoursPerMonth, 730);
  assert.equal(read(['--burst', 'off']).burst, false);
  assert.match(refusal(['--charge-profile', 'cheap']), /docs-2026, docs-simple, ms-emulator/);
  assert.match(refusal(['--list-prices', 'nowhere.json']), /cannot be read/);
  // Any JSON file will do to be read as prices.
  inDirectoryWith('{"burst": "off"}', (directory) => {
    assert.match(
      refusal(['--list-prices', join(directory, 'ringfold.json')]),
      /burst: there is no such price/,
    );
  });
});

test('the help has a line for every flag', () => {
  for (const flag of ['--data-dir DIR', '--port N', '--ready-json', '--config FILE']) {
    assert.ok(settingsHelp().includes(`  ${flag}`));
  }
});

test('TLS takes a certificate and its key, and the broadcast address is an address', () => {
  const read = (...flags: string[]) => readConfig({ flags, environment: {}, workingDirectory: '/work' });
  const config = read(
    '--tls-cert',
    'c.pem',
    '--tls-key',
    '/k.pem',
    '--broadcast-address',
    '10.1.2.3',
    '--auth',
  );
  assert.deepEqual(
    [config.tlsCert, config.tlsKey, config.broadcastAddress, config.auth],
    ['/work/c.pem', '/k.pem', '10.1.2.3', true],
  );
  assert.throws(() => read('--tls-cert', 'c.pem'), { code: 'bad-setting' });
  assert.throws(() => read('--broadcast-address', 'db.example'), { code: 'bad-setting' });
});

test('account keys are base64 of at least 16 bytes, and the file with the keys of Entra is looked for where the server was started', () => {
  const key = Buffer.alloc(64, 7).toString('base64');
  const config = read(['--key', key, '--entra-keys', 'jwks.json', '--allowed-origin', 'https://a.example']);
  assert.deepEqual([config.keys.primary, config.keys.secondary], [key, '']);
  assert.equal(config.entra.keysFile, '/nowhere/jwks.json');
  assert.deepEqual(config.allowedOrigins, ['https://a.example']);
  assert.match(refusal(['--readonly-key', 'c2hvcnQ=']), /readonly-key: it is base64 of at least 16 bytes/);
  assert.match(refusal(['--consistency', 'Stronger']), /it is one of Eventual, /);
});
