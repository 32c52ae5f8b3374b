// A throw-away server for the tests of one file, with an unmodified client and a way to send what no client sends.

import { createHmac, randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { type Container, type ContainerRequest, CosmosClient, type Database } from '@azure/cosmos';
import { type Ringfold, type RingfoldOptions, startRingfold } from '../../../src/ringfold.ts';

/** The emulator's, which everybody knows. */
export const wellKnownKey: string =
  'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

export class NosqlTestServer {
  #ringfold: Ringfold | undefined;
  #client: CosmosClient | undefined;

  get ringfold(): Ringfold {
    if (this.#ringfold === undefined) throw new Error('the server has not been started');
    return this.#ringfold;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.ringfold.port}`;
  }

  get client(): CosmosClient {
    this.#client ??= new CosmosClient({ endpoint: this.endpoint, key: wellKnownKey });
    return this.#client;
  }

  async start(options: RingfoldOptions): Promise<void> {
    this.#ringfold = await startRingfold(options);
  }

  async stop(): Promise<void> {
    this.#client?.dispose();
    await this.#ringfold?.stop();
  }

  async database(): Promise<Database> {
    const { database } = await this.client.databases.create({ id: `d${randomUUID().slice(0, 8)}` });
    return database;
  }

  /** A new one in a database of its own, partitioned by /pk unless told. */
  async container(request: Partial<ContainerRequest> = {}): Promise<Container> {
    const database = await this.database();
    const { container } = await database.containers.create({
      id: 'c',
      partitionKey: { paths: ['/pk'] },
      ...request,
    });
    return container;
  }

  /** A request of one's own making, signed with the master key. The link is what is signed: `dbs/d/colls/c`. */
  async send(
    method: string,
    path: string,
    { type, link, headers = {}, body }: RawRequest,
  ): Promise<Response> {
    return fetch(`${this.endpoint}${path}`, {
      method,
      headers: { ...this.signedHeaders(method, type, link), ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  signedHeaders(
    method: string,
    type: string,
    link: string,
    {
      key = wellKnownKey,
      date = new Date().toUTCString(),
    }: { readonly key?: string; readonly date?: string } = {},
  ): Record<string, string> {
    const text = `${method.toLowerCase()}\n${type}\n${link}\n${date.toLowerCase()}\n\n`;
    const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
    return {
      authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
      'x-ms-date': date,
      'x-ms-version': '2020-07-15',
    };
  }
}

export interface RawRequest {
  /** The resource type that is signed. */
  readonly type: string;
  readonly link: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Started before the tests of the file and stopped after them. */
export function nosqlServer(options: RingfoldOptions = {}): NosqlTestServer {
  const server = new NosqlTestServer();
  before(() => server.start(options));
  after(() => server.stop());
  return server;
}
