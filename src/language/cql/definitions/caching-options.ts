import { configurationError } from './definition-errors.ts';

const maxInt = 2 ** 31 - 1;

/** What `caching` says: kept and shown, since the cache here asks no table. */
export function readCaching(map: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const keys = readKeys(map.get('keys'));
  const rows = readRows(map.get('rows_per_partition'));
  const others = [...map.keys()].filter((name) => name !== 'keys' && name !== 'rows_per_partition');
  if (others.length > 0) {
    throw configurationError(
      `Invalid caching sub-options [${others.join(', ')}]: only 'keys' and 'rows_per_partition' are allowed`,
    );
  }
  return new Map([
    ['keys', keys],
    ['rows_per_partition', rows],
  ]);
}

function readKeys(text = 'NONE'): string {
  const value = text.toUpperCase();
  if (value === 'ALL' || value === 'NONE') return value;
  throw configurationError(
    `Invalid value '${text}' for caching sub-option 'keys': only 'ALL' and 'NONE' are allowed`,
  );
}

function readRows(text = 'NONE'): string {
  const value = text.toUpperCase();
  if (value === 'ALL' || value === 'NONE') return value;
  if (!/^\d+$/.test(text)) {
    throw configurationError(
      `Invalid value '${text}' for caching sub-option 'rows_per_partition': only 'ALL', 'NONE', and integer values are allowed`,
    );
  }
  const rows = Number(text);
  if (rows === 0) return 'NONE';
  return rows >= maxInt ? 'ALL' : String(rows);
}
