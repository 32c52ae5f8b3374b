import type { ServerResponse } from 'node:http';
import type { HttpListener } from './http-front-door.ts';
import type { HttpRequest } from './http-request.ts';

interface Doors {
  readonly admin: HttpListener;
  readonly nosql: HttpListener;
  readonly certificate: () => string;
}

/** Who serves what. The path of the NoSQL API has no place for names that begin with an underscore, so these are free. */
export function dispatchHttp({ admin, nosql, certificate }: Doors): HttpListener {
  return (request, response) => {
    const { url = '/' } = request;
    if (url.startsWith('/_')) {
      if (url === '/_explorer/emulator.pem') sendCertificate(request, response, certificate);
      else admin(request, response);
    } else if (isFromPerson(request, url)) admin(request, response);
    else nosql(request, response);
  };
}

/** The front page is the account to clients, which sign, and a welcome to everybody else. */
function isFromPerson({ method, fields }: HttpRequest, url: string): boolean {
  return (
    (url === '/' || url.startsWith('/?')) &&
    (method === 'GET' || method === 'HEAD') &&
    !fields.has('authorization') &&
    !fields.has('x-ms-version')
  );
}

function sendCertificate(request: HttpRequest, response: ServerResponse, certificate: () => string): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const body = isRead
    ? certificate()
    : '{"code":"MethodNotAllowed","message":"The certificate can only be read."}';
  response.writeHead(isRead ? 200 : 405, {
    'content-type': isRead ? 'application/x-pem-file' : 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
