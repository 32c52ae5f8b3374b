import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Log } from '../../foundation/log.ts';
import type { SystemRecords } from '../../replication/system-records.ts';
import { type Certificate, selfSignedCertificate } from './self-signed-certificate.ts';

export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

interface CertificateParts {
  readonly records: Pick<SystemRecords, 'readAll' | 'put'>;
  /** Undefined for a certificate of the server's own making. */
  readonly files: TlsFiles | undefined;
  /** Under what it may be dialled, beside loopback. */
  readonly hosts: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

const kind = 'tls-certificate';
const id = 'server';
const loopback: readonly string[] = ['localhost', '127.0.0.1', '::1'];

/** What TLS clients are served with. */
export interface ServerCertificate {
  readonly secureContext: () => SecureContext;
  /** For who wants to trust it. */
  readonly pem: () => string;
}

/**
 * The server's own certificate is made when the first of them comes, and kept, so that who has
 * decided to trust it need not do so again.
 */
export async function serverCertificate(parts: CertificateParts): Promise<ServerCertificate> {
  const { records, files, hosts, clock, log } = parts;
  if (files !== undefined) {
    const pem = await readPem(files.certificate, '--tls-cert');
    const context = contextOfFiles(pem, await readPem(files.key, '--tls-key'));
    return { secureContext: () => context, pem: () => pem };
  }
  let certificate = (await records.readAll(kind)).get(id) as Certificate | undefined;
  let context: SecureContext | undefined;
  const made = (): Certificate => {
    if (certificate !== undefined) return certificate;
    const names = [...new Set([...loopback, ...hosts])];
    certificate = selfSignedCertificate('Ringfold', names, clock.now());
    records
      .put([{ kind, id, value: certificate }])
      .catch((error: unknown) => log.warn('certificate not kept', { reason: String(error) }));
    return certificate;
  };
  return {
    secureContext: () => {
      context ??= createSecureContext({ cert: made().certificate, key: made().key });
      return context;
    },
    pem: () => made().certificate,
  };
}

function contextOfFiles(cert: string, key: string): SecureContext {
  try {
    return createSecureContext({ cert, key });
  } catch (cause) {
    throw badSetting('--tls-cert', 'certificate and key cannot be used together', cause);
  }
}

async function readPem(path: string, setting: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw badSetting(setting, `${path} cannot be read`, cause);
  }
}

function badSetting(setting: string, reason: string, cause: unknown): RingfoldError {
  return new RingfoldError('bad-setting', { setting, source: 'the settings', reason }, cause);
}
