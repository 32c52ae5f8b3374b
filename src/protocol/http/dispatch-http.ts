import { headerLine } from './http-answer.ts';
import type { HttpExchange, HttpListener } from './http-exchange.ts';
import type { RequestHead } from './request-head.ts';

interface Doors {
  readonly admin: HttpListener;
  readonly nosql: HttpListener;
  readonly certificate: () => string;
}

/** Who serves what. The path of the NoSQL API has no place for names that begin with an underscore, so these are free. */
export function dispatchHttp({ admin, nosql, certificate }: Doors): HttpListener {
  return (exchange) => {
    const { url } = exchange.request;
    if (url.startsWith('/_')) {
      if (url === '/_explorer/emulator.pem') sendCertificate(exchange, certificate);
      else admin(exchange);
    } else if (isFromPerson(exchange.request)) admin(exchange);
    else nosql(exchange);
  };
}

/** The front page is the account to clients, which sign, and a welcome to everybody else. */
function isFromPerson({ method, url, fields }: RequestHead): boolean {
  return (
    (url === '/' || url.startsWith('/?')) &&
    (method === 'GET' || method === 'HEAD') &&
    !fields.has('authorization') &&
    !fields.has('x-ms-version')
  );
}

function sendCertificate(exchange: HttpExchange, certificate: () => string): void {
  const { method } = exchange.request;
  if (method === 'GET' || method === 'HEAD') {
    const lines = headerLine('content-type', 'application/x-pem-file');
    exchange.answer({ status: 200, lines, body: certificate() });
  } else {
    const body = '{"code":"MethodNotAllowed","message":"The certificate can only be read."}';
    exchange.answer({ status: 405, lines: headerLine('content-type', 'application/json'), body });
  }
}
