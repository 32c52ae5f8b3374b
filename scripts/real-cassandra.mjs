// A real Apache Cassandra of one node on loopback, for comparison: its jars come from Maven Central (JDK 17 and Maven are
// needed) into ~/.cache/ringfold/cassandra, its data into a folder of its own that goes with it.

import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const version = process.env.RINGFOLD_CASSANDRA_VERSION ?? '5.0.5';
const startTimeoutMs = 180_000;
const opcodes = { startup: 0x01, ready: 0x02, authenticate: 0x03, authResponse: 0x0f, authSuccess: 0x10 };

// What Cassandra's own start script opens for JDK 17.
const openedModules = {
  '--add-exports': [
    'java.base/jdk.internal.misc',
    'java.base/jdk.internal.ref',
    'java.base/sun.nio.ch',
    'java.management.rmi/com.sun.jmx.remote.internal.rmi',
    'java.rmi/sun.rmi.registry',
    'java.rmi/sun.rmi.server',
    'java.sql/java.sql',
  ],
  '--add-opens': [
    'java.base/java.io',
    'java.base/java.lang',
    'java.base/java.lang.module',
    'java.base/java.nio',
    'java.base/java.util',
    'java.base/jdk.internal.loader',
    'java.base/jdk.internal.math',
    'java.base/jdk.internal.module',
    'java.base/jdk.internal.ref',
    'java.base/jdk.internal.reflect',
    'java.base/jdk.internal.util.jar',
    'java.base/sun.nio.ch',
    'jdk.management/com.sun.management.internal',
  ],
};

/** Starts a server and waits until it takes clients, with roles unless it is to be like one that nobody has set up. `stop` ends it and removes what it wrote. */
export async function startCassandra({ heap = '1G', hasLogin = true } = {}) {
  const jars = fetchJars();
  const home = mkdtempSync(join(tmpdir(), 'ringfold-cassandra-'));
  const [nativePort, storagePort, managementPort] = await Promise.all([freePort(), freePort(), freePort()]);
  writeFileSync(join(home, 'cassandra.yaml'), settings(home, nativePort, storagePort, hasLogin));
  writeFileSync(join(home, 'logback.xml'), logSettings(join(home, 'system.log')));
  const output = openSync(join(home, 'output'), 'w');
  const server = spawn(
    'java',
    [
      `-Xms${heap}`,
      `-Xmx${heap}`,
      '-Djdk.attach.allowAttachSelf=true',
      ...Object.entries(openedModules).flatMap(([flag, modules]) =>
        modules.flatMap((name) => [flag, `${name}=ALL-UNNAMED`]),
      ),
      `-Dcassandra.config=file://${join(home, 'cassandra.yaml')}`,
      `-Dlogback.configurationFile=${join(home, 'logback.xml')}`,
      `-Dcassandra.storagedir=${home}`,
      `-Dcassandra.jmx.local.port=${managementPort}`,
      '-Dcassandra-foreground=yes',
      '-Dcassandra.ring_delay_ms=1000',
      '-Dcassandra.superuser_setup_delay_ms=0',
      '-Dcassandra.skip_wait_for_gossip_to_settle=0',
      '-cp',
      `${home}:${join(jars, '*')}`,
      'org.apache.cassandra.service.CassandraDaemon',
    ],
    { stdio: ['ignore', output, output] },
  );
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill();
      await new Promise((resolve) => server.once('exit', resolve));
    }
    rmSync(home, { recursive: true, force: true });
  };
  const deadline = performance.now() + startTimeoutMs;
  while (!(await acceptsClients(nativePort))) {
    if (server.exitCode !== null || performance.now() > deadline) {
      const said = readFileSync(join(home, 'output'), 'utf8').split('\n').slice(-20).join('\n');
      await stop();
      throw new Error(`Apache Cassandra ${version} did not start:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return { version, contactPoint: `127.0.0.1:${nativePort}`, pid: server.pid, stop };
}

/** The folder with the jars, which is made by Maven the first time. */
function fetchJars() {
  const cache = join(homedir(), '.cache/ringfold/cassandra');
  const jars = join(cache, version);
  if (existsSync(jars)) return jars;
  mkdirSync(cache, { recursive: true });
  const project = mkdtempSync(join(tmpdir(), 'ringfold-maven-'));
  writeFileSync(
    join(project, 'pom.xml'),
    `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
  <groupId>ringfold</groupId><artifactId>cassandra</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.apache.cassandra</groupId><artifactId>cassandra-all</artifactId><version>${version}</version>
  </dependency></dependencies></project>`,
  );
  console.log(`fetching Apache Cassandra ${version} from Maven Central …`);
  const unfinished = `${jars}.unfinished`;
  const maven = spawnSync(
    'mvn',
    ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${unfinished}`],
    {
      cwd: project,
      stdio: 'inherit',
    },
  );
  rmSync(project, { recursive: true });
  if (maven.status !== 0)
    throw new Error('Maven could not fetch Apache Cassandra; JDK 17 and Maven are needed.');
  renameSync(unfinished, jars);
  return jars;
}

function settings(home, nativePort, storagePort, hasLogin) {
  const folders = {
    commitlog_directory: 'commitlog',
    saved_caches_directory: 'caches',
    hints_directory: 'hints',
    cdc_raw_directory: 'cdc',
  };
  return `cluster_name: comparison
num_tokens: 16
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters: [{seeds: "127.0.0.1:${storagePort}"}]
listen_address: 127.0.0.1
storage_port: ${storagePort}
rpc_address: 127.0.0.1
native_transport_port: ${nativePort}
authenticator: ${hasLogin ? 'PasswordAuthenticator' : 'AllowAllAuthenticator'}
authorizer: ${hasLogin ? 'CassandraAuthorizer' : 'AllowAllAuthorizer'}
role_manager: CassandraRoleManager
roles_validity: 0ms
permissions_validity: 0ms
credentials_validity: 0ms
auto_snapshot: false
commitlog_sync: periodic
commitlog_sync_period: 10s
data_file_directories: [${join(home, 'data')}]
${Object.entries(folders)
  .map(([setting, folder]) => `${setting}: ${join(home, folder)}\n`)
  .join('')}`;
}

function logSettings(file) {
  return `<configuration><appender name="file" class="ch.qos.logback.core.FileAppender"><file>${file}</file>
  <encoder><pattern>%level %date %logger{0} %msg%n</pattern></encoder></appender>
  <root level="WARN"><appender-ref ref="file"/></root></configuration>`;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** The superuser is made a while after the port is open, so a login is the sign that the server is ready. */
function acceptsClients(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isIn) => {
      socket.destroy();
      resolve(isIn);
    };
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.on('data', (frame) => {
      if (frame[4] === opcodes.authenticate)
        socket.write(request(opcodes.authResponse, bytes('\0cassandra\0cassandra')));
      else end(frame[4] === opcodes.authSuccess || frame[4] === opcodes.ready);
    });
    const version = ['CQL_VERSION', '3.0.0'].map((text) =>
      Buffer.concat([Buffer.from([0, text.length]), Buffer.from(text)]),
    );
    socket.write(request(opcodes.startup, Buffer.concat([Buffer.from([0, 1]), ...version])));
  });
}

function bytes(text) {
  const length = Buffer.alloc(4);
  length.writeInt32BE(Buffer.byteLength(text));
  return Buffer.concat([length, Buffer.from(text)]);
}

/** A frame of version 4 of the native protocol, of stream 0 and without flags. */
function request(opcode, body) {
  const header = Buffer.from([4, 0, 0, 0, opcode, 0, 0, 0, 0]);
  header.writeInt32BE(body.length, 5);
  return Buffer.concat([header, body]);
}
