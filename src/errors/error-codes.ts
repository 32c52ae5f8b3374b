// Every way in which a request can fail, whichever door it came through. Each protocol has a table with one
// row per code (docs/errors.md explains them); a code without a row does not compile.

export interface ErrorKind {
  readonly fault: 'caller' | 'server' | 'disk';
  /** Whether the same request may succeed later without being changed. */
  readonly retry: boolean;
  readonly text: string;
}

export const errorKinds = {
  'bad-setting': { fault: 'caller', retry: false, text: 'A setting is not valid.' },
  'bad-request': { fault: 'caller', retry: false, text: 'The request is not valid.' },
  'bad-page-token': {
    fault: 'caller',
    retry: false,
    text: 'The page token is damaged, from another version, or belongs to another query.',
  },
  'bad-partition-key': { fault: 'caller', retry: false, text: 'The partition key is not valid.' },
  'cql-syntax': { fault: 'caller', retry: false, text: 'The statement cannot be read.' },
  'cql-configuration': { fault: 'caller', retry: false, text: 'An option of the definition is not valid.' },
  'cql-already-exists': {
    fault: 'caller',
    retry: false,
    text: 'A keyspace or table of that name exists already.',
  },
  'cql-function-failed': {
    fault: 'caller',
    retry: false,
    text: 'A function or operator failed on its values.',
  },
  'cql-unprepared': {
    fault: 'caller',
    retry: true,
    text: 'The statement is not prepared any more: prepare it again.',
  },
  'cql-truncate-failed': { fault: 'server', retry: true, text: 'The table could not be emptied.' },
  'protocol-violation': {
    fault: 'caller',
    retry: false,
    text: 'What the client sent is not of the protocol, or not in its turn.',
  },
  'bad-credentials': {
    fault: 'caller',
    retry: false,
    text: 'The login is not known, or the password is wrong.',
  },
  unauthorized: { fault: 'caller', retry: false, text: 'The login may not do this.' },
  'container-not-found': { fault: 'caller', retry: false, text: 'There is no such container.' },
  'container-exists': { fault: 'caller', retry: false, text: 'The container exists already.' },
  'database-not-found': {
    fault: 'caller',
    retry: false,
    text: 'There is no such database with a throughput to share.',
  },
  'database-exists': { fault: 'caller', retry: false, text: 'The database already exists.' },
  'database-in-use': {
    fault: 'caller',
    retry: false,
    text: 'Containers share the throughput of the database.',
  },
  'resource-not-found': { fault: 'caller', retry: false, text: 'There is no such resource.' },
  'resource-exists': { fault: 'caller', retry: false, text: 'A resource of that name exists already.' },
  'item-not-found': { fault: 'caller', retry: false, text: 'There is no such item.' },
  'item-exists': { fault: 'caller', retry: false, text: 'An item of that id exists already.' },
  'unique-key-violation': { fault: 'caller', retry: false, text: 'A unique key would be there twice.' },
  'etag-mismatch': {
    fault: 'caller',
    retry: false,
    text: 'The item or definition has changed since it was read.',
  },
  'patch-condition-failed': {
    fault: 'caller',
    retry: false,
    text: 'The condition of the patch does not hold.',
  },
  'partition-key-mismatch': {
    fault: 'caller',
    retry: false,
    text: 'The partition key in the header is not that of the item.',
  },
  'cross-partition-query': {
    fault: 'caller',
    retry: false,
    text: 'The query spans partitions and must be divided by the client.',
  },
  'sql-syntax': { fault: 'caller', retry: false, text: 'The query cannot be read.' },
  'session-not-available': {
    fault: 'server',
    retry: true,
    text: 'The partition has not reached the session token.',
  },
  'partition-range-gone': {
    fault: 'caller',
    retry: true,
    text: 'The partition key range has been split or merged.',
  },
  'stale-container': {
    fault: 'caller',
    retry: true,
    text: 'The container has been made anew since the client looked at it.',
  },
  'request-too-large': { fault: 'caller', retry: false, text: 'The request is larger than the limit.' },
  forbidden: { fault: 'caller', retry: false, text: 'The key or token does not allow this.' },
  'bad-signature': { fault: 'caller', retry: false, text: 'The authorization is missing or wrong.' },
  'not-implemented': { fault: 'caller', retry: false, text: 'This is not built yet.' },
  'partition-not-found': { fault: 'caller', retry: false, text: 'There is no such physical partition.' },
  'split-refused': { fault: 'caller', retry: false, text: 'The physical partition cannot be split there.' },
  'merge-refused': { fault: 'caller', retry: false, text: 'The physical partitions cannot be merged.' },
  'move-refused': { fault: 'caller', retry: false, text: 'The replica cannot be moved.' },
  'partition-busy': {
    fault: 'server',
    retry: true,
    text: 'The physical partition is being split, merged or moved already.',
  },
  'write-contention': {
    fault: 'server',
    retry: true,
    text: 'Others keep changing what this write depends on.',
  },
  'bad-throughput': {
    fault: 'caller',
    retry: false,
    text: 'The throughput asked for cannot be given.',
  },
  'too-many-shared-containers': {
    fault: 'caller',
    retry: false,
    text: 'No more containers can share the throughput of the database.',
  },
  'throughput-change-pending': {
    fault: 'server',
    retry: true,
    text: 'The throughput is being changed already.',
  },
  'throughput-exceeded': {
    fault: 'caller',
    retry: true,
    text: 'The request rate is large: the physical partition has spent its request units.',
  },
  'throughput-bucket-exceeded': {
    fault: 'caller',
    retry: true,
    text: 'The request rate is large: the throughput bucket has spent its request units.',
  },
  'too-few-replicas': { fault: 'server', retry: true, text: 'Fewer replicas are up than a write needs.' },
  'no-readable-replica': {
    fault: 'server',
    retry: true,
    text: 'No replica of the physical partition can be read.',
  },
  'outcome-unknown': { fault: 'server', retry: false, text: 'The write may or may not have happened.' },
  'disk-full': {
    fault: 'disk',
    retry: true,
    text: 'The disk is full: nothing can be written until there is room.',
  },
  'logical-partition-full': {
    fault: 'caller',
    retry: false,
    text: 'The logical partition has reached its largest size.',
  },
  'transaction-too-large': {
    fault: 'caller',
    retry: false,
    text: 'The transaction is larger than the limit.',
  },
  'too-much-in-flight': { fault: 'server', retry: true, text: 'Too many writes are waiting for the disk.' },
  stopping: { fault: 'server', retry: true, text: 'The server is stopping.' },
  'data-directory-in-use': {
    fault: 'caller',
    retry: false,
    text: 'Another process owns the data directory.',
  },
  'data-directory-foreign': {
    fault: 'caller',
    retry: false,
    text: 'The data directory is not one of this cluster.',
  },
  'unknown-format': {
    fault: 'caller',
    retry: false,
    text: 'The data was written in a format this version does not know.',
  },
  'internal-error': {
    fault: 'server',
    retry: false,
    text: 'Something that must hold does not: this is a bug.',
  },
  'corrupt-data': { fault: 'disk', retry: false, text: 'Stored data failed its checksum.' },
} as const;

// `satisfies` cannot stand in the declaration itself: isolatedDeclarations wants its type to be plain.
errorKinds satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;
