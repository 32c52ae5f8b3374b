// What is written and read: users of about 300 bytes by their key, and events of about 300 bytes, fifty to an owner. The same
// definitions, statements and bytes for every server.

import { SeededRandom } from '../src/foundation/random.ts';
import { int } from './cql-frames.ts';

export const eventsPerOwner = 50;

/** Replication is Cassandra's own affair here: one copy there, four in Ringfold whatever is written. */
export const definitions: readonly string[] = [
  'DROP KEYSPACE IF EXISTS bench',
  "CREATE KEYSPACE bench WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
  'CREATE TABLE bench.users (id text PRIMARY KEY, active boolean, city text, name text, profile text)',
  'CREATE TABLE bench.events (owner text, number int, kind text, payload text, PRIMARY KEY (owner, number))',
];

export const operationNames = ['read', 'partition', 'overwrite', 'insert'] as const;
export type OperationName = (typeof operationNames)[number];

/** One statement, executed for one number after another. */
export interface Workload {
  readonly statement: string;
  /** Rows each answer must have; undefined for a write. */
  readonly expectedRows: number | undefined;
  /** Values of the right length; `patch` makes them those of a number. Several, so that not every row has the same bytes. */
  readonly values: (variant: number) => readonly Buffer[];
  readonly patch: (bytes: Buffer, firstValueAt: number, number: number) => void;
}

const insertUser = 'INSERT INTO bench.users (id, active, city, name, profile) VALUES (?, ?, ?, ?, ?)';
const insertEvent = 'INSERT INTO bench.events (owner, number, kind, payload) VALUES (?, ?, ?, ?)';
const cities: readonly string[] = ['Lisbon', 'Nairobi', 'Osaka', 'Quito', 'Tallinn'];
const digitCount = 8;

const userWrite: Workload = {
  statement: insertUser,
  expectedRows: undefined,
  values: userValues,
  patch: (bytes, at, number) => writeDigits(bytes, at + 'user'.length, number),
};

export const workloads: Readonly<Record<OperationName, Workload>> = {
  read: {
    statement: 'SELECT id, active, city, name, profile FROM bench.users WHERE id = ?',
    expectedRows: 1,
    values: () => [Buffer.from(keyText('user'))],
    patch: (bytes, at, number) => writeDigits(bytes, at + 'user'.length, number),
  },
  partition: {
    statement: 'SELECT owner, number, kind, payload FROM bench.events WHERE owner = ?',
    expectedRows: eventsPerOwner,
    values: () => [Buffer.from(keyText('owner'))],
    patch: (bytes, at, number) => writeDigits(bytes, at + 'owner'.length, number),
  },
  overwrite: userWrite,
  insert: userWrite,
};

/** For events numbered from 0 on, the first fifty of which belong to owner 0. */
export const eventLoad: Workload = {
  statement: insertEvent,
  expectedRows: undefined,
  values: eventValues,
  patch: (bytes, at, number) => {
    writeDigits(bytes, at + 'owner'.length, Math.floor(number / eventsPerOwner));
    bytes.writeInt32BE(number % eventsPerOwner, at + keyText('owner').length + 4);
  },
};

function userValues(variant: number): Buffer[] {
  const random = new SeededRandom(variant + 1);
  const city = cities[variant % cities.length] ?? '';
  const active = Buffer.of(variant % 2);
  return [
    Buffer.from(keyText('user')),
    active,
    Buffer.from(city.padEnd(8)),
    Buffer.from(words(random, 16)),
    Buffer.from(words(random, 260)),
  ];
}

function eventValues(variant: number): Buffer[] {
  const random = new SeededRandom(variant + 1);
  return [Buffer.from(keyText('owner')), int(0), Buffer.from('signed-in '), Buffer.from(words(random, 272))];
}

function keyText(name: string): string {
  return name + '0'.repeat(digitCount);
}

/** Compresses to about half, as JSON does. */
function words(random: SeededRandom, length: number): string {
  let text = '';
  while (text.length < length)
    text += `"${Math.floor(random.next() * 2 ** 32).toString(36)}", "name": true, `;
  return text.slice(0, length);
}

function writeDigits(bytes: Buffer, at: number, number: number): void {
  let rest = number;
  for (let place = at + digitCount - 1; place >= at; place--) {
    const next = Math.floor(rest / 10);
    bytes[place] = 48 + rest - next * 10;
    rest = next;
  }
}
