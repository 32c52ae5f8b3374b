// Requests over node:http, on connections that are kept. A test runner follows every promise and stream of its thread, of which
// `fetch` has so many that a request takes four times as long: too long for whoever sends thousands.

import { Agent, request } from 'node:http';

export interface HttpRequest {
  readonly method?: string;
  readonly body?: string;
  /** Without any sign of life on the connection. */
  readonly timeoutMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export class HttpClient {
  /** Connections that nobody uses keep no process alive. */
  readonly #agent = new Agent({ keepAlive: true });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  ask(path: string, { method = 'GET', body, timeoutMs }: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const address = { host: '127.0.0.1', port: this.#port, path, method, agent: this.#agent };
      const asked = request(address, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          text += part;
        });
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        answer.once('error', reject);
      });
      asked.once('error', reject);
      asked.setTimeout(timeoutMs, () =>
        asked.destroy(new Error(`${method} ${path} took over ${timeoutMs} ms`)),
      );
      asked.end(body);
    });
  }
}
