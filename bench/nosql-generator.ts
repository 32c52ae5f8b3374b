// The load generator's process of the NoSQL bench: takes one order after another and answers each when it is carried out.

import { HttpPipe, type HttpTally } from './http-pipe.ts';
import { Latencies } from './measure.ts';
import {
  definingRequests,
  idOf,
  type MadeRequest,
  makeRequest,
  type NosqlTarget,
  type OperationName,
} from './nosql-requests.ts';

export interface LoadOrder {
  readonly kind: 'load';
  readonly target: NosqlTarget;
  readonly operation: OperationName;
  readonly connections: number;
  /** On each connection. */
  readonly inFlight: number;
  readonly seconds: number;
  /** Items to read and to write over. */
  readonly items: number;
}

/** Makes the container anew and fills it. */
export interface PrepareOrder {
  readonly kind: 'prepare';
  readonly target: NosqlTarget;
  readonly items: number;
}

export interface LoadResult extends HttpTally {
  readonly seconds: number;
  /** Of the generator's own process. */
  readonly cpuSeconds: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
}

export type Report = { readonly result: LoadResult | undefined } | { readonly failure: string };

const fillers = { connections: 8, inFlight: 8 } as const;
const ok: readonly number[] = [200, 201];
let nextNew = 10_000_000;

export function runGenerator(): void {
  process.on('message', (order: LoadOrder | PrepareOrder) => {
    const obeyed = order.kind === 'load' ? load(order) : prepare(order);
    obeyed.then(
      (result) => process.send?.({ result } satisfies Report),
      (error: unknown) => process.send?.({ failure: String(error) } satisfies Report),
    );
  });
  // The bench is gone, however it went.
  process.on('disconnect', () => process.exit(0));
}

async function prepare({ target, items }: PrepareOrder): Promise<undefined> {
  const pipe = await HttpPipe.open(target.host, target.port);
  for (const [bytes, expected] of definingRequests(target)) {
    const requests = [bytes];
    const tally = await run([pipe], expected, 1, Number.POSITIVE_INFINITY, () => requests.pop());
    if (tally.errors > 0) throw new Error(tally.firstError);
  }
  pipe.close();
  let next = 0;
  const template = makeRequest(target, 'create', 0);
  const pipes = await open(target, fillers.connections);
  const tally = await run(pipes, ok, fillers.inFlight, Number.POSITIVE_INFINITY, () =>
    next < items ? withId(template, next++) : undefined,
  );
  for (const each of pipes) each.close();
  if (tally.errors > 0) throw new Error(tally.firstError);
}

async function load(order: LoadOrder): Promise<LoadResult> {
  const { target, operation, items } = order;
  const requests = requestsOf(target, operation, items);
  const pipes = await open(target, order.connections);
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const latencies = new Latencies();
  const tally = await run(pipes, ok, order.inFlight, startMs + order.seconds * 1_000, requests, latencies);
  const seconds = (performance.now() - startMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  for (const pipe of pipes) pipe.close();
  return {
    ...tally,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    p50Ms: latencies.percentile(0.5),
    p99Ms: latencies.percentile(0.99),
  };
}

/** Reads are about one of the items in turn, each request signed for its own; writes are one request with another id each time. */
function requestsOf(target: NosqlTarget, operation: OperationName, items: number): () => Buffer {
  if (operation === 'point-read') {
    const made = Array.from({ length: items }, (_, number) => makeRequest(target, operation, number).bytes);
    const nextRead = inTurn(items);
    return () => made[nextRead()] ?? Buffer.alloc(0);
  }
  const template = makeRequest(target, operation, 0);
  if (operation === 'create') return () => withId(template, nextNew++);
  const nextWritten = inTurn(items);
  return () => withId(template, nextWritten());
}

/** All of them, in an order that is not theirs. */
function inTurn(items: number): () => number {
  let at = 0;
  return () => {
    at = (at + 7_919) % items;
    return at;
  };
}

function withId({ bytes, idPlaces }: MadeRequest, number: number): Buffer {
  const copy = Buffer.from(bytes);
  const id = idOf(number);
  for (const place of idPlaces) copy.write(id, place, 'latin1');
  return copy;
}

function open({ host, port }: NosqlTarget, connections: number): Promise<HttpPipe[]> {
  return Promise.all(Array.from({ length: connections }, () => HttpPipe.open(host, port)));
}

async function run(
  pipes: readonly HttpPipe[],
  expected: readonly number[],
  inFlight: number,
  deadlineMs: number,
  next: () => Buffer | undefined,
  latencies: Latencies = new Latencies(),
): Promise<HttpTally> {
  const tally: HttpTally = { operations: 0, errors: 0, firstError: undefined };
  await Promise.all(
    pipes.map((pipe) => pipe.run({ inFlight, deadlineMs, next, expected, latencies, tally })),
  );
  return tally;
}
