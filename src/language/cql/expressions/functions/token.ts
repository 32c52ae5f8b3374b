import { findTable } from '../../../../catalog/cql/cql-schema.ts';
import { invalidRequest } from '../../../../errors/invalid-request.ts';
import { serializePartitionKey, tokenOf } from '../../../../partitioning/token.ts';
import { longBytes } from '../../../../values/cql-text.ts';
import { bytesFunction, type FunctionFactory } from './native-function.ts';

/** Its arguments are the partition key's columns, of the table that it is called for. */
export const tokenFactory: FunctionFactory = {
  name: 'token',
  create({ schema, keyspace, table }) {
    const found = findTable(schema, keyspace, table);
    if (found === undefined) {
      throw invalidRequest(
        `The receiver table ${keyspace}.${table} specified by call to function system.token hasn't been found`,
      );
    }
    const types = found.partitionKey.map((column) => column.type);
    return bytesFunction('token', types, { kind: 'bigint' }, (values) => {
      const components = values.filter((value) => value !== null);
      if (components.length < values.length) return null;
      return longBytes(tokenOf(serializePartitionKey(components)));
    });
  },
};
