import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outbox } from './outbox.ts';

test('all that are due send together when the turn is over, and what becomes due then is sent in the next', () => {
  const turns: (() => void)[] = [];
  const outbox = new Outbox({
    after: (delayMs, task) => {
      assert.equal(delayMs, 0);
      turns.push(task);
      return () => {};
    },
  });
  const sent: string[] = [];
  const again = { sendDue: () => sent.push('again') };
  outbox.add({ sendDue: () => sent.push('first') });
  outbox.add({
    sendDue: () => {
      sent.push('second');
      outbox.add(again);
    },
  });
  assert.deepEqual([sent, turns.length], [[], 1]);
  turns[0]?.();
  assert.deepEqual([sent, turns.length], [['first', 'second'], 2]);
  turns[1]?.();
  assert.deepEqual([sent, turns.length], [['first', 'second', 'again'], 2]);
});
