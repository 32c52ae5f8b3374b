import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Generator, type LoadResult } from './cql-generator.ts';
import { NullServer } from './cql-null-server.ts';
import type { OperationName } from './cql-workload.ts';

const size = { users: 500, owners: 20 };

describe('the load generator', () => {
  const nullServer = new NullServer();
  const generator = new Generator();
  let server = { host: '127.0.0.1', port: 0 };

  before(async () => {
    server = { ...server, port: await nullServer.listen() };
    await generator.obey({ kind: 'prepare', server, size });
  });

  after(() => {
    generator.close();
    nullServer.close();
  });

  async function load(operation: OperationName, connections: number, inFlight: number): Promise<LoadResult> {
    const plan = { operation, connections, inFlight, seconds: 0.03 };
    const result = await generator.obey({ kind: 'load', server, label: operation, ...plan });
    assert.ok(result);
    return result;
  }

  it('finds every row it loaded, at any number of connections and requests in flight', async () => {
    for (const operation of ['read', 'partition'] as const) {
      for (const [connections, inFlight] of [
        [1, 1],
        [3, 7],
        [2, 64],
      ] as const) {
        const result = await load(operation, connections, inFlight);
        assert.equal(result.errors, 0, result.firstError);
        assert.ok(result.operations >= connections * inFlight);
        assert.ok((result.p50Ms ?? 0) > 0);
      }
    }
  });

  it('loses no request when answers trickle in', async () => {
    const proxy = createServer({ noDelay: true }, (socket) => {
      const upstream = connect({ ...server, noDelay: true });
      socket.pipe(upstream);
      trickle(upstream, socket);
      socket.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const slow = { ...server, port: portOf(proxy) };
    await generator.obey({ kind: 'prepare', server: slow, size: { users: 50, owners: 1 } });
    const plan = { operation: 'read', connections: 2, inFlight: 5, seconds: 0.1 } as const;
    const result = await generator.obey({ kind: 'load', server: slow, label: 'slow', ...plan });
    assert.equal(result?.errors, 0, result?.firstError);
    assert.ok((result?.operations ?? 0) >= 10);
    proxy.close();
  });

  it('writes without errors', async () => {
    for (const operation of ['overwrite', 'insert'] as const) {
      const result = await load(operation, 2, 16);
      assert.equal(result.errors, 0, result.firstError);
      assert.ok(result.operations >= 32);
    }
  });

  it('counts wrong answers and says what the first one was', async () => {
    const other = new NullServer();
    const address = { host: '127.0.0.1', port: await other.listen() };
    await generator.obey({ kind: 'prepare', server: address, size: { users: 0, owners: 1 } });
    const plan = { operation: 'read', connections: 1, inFlight: 4, seconds: 0.02 } as const;
    const result = await generator.obey({ kind: 'load', server: address, label: 'wrong', ...plan });
    assert.equal(result?.operations, 0);
    assert.ok((result?.errors ?? 0) > 0);
    assert.equal(result?.firstError, '0 rows instead of 1');
    other.close();
  });

  it('fails when the server goes away, instead of waiting', async () => {
    const sockets: Socket[] = [];
    const deaf = createServer((socket) => sockets.push(socket.on('data', () => socket.destroy())));
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    const server = { host: '127.0.0.1', port: portOf(deaf) };
    await assert.rejects(generator.obey({ kind: 'clean', server }), /closed/);
    deaf.close();
  });
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Passes bytes on in pieces that have some answers and parts of others. */
function trickle(from: Socket, to: Socket): void {
  let waiting = Buffer.alloc(0);
  from.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
  });
  const timer = setInterval(() => {
    if (waiting.length > 0) to.write(waiting.subarray(0, 997));
    waiting = waiting.subarray(997);
  }, 1);
  from.on('close', () => clearInterval(timer));
}
