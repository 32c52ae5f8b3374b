// Asks a server for throughput as operators do, and holds its splits up where a test wants to look in between.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ThroughputView } from '../../src/execution/describe-throughput.ts';
import { systemClock } from '../../src/foundation/clock.ts';
import { type Ringfold, type RingfoldOptions, startRingfold } from '../../src/index.ts';
import { eventually, postJson } from './start-ringfold.ts';

export interface Refusal {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export class ThroughputClient {
  readonly server: Ringfold;

  constructor(server: Ringfold) {
    this.server = server;
  }

  async ask<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
    const response = await fetch(`http://127.0.0.1:${this.server.port}/_ringfold/${path}`, init);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const body = (isJson ? await response.json() : await response.text()) as T;
    return { status: response.status, headers: response.headers, body };
  }

  async makeContainer(body: object): Promise<number> {
    const answer = await this.ask<{ container: number }>('containers', postJson(body));
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.container;
  }

  async throughput(container: number): Promise<ThroughputView> {
    return (await this.ask<ThroughputView>(`containers/${container}/throughput`)).body;
  }

  change<T = ThroughputView>(container: number, body: object): Promise<Answer<T>> {
    return this.ask<T>(`containers/${container}/throughput`, { ...postJson(body), method: 'PUT' });
  }

  put(container: number, row: string, sizeBytes: number): Promise<Answer<Refusal & { chargeRu: number }>> {
    const body = Buffer.alloc(sizeBytes, 'x');
    return this.ask(`containers/${container}/rows/${row}`, { method: 'PUT', body });
  }
}

export async function withServer(
  options: RingfoldOptions,
  use: (client: ThroughputClient) => Promise<void>,
): Promise<void> {
  const server = await startRingfold(options);
  try {
    await use(new ThroughputClient(server));
  } finally {
    await server.stop();
  }
}

/** Time stands still, so that nothing is given back however slow the machine is, until it is let go on or the test ends. */
export function standingTime(context: TestContext): { readonly goOn: () => void } {
  const standing = systemClock.monotonic();
  const { mock } = context.mock.method(systemClock, 'monotonic', () => standing);
  return { goOn: () => mock.restore() };
}

/** Splits wait, each until it is let pass. */
export function heldSplits(context: TestContext, { server: { store } }: ThroughputClient): HeldSplits {
  const split = store.splitPartition.bind(store);
  const waiting: (() => void)[] = [];
  let isHeld = true;
  let done = 0;
  context.mock.method(store, 'splitPartition', async (...request: Parameters<typeof split>) => {
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    const map = await split(...request);
    done++;
    return map;
  });
  return {
    pass: async (count) => {
      for (let passed = 0; passed < count; passed++) {
        await eventually('a split is asked for', async () => waiting.length > 0);
        waiting.shift()?.();
        await eventually('it is done', async () => done === passed + 1);
      }
      await eventually('the next is asked for', async () => waiting.length > 0);
    },
    release: () => {
      isHeld = false;
      for (const go of waiting) go();
    },
  };
}

interface HeldSplits {
  /** Lets so many pass, and waits until the next one is held. */
  readonly pass: (count: number) => Promise<void>;
  readonly release: () => void;
}
