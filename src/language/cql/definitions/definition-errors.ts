import { RingfoldError } from '../../../errors/ringfold-error.ts';

/** Where Cassandra reports an option that it does not know as if the text could not be read. */
export function syntaxError(reason: string): RingfoldError {
  return new RingfoldError('cql-syntax', { reason });
}

export function configurationError(reason: string): RingfoldError {
  return new RingfoldError('cql-configuration', { reason });
}

export function keyspaceExists(keyspace: string): RingfoldError {
  const reason = `Cannot add existing keyspace "${keyspace}"`;
  return new RingfoldError('cql-already-exists', { reason, keyspace, table: '' });
}

export function tableExists(keyspace: string, table: string): RingfoldError {
  const reason = `Cannot add already existing table "${table}" to keyspace "${keyspace}"`;
  return new RingfoldError('cql-already-exists', { reason, keyspace, table });
}

export function unauthorized(reason: string): RingfoldError {
  return new RingfoldError('unauthorized', { reason });
}
