// What a server answers to a statement, as text that two servers can be compared by.

import { inspect } from 'node:util';
import { auth, Client, types } from 'cassandra-driver';
import { plainValue } from '../cql/support/plain-value.ts';
import type { RandomStatement } from './random-statement.ts';

export function connectTo(contactPoint: string, keyspace?: string): Client {
  return new Client({
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    authProvider: new auth.PlainTextAuthProvider('cassandra', 'cassandra'),
    encoding: { map: Map, set: Set, useBigIntAsLong: true, useBigIntAsVarint: true },
    isMetadataSyncEnabled: false,
    socketOptions: { readTimeout: 60_000 },
    ...(keyspace === undefined ? {} : { keyspace }),
  });
}

/** All pages together: where a page ends is the server's own affair. */
export async function answerOf(client: Client, statement: RandomStatement): Promise<string> {
  try {
    return await rowsOf(client, statement);
  } catch (error) {
    return errorText(error);
  }
}

async function rowsOf(client: Client, statement: RandomStatement): Promise<string> {
  const { text, values, fetchSize, parts } = statement;
  const lines: string[] = [];
  let pageState: string | undefined;
  let isFirst = true;
  do {
    const result: types.ResultSet =
      parts === undefined
        ? await client.execute(text, values as unknown[] | undefined, {
            prepare: values !== undefined,
            ...(fetchSize === undefined ? {} : { fetchSize }),
            ...(pageState === undefined ? {} : { pageState }),
          })
        : await client.batch(
            parts.map(({ query, params }) => ({ query, params: [...params] })),
            { prepare: true },
          );
    const columns = (result.columns ?? []).map(({ name, type }) => `${name} ${typeText(type)}`);
    if (isFirst) {
      for (const warning of result.info.warnings ?? []) lines.push(`warning: ${warning}`);
      lines.push(`columns: ${columns.join(', ')}`);
    }
    for (const row of result.rows ?? []) lines.push(`row: ${row.values().map(valueText).join(' | ')}`);
    isFirst = false;
    pageState = result.pageState ?? undefined;
  } while (pageState !== undefined);
  return lines.join('\n');
}

interface DriverType {
  readonly code: number;
  readonly info?: unknown;
}

function typeText(type: unknown): string {
  if (typeof type !== 'object' || type === null || !('code' in type)) return `${type}`;
  const { code, info } = type as DriverType;
  const [name] = Object.entries(types.dataTypes).find(([, known]) => known === code) ?? [];
  if (info === null || info === undefined) return `${name}`;
  if (Array.isArray(info)) return `${name}<${info.map(typeText).join(', ')}>`;
  if (typeof info === 'object' && 'code' in info) return `${name}<${typeText(info)}>`;
  return `${name}<${inspect(info, { depth: 8, breakLength: Number.POSITIVE_INFINITY })}>`;
}

/** Times of the server's own clock become `now`, remaining lifetimes come without their last digits. */
function valueText(value: unknown): string {
  return inspect(plainValue(value), {
    depth: 12,
    breakLength: Number.POSITIVE_INFINITY,
    compact: true,
    maxStringLength: 400,
  })
    .replace(/\b1[789]\d{14}(?=n?\b)/g, 'now')
    .replace(/\b(?:99\d{3}|100000)\b/g, 'ttl');
}

/** The text of a syntax error names the parser's own rules, so that only its code counts. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  const { innerErrors } = error as { innerErrors?: Readonly<Record<string, unknown>> };
  const inner = innerErrors === undefined ? undefined : Object.values(innerErrors)[0];
  if (inner instanceof Error) return errorText(inner);
  const { code } = error as { code?: unknown };
  if (code === types.responseErrorCodes.syntaxError) return 'error: 0x2000';
  const number = typeof code === 'number' ? `0x${code.toString(16).padStart(4, '0')}` : 'of the driver';
  // What follows is Jackson's, with its class names.
  const [message = ''] = withSortedFields(withSortedSignatures(error.message)).split(
    /(?<=decode JSON string as a map: )/,
  );
  return `error: ${number} ${message}`;
}

/** It repeats the fields of a literal in such an order too. */
function withSortedFields(message: string): string {
  return message.replace(/\{(f\d: [^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g, (_, fields: string) => {
    const sorted = fields.split(/, (?=f\d: )/).sort();
    return `{${sorted.join(', ')}}`;
  });
}

/** Cassandra lists the signatures of a function in the order of a hash table. */
function withSortedSignatures(message: string): string {
  return message.replace(
    /(signatures: )(system\..*)(\)(?:$|: use))/s,
    (_, introduction: string, signatures: string, end: string) =>
      `${introduction}${signatures
        .split(/, (?=system\.)/)
        .sort()
        .join(', ')}${end}`,
  );
}
