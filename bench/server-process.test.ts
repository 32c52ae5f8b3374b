import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { processCpuSeconds, processListeningOn } from './server-process.ts';

const isLinux = process.platform === 'linux';

describe('a server process', { skip: !isLinux && 'only Linux tells by /proc' }, () => {
  it('is found by the port it listens on', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const found = processListeningOn(port);
    await new Promise((resolve) => server.close(resolve));
    assert.equal(found, process.pid);
    assert.equal(processListeningOn(port), undefined);
  });

  it('has used the processor time that it says it has', () => {
    const { user, system } = process.cpuUsage();
    assert.ok(Math.abs(processCpuSeconds(process.pid) - (user + system) / 1e6) < 0.1);
  });
});
