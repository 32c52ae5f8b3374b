import type { KeyspaceSchema } from '../../../catalog/cql/table-schema.ts';
import { isShownAsVirtual } from '../../../execution/cql/virtual-tables/system-keyspaces.ts';
import { nameText, quoted } from './cql-text.ts';

const strategies = 'org.apache.cassandra.locator.';

/** To the letter as Cassandra has it, the two spaces before AND included. */
export function printCreateKeyspace({ name, replication, durableWrites }: KeyspaceSchema): string {
  if (isShownAsVirtual(name)) {
    return [
      '/*',
      `Warning: Keyspace ${nameText(name)} is a virtual keyspace and cannot be recreated with CQL.`,
      'Structure, for reference:',
      `VIRTUAL KEYSPACE ${nameText(name)};`,
      '*/',
    ].join('\n');
  }
  const options = Array.from(replication, ([key, value]) =>
    key === 'class' && value.startsWith(strategies) ? [key, value.slice(strategies.length)] : [key, value],
  );
  const replicationText = options
    .map(([key = '', value = '']) => `${quoted(key)}: ${quoted(value)}`)
    .join(', ');
  return `CREATE KEYSPACE ${nameText(name)} WITH replication = {${replicationText}}  AND durable_writes = ${durableWrites};`;
}
