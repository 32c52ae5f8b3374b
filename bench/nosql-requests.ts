// Requests as the JavaScript SDK sends them, signed and made ready before they are needed: what is measured is the server.

import { createHmac } from 'node:crypto';

export const operationNames = ['point-read', 'upsert', 'create'] as const;
export type OperationName = (typeof operationNames)[number];

export interface NosqlTarget {
  readonly host: string;
  readonly port: number;
  readonly key: string;
}

const database = 'bench';
const container = 'items';
const containerLink = `dbs/${database}/colls/${container}`;
const itemBytes = 1_024;
const idLength = 12;

/** An id of a fixed length, so that it can be written over another. */
export function idOf(number: number): string {
  return `item${String(number).padStart(idLength - 4, '0')}`;
}

/** A request and where the id stands in it, for those that are about a new item each time. */
export interface MadeRequest {
  readonly bytes: Buffer;
  readonly idPlaces: readonly number[];
}

export function makeRequest(target: NosqlTarget, operation: OperationName, number: number): MadeRequest {
  const id = idOf(number);
  const partitionKey = { 'x-ms-documentdb-partitionkey': JSON.stringify([id]) };
  if (operation === 'point-read') {
    const link = `${containerLink}/docs/${id}`;
    return { bytes: request(target, 'GET', `/${link}`, 'docs', link, partitionKey), idPlaces: [] };
  }
  const headers =
    operation === 'upsert' ? { ...partitionKey, 'x-ms-documentdb-is-upsert': 'true' } : partitionKey;
  const bytes = request(
    target,
    'POST',
    `/${containerLink}/docs`,
    'docs',
    containerLink,
    headers,
    itemText(id),
  );
  const idPlaces: number[] = [];
  for (let at = bytes.indexOf(id); at >= 0; at = bytes.indexOf(id, at + 1)) idPlaces.push(at);
  return { bytes, idPlaces };
}

/** Definitions anew: each with the statuses that are as good as success. */
export function definingRequests(target: NosqlTarget): readonly (readonly [Buffer, readonly number[]])[] {
  const partitionKey = { paths: ['/id'], kind: 'Hash', version: 2 };
  return [
    [request(target, 'DELETE', `/dbs/${database}`, 'dbs', `dbs/${database}`, {}), [204, 404]],
    [request(target, 'POST', '/dbs', 'dbs', '', {}, JSON.stringify({ id: database })), [201]],
    [
      request(
        target,
        'POST',
        `/dbs/${database}/colls`,
        'colls',
        `dbs/${database}`,
        {},
        JSON.stringify({ id: container, partitionKey }),
      ),
      [201],
    ],
  ];
}

/** 20 leaves, about 1 KB. */
function itemText(id: string): string {
  const numbers = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`n${at}`, at * 1_000.5]));
  const tags = ['red', 'green', 'blue', 'black'];
  const address = { street: '1 Long Street', town: 'Reading', postcode: 'RG1 1AA' };
  const flags = { isActive: true, isPremium: false };
  const text = (padding: string): string =>
    JSON.stringify({ id, ...numbers, tags, address, ...flags, padding });
  return text('x'.repeat(itemBytes - text('').length));
}

function request(
  { host, port, key }: NosqlTarget,
  method: string,
  path: string,
  type: string,
  link: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Buffer {
  const date = new Date().toUTCString();
  const text = `${method.toLowerCase()}\n${type}\n${link}\n${date.toLowerCase()}\n\n`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
  const all: Record<string, string> = {
    host: `${host}:${port}`,
    accept: '*/*',
    'accept-encoding': 'gzip,deflate',
    authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    'content-type': 'application/json',
    'user-agent': 'bench (Linux x64; Node.js) @azure/cosmos/4.9.3',
    'x-ms-cosmos-allow-tentative-writes': 'true',
    'x-ms-cosmos-sdk-supportedcapabilities': '1',
    'x-ms-date': date,
    'x-ms-documentdb-query-enablecrosspartition': 'true',
    'x-ms-documentdb-responsecontinuationtokenlimitinkb': '1',
    'x-ms-version': '2020-07-15',
    ...headers,
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
