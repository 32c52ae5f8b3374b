// The load generator's process: takes one order after another from the bench and answers each when it is carried out. Connections and
// prepared statements stay, so that a measured stretch holds nothing but the statements it is about.

import { SeededRandom } from '../src/foundation/random.ts';
import { type Address, Pipe, type Tally } from './cql-pipe.ts';
import {
  definitions,
  eventLoad,
  eventsPerOwner,
  type OperationName,
  type Workload,
  workloads,
} from './cql-workload.ts';
import { Latencies } from './measure.ts';

export interface DataSize {
  readonly users: number;
  readonly owners: number;
}

export interface LoadPlan {
  readonly operation: OperationName;
  readonly connections: number;
  /** On each connection. */
  readonly inFlight: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly operations: number;
  readonly errors: number;
  readonly firstError: string | undefined;
  readonly seconds: number;
  /** Of the generator's own process. */
  readonly cpuSeconds: number;
  /** Of all stretches since the last fresh one. */
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly maxMs: number | undefined;
}

/** Makes keyspace and tables anew and fills them. */
export interface PrepareOrder {
  readonly kind: 'prepare';
  readonly server: Address;
  readonly size: DataSize;
}

export interface LoadOrder extends LoadPlan {
  readonly kind: 'load';
  readonly server: Address;
  /** Latencies under one label are counted together. */
  readonly label: string;
}

/** Drops the keyspace. */
export interface CleanOrder {
  readonly kind: 'clean';
  readonly server: Address;
}

export type Order = PrepareOrder | LoadOrder | CleanOrder;
export type Report = { readonly result: LoadResult | undefined } | { readonly failure: string };

/** Above every number of a user that is loaded. */
const firstNewUser = 10_000_000;
const loadSettings = { connections: 4, inFlight: 32 } as const;

export function runGenerator(): void {
  const generator = new Generator();
  process.on('message', (order: Order) => void report(generator.obey(order)));
  // The bench is gone, however it went.
  process.on('disconnect', () => process.exit(0));
}

async function report(obeyed: Promise<LoadResult | undefined>): Promise<void> {
  const report: Report = await obeyed.then(
    (result) => ({ result }),
    (error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }),
  );
  process.send?.(report);
}

export class Generator {
  readonly #servers = new Map<string, Served>();
  readonly #latencies = new Map<string, Latencies>();
  readonly #random = new SeededRandom(7);
  #nextNewUser = firstNewUser;

  async obey(order: Order): Promise<LoadResult | undefined> {
    const served = this.#served(order.server);
    if (order.kind === 'load') return await this.#load(served, order);
    if (order.kind === 'prepare') await this.#prepare(served, order.size);
    else await served.clean();
    return undefined;
  }

  close(): void {
    for (const served of this.#servers.values()) served.close();
  }

  #served(address: Address): Served {
    const key = `${address.host}:${address.port}`;
    const known = this.#servers.get(key) ?? new Served(address);
    this.#servers.set(key, known);
    return known;
  }

  async #prepare(served: Served, size: DataSize): Promise<void> {
    await served.define(size);
    const latencies = new Latencies();
    const fill = async (workload: Workload, count: number): Promise<void> => {
      let next = 0;
      const nextNumber = () => (next < count ? next++ : undefined);
      const tally = await served.run(
        workload,
        { ...loadSettings, seconds: Number.POSITIVE_INFINITY },
        nextNumber,
        latencies,
      );
      if (tally.errors > 0) throw new Error(`${tally.errors} rows were not loaded: ${tally.firstError}`);
    };
    await fill(workloads.insert, size.users);
    await fill(eventLoad, size.owners * eventsPerOwner);
  }

  async #load(served: Served, order: LoadOrder): Promise<LoadResult> {
    const latencies = this.#latencies.get(order.label) ?? new Latencies();
    this.#latencies.set(order.label, latencies);
    globalThis.gc?.();
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    const numbers = this.#numbers(order.operation, served.size);
    const tally = await served.run(workloads[order.operation], order, numbers, latencies);
    const seconds = (performance.now() - startMs) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    return {
      ...tally,
      seconds,
      cpuSeconds: (user + system) / 1e6,
      p50Ms: latencies.percentile(0.5),
      p99Ms: latencies.percentile(0.99),
      maxMs: latencies.percentile(1),
    };
  }

  #numbers(operation: OperationName, { users, owners }: DataSize): () => number {
    if (operation === 'insert') return () => this.#nextNewUser++;
    const limit = operation === 'partition' ? owners : users;
    return () => Math.floor(this.#random.next() * limit);
  }
}

/** A server under load: connections to it, as many as were ever needed, and what is prepared there. */
class Served {
  readonly #address: Address;
  readonly #pipes: Pipe[] = [];
  readonly #statementIds = new Map<string, Buffer>();
  #size: DataSize = { users: 0, owners: 0 };

  constructor(address: Address) {
    this.#address = address;
  }

  get size(): DataSize {
    return this.#size;
  }

  async define(size: DataSize): Promise<void> {
    const pipe = await this.#pipe(0);
    for (const definition of definitions) await pipe.query(definition);
    this.#statementIds.clear();
    this.#size = size;
  }

  async clean(): Promise<void> {
    const pipe = await this.#pipe(0);
    await pipe.query('DROP KEYSPACE IF EXISTS bench');
    this.close();
  }

  close(): void {
    for (const pipe of this.#pipes.splice(0)) pipe.close();
  }

  async run(
    workload: Workload,
    plan: Omit<LoadPlan, 'operation'>,
    nextNumber: () => number | undefined,
    latencies: Latencies,
  ): Promise<Tally> {
    const pipes: Pipe[] = [];
    for (let at = 0; at < plan.connections; at++) pipes.push(await this.#pipe(at));
    const statementId = await this.#statementId(workload.statement);
    const deadlineMs = performance.now() + plan.seconds * 1_000;
    const tally: Tally = { operations: 0, errors: 0, firstError: undefined };
    const stretch = {
      workload,
      statementId,
      inFlight: plan.inFlight,
      deadlineMs,
      nextNumber,
      latencies,
      tally,
    };
    await Promise.all(pipes.map((pipe) => pipe.run(stretch)));
    return tally;
  }

  async #statementId(statement: string): Promise<Buffer> {
    const known = this.#statementIds.get(statement);
    if (known !== undefined) return known;
    const pipe = await this.#pipe(0);
    const id = await pipe.prepare(statement);
    this.#statementIds.set(statement, id);
    return id;
  }

  async #pipe(at: number): Promise<Pipe> {
    const known = this.#pipes[at];
    if (known !== undefined) return known;
    const pipe = await Pipe.open(this.#address);
    this.#pipes[at] = pipe;
    return pipe;
  }
}
