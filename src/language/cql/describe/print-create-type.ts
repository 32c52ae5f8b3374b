import { printCqlType, type UserType } from '../../../values/cql-type.ts';
import { nameText } from './cql-text.ts';

export function printCreateType({ keyspace, name, fields }: UserType): string {
  const lines = fields.map((field) => `    ${nameText(field.name)} ${printCqlType(field.type)}`);
  return `CREATE TYPE ${nameText(keyspace)}.${nameText(name)} (\n${lines.join(',\n')}\n);`;
}
