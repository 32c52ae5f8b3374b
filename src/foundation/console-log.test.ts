import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleLog } from './console-log.ts';

const clock = { now: () => 0, microseconds: () => 0, monotonic: () => 0 };

function lines(use: (log: ReturnType<typeof consoleLog>) => void): string[] {
  const written: string[] = [];
  use(consoleLog(clock, (line) => written.push(line)));
  return written;
}

test('an event is one line: time, level, event, fields', () => {
  assert.deepEqual(
    lines((log) => log.info('node up', { nodeId: 2, directory: '/data/node-2', reason: 'was late' })),
    ['1970-01-01T00:00:00.000Z info node up nodeId=2 directory=/data/node-2 reason="was late"'],
  );
});

test('an error is written with its stack and its causes, still in one line', () => {
  const error = new Error('outer', { cause: new Error('the disk said no') });
  const [line = ''] = lines((log) => log.warn('node down', { error }));
  assert.match(line, /warn node down error="Error: outer.*caused by Error: the disk said no/);
  assert.ok(!line.includes('\n'));
});
