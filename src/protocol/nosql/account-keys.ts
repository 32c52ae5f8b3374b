import { createHmac, randomBytes } from 'node:crypto';
import type { SystemRecords } from '../../replication/system-records.ts';

/** In base64, as clients are given them. */
export interface AccountKeys {
  readonly primary: string;
  readonly secondary: string;
  readonly primaryReadonly: string;
  readonly secondaryReadonly: string;
}

/** The emulator's, which everybody knows: whoever reaches a server that takes it may do anything. */
export const wellKnownKey =
  'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

const kind = 'nosql-account';
const id = 'keys';

/**
 * Those that were given; of the others, those that were made at an earlier start; of the others, new ones, which are kept. Where only
 * the machine itself can reach the server, the primary key is the one that everybody knows, unless another was given.
 */
export async function accountKeys(
  records: Pick<SystemRecords, 'readAll' | 'put'>,
  given: Partial<AccountKeys>,
  isOnlyLoopback: boolean,
): Promise<AccountKeys> {
  if (isOnlyLoopback) return accountKeysFrom(given);
  const stored = (await records.readAll(kind)).get(id) as AccountKeys | undefined;
  if (stored !== undefined) return { ...stored, ...given };
  const made: AccountKeys = {
    primary: newKey(),
    secondary: newKey(),
    primaryReadonly: newKey(),
    secondaryReadonly: newKey(),
  };
  const keys = { ...made, ...given };
  if (Object.keys(given).length < Object.keys(made).length) await records.put([{ kind, id, value: made }]);
  return keys;
}

/** The primary key is given or known to everybody; from it come those that are not given, so that nothing has to be kept. */
export function accountKeysFrom(given: Partial<AccountKeys>): AccountKeys {
  const primary = given.primary ?? wellKnownKey;
  const derived = (name: string): string =>
    createHmac('sha512', Buffer.from(primary, 'base64')).update(name).digest('base64');
  return {
    primary,
    secondary: given.secondary ?? derived('secondary'),
    primaryReadonly: given.primaryReadonly ?? derived('primary-readonly'),
    secondaryReadonly: given.secondaryReadonly ?? derived('secondary-readonly'),
  };
}

/** What resource tokens are signed with: another primary key ends them all. */
export function tokenSecret({ primary }: AccountKeys): Buffer {
  return createHmac('sha256', Buffer.from(primary, 'base64')).update('resource tokens').digest();
}

function newKey(): string {
  return randomBytes(64).toString('base64');
}
