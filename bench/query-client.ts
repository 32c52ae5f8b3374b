// A client of one container that asks one thing after another over one connection, and keeps what the answer says of itself.

import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { NosqlTarget } from './nosql-requests.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly header: (name: string) => string | undefined;
  readonly milliseconds: number;
}

export class QueryClient {
  readonly #target: NosqlTarget;
  readonly #link: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(target: NosqlTarget, database: string, container: string) {
    this.#target = target;
    this.#link = `dbs/${database}/colls/${container}`;
  }

  /** With a physical partition of its own, so that it is not asked to be put together from several. */
  query(text: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#post('docs', `/${this.#link}/docs`, this.#link, JSON.stringify({ query: text }), {
      'content-type': 'application/query+json',
      'x-ms-documentdb-isquery': 'true',
      'x-ms-documentdb-partitionkeyrangeid': '0',
      'x-ms-documentdb-populatequerymetrics': 'true',
      ...headers,
    });
  }

  create(type: 'dbs' | 'colls', parent: string, body: unknown): Promise<Answer> {
    return this.#post(type, `/${parent === '' ? '' : `${parent}/`}${type}`, parent, JSON.stringify(body), {});
  }

  /** Each by itself, none with another. */
  createItems(items: readonly { readonly id: string }[]): Promise<Answer> {
    const operations = items.map((item) => ({
      operationType: 'Create',
      partitionKey: JSON.stringify([item.id]),
      resourceBody: item,
    }));
    return this.#post('docs', `/${this.#link}/docs`, this.#link, JSON.stringify(operations), {
      'x-ms-cosmos-is-batch-request': 'true',
      'x-ms-cosmos-batch-atomic': 'false',
      'x-ms-cosmos-batch-continue-on-error': 'true',
      'x-ms-documentdb-partitionkeyrangeid': '0',
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(
    type: string,
    path: string,
    link: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const { host, port, key } = this.#target;
    const date = new Date().toUTCString();
    const signed = `post\n${type}\n${link}\n${date.toLowerCase()}\n\n`;
    const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64');
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const sent = request({
        host,
        port,
        path,
        method: 'POST',
        agent: this.#agent,
        headers: {
          authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-ms-date': date,
          'x-ms-version': '2020-07-15',
          ...headers,
        },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const status = response.statusCode ?? 0;
          if (status >= 400) reject(new Error(`${status} ${text.slice(0, 300)}`));
          else {
            const header = (name: string): string | undefined => response.headers[name]?.toString();
            resolve({ status, body: text, header, milliseconds: performance.now() - startedAt });
          }
        });
      });
      sent.end(body);
    });
  }
}
