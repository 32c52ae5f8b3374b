import type { SchemaChange } from '../../../catalog/cql/cql-schema.ts';
import { opcodes } from '../opcode.ts';
import type { ResponsePrefix, ResponseWriter } from '../response-writer.ts';
import { eventStream } from './event.ts';
import { resultKinds } from './result-kind.ts';

export function writeSchemaChangeResult(
  out: ResponseWriter,
  stream: number,
  change: SchemaChange,
  prefix?: ResponsePrefix,
): void {
  out.begin(opcodes.result, stream, prefix);
  out.int(resultKinds.schemaChange);
  writeSchemaChange(out, change);
  out.end();
}

export function writeSchemaChangeEvent(out: ResponseWriter, change: SchemaChange): void {
  out.begin(opcodes.event, eventStream);
  out.string('SCHEMA_CHANGE');
  writeSchemaChange(out, change);
  out.end();
}

/** Version 3 knows no functions: it hears that the keyspace was updated, with an empty name that Cassandra adds. */
function writeSchemaChange(out: ResponseWriter, change: SchemaChange): void {
  const isFunction = change.target === 'FUNCTION' || change.target === 'AGGREGATE';
  if (isFunction && out.version < 4) {
    for (const text of ['UPDATED', 'KEYSPACE', change.keyspace, '']) out.string(text);
    return;
  }
  out.string(change.change);
  out.string(change.target);
  out.string(change.keyspace);
  if (change.target === 'KEYSPACE') return;
  out.string(change.name);
  if ('argumentTypes' in change) out.stringList(change.argumentTypes);
}
