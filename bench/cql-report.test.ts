import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CqlRound, cassandraAims, figuresOf } from './cql-report.ts';

const setting = { connections: 4, inFlight: 32 };

function round(operations: number, seconds: number, serverCpuSeconds: number | undefined): CqlRound {
  return {
    load: {
      operations,
      errors: 0,
      firstError: undefined,
      seconds,
      cpuSeconds: 0.1,
      p50Ms: 1,
      p99Ms: 2,
      maxMs: 3,
    },
    serverCpuSeconds,
    laterCpuSeconds: serverCpuSeconds === undefined ? undefined : 0,
  };
}

describe('figures of the CQL bench', () => {
  it('weigh rounds by what was done in them', () => {
    const figures = figuresOf('read', setting, 'Ringfold', [round(1_000, 1, 0.01), round(3_000, 1, 0.06)]);
    assert.equal(figures.perSecond, 2_000);
    assert.equal(figures.cpuMicros, 17.5);
    assert.deepEqual(figures.roundCpuMicros, [10, 20]);
  });

  it('compare work per second of processor time at the same operation and setting only', () => {
    const ours = figuresOf('read', setting, 'Ringfold', [round(1_000, 1, 0.01)]);
    const theirs = figuresOf('read', setting, 'Cassandra', [round(500, 1, 0.03)]);
    const elsewhere = figuresOf('read', { ...setting, inFlight: 1 }, 'Cassandra', [round(500, 1, 9)]);
    const [aim, ...others] = cassandraAims([elsewhere, ours, theirs]);
    assert.deepEqual(others, []);
    assert.equal(aim?.figure, '6.0× (throughput 2.0×)');
    assert.equal(aim?.isMet, true);
  });

  it('say nothing of processor time that cannot be told', () => {
    const ours = figuresOf('read', setting, 'Ringfold', [round(1_000, 1, 0.01)]);
    const remote = figuresOf('read', setting, 'Cassandra', [round(500, 1, undefined)]);
    assert.equal(remote.cpuMicros, undefined);
    assert.deepEqual(cassandraAims([ours, remote]), []);
  });
});
