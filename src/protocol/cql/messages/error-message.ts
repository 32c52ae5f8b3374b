import type { Consistency } from '../../../execution/cql/statement-request.ts';
import type { ByteString } from '../../../foundation/byte-string.ts';
import { codeOfConsistency } from '../consistency.ts';
import { opcodes } from '../opcode.ts';
import type { ProtocolVersion } from '../protocol-version.ts';
import type { ResponsePrefix, ResponseWriter } from '../response-writer.ts';

/** The errors that have nothing but a message, by their code. */
export const plainErrorCodes = {
  server: 0x0000,
  protocol: 0x000a,
  'bad-credentials': 0x0100,
  overloaded: 0x1001,
  bootstrapping: 0x1002,
  truncate: 0x1003,
  'cdc-write-failure': 0x1600,
  syntax: 0x2000,
  unauthorized: 0x2100,
  invalid: 0x2200,
  config: 0x2300,
} as const;

const codes = {
  ...plainErrorCodes,
  unavailable: 0x1000,
  'write-timeout': 0x1100,
  'read-timeout': 0x1200,
  'read-failure': 0x1300,
  'function-failure': 0x1400,
  'write-failure': 0x1500,
  'cas-write-unknown': 0x1700,
  'already-exists': 0x2400,
  unprepared: 0x2500,
} as const;

export type WriteType =
  | 'SIMPLE'
  | 'BATCH'
  | 'UNLOGGED_BATCH'
  | 'COUNTER'
  | 'BATCH_LOG'
  | 'CAS'
  | 'VIEW'
  | 'CDC';

/** Who failed, and why (0 unknown, 1 tombstones, 2 timeout, …; reference/cql.md §1.6). */
export interface ReplicaFailure {
  readonly address: Uint8Array;
  readonly reason: number;
}

interface Acknowledged {
  readonly consistency: Consistency;
  readonly received: number;
  readonly required: number;
}

export type ErrorMessage = { readonly message: string } & (
  | { readonly error: keyof typeof plainErrorCodes }
  | {
      readonly error: 'unavailable';
      readonly consistency: Consistency;
      readonly required: number;
      readonly alive: number;
    }
  | ({
      readonly error: 'write-timeout';
      readonly writeType: WriteType;
      /** How often a lightweight transaction was thwarted by another; only with CAS, and sent from version 5 on. */
      readonly contentions?: number;
    } & Acknowledged)
  | ({ readonly error: 'read-timeout'; readonly dataPresent: boolean } & Acknowledged)
  | ({
      readonly error: 'read-failure';
      readonly failures: readonly ReplicaFailure[];
      readonly dataPresent: boolean;
    } & Acknowledged)
  | ({
      readonly error: 'write-failure';
      readonly failures: readonly ReplicaFailure[];
      readonly writeType: WriteType;
    } & Acknowledged)
  | ({ readonly error: 'cas-write-unknown' } & Acknowledged)
  | {
      readonly error: 'function-failure';
      readonly keyspace: string;
      readonly functionName: string;
      readonly argumentTypes: readonly string[];
    }
  /** The table is '' where it is the keyspace that exists. */
  | { readonly error: 'already-exists'; readonly keyspace: string; readonly table: string }
  | { readonly error: 'unprepared'; readonly id: ByteString }
);

export function writeErrorMessage(
  out: ResponseWriter,
  stream: number,
  error: ErrorMessage,
  prefix?: ResponsePrefix,
): void {
  const known = asVersionKnowsIt(error, out.version);
  out.begin(opcodes.error, stream, prefix);
  out.int(codes[known.error]);
  out.string(known.message);
  writeDetails(out, known);
  out.end();
}

function writeDetails(out: ResponseWriter, error: ErrorMessage): void {
  switch (error.error) {
    case 'unavailable':
      out.short(codeOfConsistency(error.consistency));
      out.int(error.required);
      out.int(error.alive);
      break;
    case 'write-timeout':
      writeAcknowledged(out, error);
      out.string(error.writeType);
      if (out.version >= 5 && error.contentions !== undefined) out.short(error.contentions);
      break;
    case 'read-timeout':
      writeAcknowledged(out, error);
      out.byte(error.dataPresent ? 1 : 0);
      break;
    case 'read-failure':
      writeAcknowledged(out, error);
      writeFailures(out, error.failures);
      out.byte(error.dataPresent ? 1 : 0);
      break;
    case 'write-failure':
      writeAcknowledged(out, error);
      writeFailures(out, error.failures);
      out.string(error.writeType);
      break;
    case 'cas-write-unknown':
      writeAcknowledged(out, error);
      break;
    case 'function-failure':
      out.string(error.keyspace);
      out.string(error.functionName);
      out.stringList(error.argumentTypes);
      break;
    case 'already-exists':
      out.string(error.keyspace);
      out.string(error.table);
      break;
    case 'unprepared':
      out.shortBytes(error.id);
      break;
    default:
      break;
  }
}

function writeAcknowledged(out: ResponseWriter, { consistency, received, required }: Acknowledged): void {
  out.short(codeOfConsistency(consistency));
  out.int(received);
  out.int(required);
}

/** Before version 5 only how many. */
function writeFailures(out: ResponseWriter, failures: readonly ReplicaFailure[]): void {
  out.int(failures.length);
  if (out.version < 5) return;
  for (const { address, reason } of failures) {
    out.byte(address.length);
    out.raw(address);
    out.short(reason);
  }
}

/** What an older version has for an error it does not know (ErrorMessage.getBackwardsCompatibleException). */
function asVersionKnowsIt(error: ErrorMessage, version: ProtocolVersion): ErrorMessage {
  if (version < 5 && error.error === 'cas-write-unknown')
    return { ...error, error: 'write-timeout', message: timedOut(error), writeType: 'CAS' };
  if (version >= 4) return error;
  switch (error.error) {
    case 'read-failure':
      return { ...error, error: 'read-timeout', message: timedOut(error) };
    case 'write-failure':
      return { ...error, error: 'write-timeout', message: timedOut(error) };
    case 'function-failure':
      return { error: 'invalid', message: `ERROR FUNCTION_FAILURE: ${error.message}` };
    case 'cdc-write-failure':
      return { error: 'invalid', message: `ERROR CDC_WRITE_FAILURE: ${error.message}` };
    default:
      return error;
  }
}

function timedOut({ received }: Acknowledged): string {
  return `Operation timed out - received only ${received} responses.`;
}
