import type { IndexSchema, TableSchema } from '../../../catalog/cql/table-schema.ts';
import { mapText, nameText, quoted } from './cql-text.ts';

export function printCreateIndex(table: TableSchema, { name, kind, options }: IndexSchema): string {
  const target = options.get('target') ?? '';
  const place = `${nameText(name)} ON ${nameText(table.keyspace)}.${nameText(table.name)} (${target})`;
  if (kind !== 'CUSTOM') return `CREATE INDEX ${place};`;
  const others = new Map([...options].filter(([key]) => key !== 'target' && key !== 'class_name'));
  const withOptions = others.size === 0 ? '' : ` WITH OPTIONS = ${mapText(others)}`;
  return `CREATE CUSTOM INDEX ${place} USING ${quoted(options.get('class_name') ?? '')}${withOptions};`;
}
