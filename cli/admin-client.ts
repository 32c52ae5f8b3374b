import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { CommandFailure } from './command.ts';
import { describeRefusal } from './describe-error.ts';

export interface ServerAddress {
  readonly url: string;
  /** Empty where none is given: a server on loopback asks for none. */
  readonly key: string;
}

export interface AdminCommandArguments {
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly server: ServerAddress;
}

/** The flags of every command that talks to a running server. */
export const serverFlagsHelp: string = [
  "  --port N        the server's port (8081)",
  "  --host ADDRESS  the server's address (127.0.0.1)",
  '  --key BASE64    an account key, where the server is not on loopback (RINGFOLD_KEY)',
  '  --json          the answer as the server gave it',
].join('\n');

export function parseCommand(
  commandArguments: readonly string[],
  /** Exactly so many, or any number up to the second. */
  positionalCount: number | readonly [least: number, most: number],
  ownFlags: readonly string[] = [],
): AdminCommandArguments {
  const own = Object.fromEntries(ownFlags.map((flag) => [flag, { type: 'string' } as const]));
  const options = {
    port: { type: 'string' },
    host: { type: 'string' },
    key: { type: 'string' },
    json: { type: 'boolean' },
    ...own,
  } as const;
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...commandArguments], options, allowPositionals: true });
  } catch (error) {
    throw new CommandFailure((error as Error).message);
  }
  const { positionals, values } = parsed;
  const [least, most] =
    typeof positionalCount === 'number' ? [positionalCount, positionalCount] : positionalCount;
  if (positionals.length < least || positionals.length > most) {
    const needed = least === most ? `${least} are needed` : `${least} to ${most} are possible`;
    throw new CommandFailure(`${positionals.length} arguments are given, ${needed}`);
  }
  const serverFlags = ['port', 'host', 'key'].flatMap((flag) =>
    values[flag] === undefined ? [] : [`--${flag}`, String(values[flag])],
  );
  const { host, port, keys } = readConfig({
    flags: serverFlags,
    environment: process.env,
    workingDirectory: process.cwd(),
  });
  const flags = values as Readonly<Record<string, string | boolean | undefined>>;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { positionals, flags, server: { url, key: keys.primary } };
}

/** The server's answer. Throws with its refusal, in words for people. */
export async function askServer(
  { url, key }: ServerAddress,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(`${url}/_ringfold/${path}`, {
      method,
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new CommandFailure(`no Ringfold server answers at ${url}; --port names another`);
  }
  const answer = (await response.json()) as { message?: string; details?: Record<string, unknown> };
  if (!response.ok)
    throw new CommandFailure(describeRefusal(answer.message ?? response.statusText, answer.details ?? {}));
  return answer;
}
