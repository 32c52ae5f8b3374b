import type { Exchange } from './exchange.ts';
import { handleAuthResponse } from './handlers/auth-response.ts';
import { handleBatch } from './handlers/batch.ts';
import { handleExecute } from './handlers/execute.ts';
import { handleOptions } from './handlers/options.ts';
import { handlePrepare } from './handlers/prepare.ts';
import { handleQuery } from './handlers/query.ts';
import { handleRegister } from './handlers/register.ts';
import { handleStartup } from './handlers/startup.ts';
import { nameOfOpcode, opcodes } from './opcode.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Request } from './requests/request.ts';

/** Serves a request: the answer is written when this returns, or when what it returns resolves. */
export function handleRequest(request: Request, exchange: Exchange): void | Promise<void> {
  switch (request.kind) {
    case 'execute':
      return handleExecute(request, exchange);
    case 'query':
      return handleQuery(request, exchange);
    case 'batch':
      return handleBatch(request, exchange);
    case 'prepare':
      return handlePrepare(request, exchange);
    case 'register':
      return handleRegister(request.events, exchange);
    case 'options':
      return handleOptions(exchange);
    case 'startup':
      return handleStartup(request, exchange);
    case 'auth-response':
      return handleAuthResponse(request.token, exchange);
  }
}

/** Whether the request comes in its turn. Throws ProtocolError, in Cassandra's words. */
export function checkTurn(opcode: number, { session }: Exchange): void {
  const name = nameOfOpcode(opcode);
  switch (session.stage) {
    case 'established':
      if (opcode !== opcodes.startup && opcode !== opcodes.options)
        throw new ProtocolError(`Unexpected message ${name}, expecting STARTUP or OPTIONS`);
      break;
    case 'authenticating':
      if (opcode !== opcodes.authResponse)
        throw new ProtocolError(`Unexpected message ${name}, expecting SASL_RESPONSE`);
      break;
    case 'ready':
      if (opcode === opcodes.startup)
        throw new ProtocolError('Unexpected message STARTUP, the connection is already initialized');
  }
}
