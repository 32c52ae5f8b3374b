import { ProtocolError } from './protocol-error.ts';

export const opcodes = {
  error: 0x00,
  startup: 0x01,
  ready: 0x02,
  authenticate: 0x03,
  options: 0x05,
  supported: 0x06,
  query: 0x07,
  result: 0x08,
  prepare: 0x09,
  execute: 0x0a,
  register: 0x0b,
  event: 0x0c,
  batch: 0x0d,
  authChallenge: 0x0e,
  authResponse: 0x0f,
  authSuccess: 0x10,
} as const;

const names: readonly (string | undefined)[] = [
  'ERROR',
  'STARTUP',
  'READY',
  'AUTHENTICATE',
  undefined,
  'OPTIONS',
  'SUPPORTED',
  'QUERY',
  'RESULT',
  'PREPARE',
  'EXECUTE',
  'REGISTER',
  'EVENT',
  'BATCH',
  'AUTH_CHALLENGE',
  'AUTH_RESPONSE',
  'AUTH_SUCCESS',
];
const requestOpcodes: ReadonlySet<number> = new Set([
  opcodes.startup,
  opcodes.options,
  opcodes.query,
  opcodes.prepare,
  opcodes.execute,
  opcodes.register,
  opcodes.batch,
  opcodes.authResponse,
]);

export function nameOfOpcode(opcode: number): string {
  return names[opcode] ?? String(opcode);
}

/** What is wrong with an opcode in a header; undefined for a request that says it is one. */
export function opcodeProblem(opcode: number, isResponse: boolean): ProtocolError | undefined {
  const isRequestOpcode = requestOpcodes.has(opcode);
  if (isRequestOpcode && !isResponse) return undefined;
  // Java reads the byte as signed.
  if (names[opcode] === undefined) return new ProtocolError(`Unknown opcode ${(opcode << 24) >> 24}`);
  if (isRequestOpcode !== isResponse)
    return new ProtocolError(`Unexpected RESPONSE message ${nameOfOpcode(opcode)}, expecting REQUEST`);
  const [expected, got] = isRequestOpcode ? ['REQUEST', 'RESPONSE'] : ['RESPONSE', 'REQUEST'];
  return new ProtocolError(
    `Wrong protocol direction (expected ${expected}, got ${got}) for opcode ${opcode} (${nameOfOpcode(opcode)})`,
  );
}
