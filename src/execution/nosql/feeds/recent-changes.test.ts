import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ByteString } from '../../../foundation/byte-string.ts';
import type { CommitWatcher } from '../../../replication/replicated-partition-store.ts';
import { RecentChanges } from './recent-changes.ts';

class Commits {
  readonly watchers = new Set<CommitWatcher>();
  #lsn = 0;

  watchCommits(watcher: CommitWatcher): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  committedLsn(): number {
    return this.#lsn;
  }

  commit(container: number, ...keys: string[]): void {
    this.#lsn++;
    const rows = keys.map((key) => ({ key: key as ByteString, value: null }));
    for (const watch of this.watchers) watch({ container, physicalPartition: 0 }, this.#lsn, rows);
  }
}

test('what is committed while somebody reads is known in its order, and what came before is not', () => {
  const commits = new Commits();
  const recent = new RecentChanges(commits);
  commits.commit(1, 'early');
  assert.equal(recent.of(1, 0, 0)?.since, 1);
  commits.commit(1, 'a', 'b');
  commits.commit(2, 'elsewhere');
  commits.commit(1, 'c');
  assert.deepEqual(recent.of(1, 0, 0)?.changes, [
    { lsn: 2, key: 'a' },
    { lsn: 2, key: 'b' },
    { lsn: 4, key: 'c' },
  ]);
});

test('of a partition that changes much the older half is forgotten, whole transactions at a time', () => {
  const commits = new Commits();
  const recent = new RecentChanges(commits);
  recent.of(1, 0, 0);
  for (let n = 0; n < 10_001; n++) commits.commit(1, `a${n}`, `b${n}`);
  const known = recent.of(1, 0, 0);
  assert.ok(known !== undefined && known.since > 0 && known.changes.length <= 20_000);
  assert.equal(known.changes[0]?.lsn, known.since + 1);
  assert.equal(known.changes.length, 2 * (10_001 - known.since));
});

test('a feed that nobody reads any more is not watched', () => {
  const commits = new Commits();
  const recent = new RecentChanges(commits);
  recent.of(1, 0, 0);
  recent.of(2, 0, 599_999);
  assert.deepEqual(recent.watched, [1, 2]);
  recent.of(3, 0, 600_000);
  assert.deepEqual(recent.watched, [2, 3]);
});

test('all feeds together keep no more than a limit, and the one that was read longest ago goes first', () => {
  const commits = new Commits();
  const recent = new RecentChanges(commits, 10);
  for (const container of [1, 2, 3]) recent.of(container, 0, container);
  recent.of(1, 0, 4);
  for (let n = 0; n < 3; n++) for (const container of [1, 2, 3]) commits.commit(container, `k${n}`);
  assert.equal(recent.watched.length, 3);
  commits.commit(1, 'x', 'y');
  assert.deepEqual(recent.watched, [1, 3]);
  // Three of the second are gone, so there is room for as many.
  commits.commit(3, 'x', 'y');
  assert.deepEqual(recent.watched, [1, 3]);
  assert.equal(recent.of(2, 0, 5)?.changes.length, 0);
});
