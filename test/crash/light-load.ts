import assert from 'node:assert/strict';
import { type HttpAnswer, HttpClient } from '../support/http-client.ts';
import type { StartedRingfold } from '../support/start-ringfold.ts';

interface KnownRow {
  /** What a read may find: one value, or several after a write that was not answered. */
  possible: Set<string>;
}

const clients = 4;
const requestTimeoutMs = 15_000;
const rowsPerClient = 25;
/** Some hundred requests a second in all: what is being watched is the damage, and four servers at a time share the machine. */
const thinkMs = 50;
const beatMs = 20;

/** A few HTTP clients that write and read rows while something happens to the server, and know what they must find. */
export class LightLoad {
  readonly #client: HttpClient;
  readonly #container: number;
  readonly #rows = new Map<string, KnownRow>();
  readonly #failures: string[] = [];
  #isOver = false;
  #written = 0;
  #beatsSinceAnswer = 0;
  #longestPauseBeats = 0;
  #beating: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(server: StartedRingfold, container: number) {
    this.#client = new HttpClient(server.port);
    this.#container = container;
  }

  /** Acknowledged writes. */
  get written(): number {
    return this.#written;
  }

  /**
   * The longest time in which nobody was acknowledged a write, by the beats that came in it: those of a busy machine, which the server
   * waits for as well, are longer.
   */
  get longestPauseMs(): number {
    return this.#longestPauseBeats * beatMs;
  }

  /** Answers other than success, and connections that broke. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  /** Gives every row its first value. */
  async fill(rowCount: number, sizeBytes: number): Promise<void> {
    const rows = Array.from({ length: rowCount }, (_, index) => `base-${index % 97}/${index}`);
    await inParallel(64, rows, (row) => this.#put(row, `${row} `.padEnd(sizeBytes, row)));
  }

  begin(): void {
    this.#beatsSinceAnswer = 0;
    this.#beating = setInterval(() => {
      this.#beatsSinceAnswer++;
      this.#longestPauseBeats = Math.max(this.#longestPauseBeats, this.#beatsSinceAnswer);
    }, beatMs);
    this.#running = Promise.all(Array.from({ length: clients }, (_, client) => this.#runClient(client)));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#beating);
    await this.#running;
  }

  /** Every row that was ever written is as it was acknowledged. */
  async checkAll(): Promise<void> {
    // So few that no node begins a thread to read in: four of them take longer to begin than all the rows take to be read.
    await inParallel(2, [...this.#rows.keys()], (row) => this.#check(row));
  }

  /** Another server on the same data knows the same rows. */
  continueOn(server: StartedRingfold): LightLoad {
    const load = new LightLoad(server, this.#container);
    for (const [row, { possible }] of this.#rows) load.#rows.set(row, { possible: new Set(possible) });
    return load;
  }

  async #runClient(client: number): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      const row = `client-${client}/${turn % rowsPerClient}`;
      try {
        await this.#put(row, `${row} ${turn} `.padEnd(200, 'x'));
        await this.#check(row);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        this.#failures.push(String(error));
      }
      await new Promise((resolve) => setTimeout(resolve, thinkMs));
    }
  }

  async #put(row: string, value: string): Promise<void> {
    const known = this.#rows.get(row) ?? { possible: new Set(['']) };
    this.#rows.set(row, known);
    known.possible.add(value);
    const { status, text } = await this.#ask(row, 'PUT', value);
    if (status !== 200) {
      // Refused: nothing happened. Any other failure leaves it open.
      if (!text.includes('outcome-unknown')) known.possible.delete(value);
      throw new Error(`${status} ${text}`);
    }
    known.possible = new Set([value]);
    this.#written++;
    this.#beatsSinceAnswer = 0;
  }

  async #check(row: string): Promise<void> {
    const { status, text } = await this.#ask(row, 'GET');
    if (status !== 200 && status !== 404) throw new Error(`${status} ${text}`);
    const value = status === 404 ? '' : text;
    const known = this.#rows.get(row) ?? { possible: new Set([value]) };
    assert.ok(known.possible.has(value), `${row} is ${value.slice(0, 60)}, not ${describe(known.possible)}`);
    known.possible = new Set([value]);
  }

  #ask(row: string, method: 'GET' | 'PUT', value?: string): Promise<HttpAnswer> {
    const path = `/_ringfold/containers/${this.#container}/rows/${row}`;
    const timeoutMs = requestTimeoutMs;
    return this.#client.ask(
      path,
      value === undefined ? { method, timeoutMs } : { method, body: value, timeoutMs },
    );
  }
}

function describe(possible: ReadonlySet<string>): string {
  return [...possible].map((value) => value.slice(0, 60)).join(' or ');
}

async function inParallel<T>(
  count: number,
  items: readonly T[],
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: count }, work));
}
