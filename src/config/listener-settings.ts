import type { Setting } from './setting.ts';

export type ListenerSetting =
  | 'host'
  | 'port'
  | 'cql-port'
  | 'broadcast-address'
  | 'tls-cert'
  | 'tls-key'
  | 'ready-json';

/** Where clients find the server, whichever door they take. */
export const listenerSettings: Readonly<Record<ListenerSetting, Setting>> = {
  host: { kind: 'text', default: '127.0.0.1', placeholder: 'ADDRESS', help: 'the address to listen on' },
  port: {
    kind: 'number',
    default: 8081,
    low: 0,
    high: 65_535,
    placeholder: 'N',
    help: 'HTTP and HTTPS: the NoSQL API, admin JSON and health; 0 takes a free one',
  },
  'cql-port': {
    kind: 'number',
    default: 9042,
    low: 0,
    high: 65_535,
    placeholder: 'N',
    help: 'CQL, plain and TLS; 0 takes a free one',
  },
  'broadcast-address': {
    kind: 'text',
    default: '',
    placeholder: 'IP',
    help: 'the address clients are told, if it is not the one they dialled',
  },
  'tls-cert': {
    kind: 'text',
    default: '',
    placeholder: 'FILE',
    help: 'certificate (PEM) for TLS; without it the server makes one of its own',
  },
  'tls-key': { kind: 'text', default: '', placeholder: 'FILE', help: 'the private key of --tls-cert (PEM)' },
  'ready-json': { kind: 'switch', default: false, help: 'one JSON line on stdout once the server is ready' },
};
