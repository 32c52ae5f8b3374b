import { opcodes } from '../opcode.ts';
import type { ResponsePrefix, ResponseWriter } from '../response-writer.ts';
import { resultKinds } from './result-kind.ts';

// Responses of one field or none.

export function writeReady(out: ResponseWriter, stream: number): void {
  out.begin(opcodes.ready, stream);
  out.end();
}

/** Drivers know the mechanism by the name of Cassandra's class. */
export function writeAuthenticate(out: ResponseWriter, stream: number, authenticator: string): void {
  out.begin(opcodes.authenticate, stream);
  out.string(authenticator);
  out.end();
}

export function writeAuthChallenge(out: ResponseWriter, stream: number, token: Uint8Array | null): void {
  out.begin(opcodes.authChallenge, stream);
  out.value(token);
  out.end();
}

export function writeAuthSuccess(out: ResponseWriter, stream: number, token: Uint8Array | null): void {
  out.begin(opcodes.authSuccess, stream);
  out.value(token);
  out.end();
}

export function writeSupported(
  out: ResponseWriter,
  stream: number,
  options: ReadonlyMap<string, readonly string[]>,
): void {
  out.begin(opcodes.supported, stream);
  out.short(options.size);
  for (const [key, values] of options) {
    out.string(key);
    out.stringList(values);
  }
  out.end();
}

export function writeVoidResult(out: ResponseWriter, stream: number, prefix?: ResponsePrefix): void {
  out.begin(opcodes.result, stream, prefix);
  out.int(resultKinds.void);
  out.end();
}

export function writeSetKeyspaceResult(
  out: ResponseWriter,
  stream: number,
  keyspace: string,
  prefix?: ResponsePrefix,
): void {
  out.begin(opcodes.result, stream, prefix);
  out.int(resultKinds.setKeyspace);
  out.string(keyspace);
  out.end();
}
