import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../foundation/clock.ts';
import { silentLog } from '../../foundation/log.ts';
import type { SystemRecord } from '../../replication/system-records.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';
import { serverCertificate } from './server-certificate.ts';

const nowMs = Date.UTC(2026, 10, 16);

test('a certificate of our own making is one: signed by its key, valid now, for its names and addresses', () => {
  const { certificate, key } = selfSignedCertificate('Ringfold', ['localhost', '127.0.0.1', '::1'], nowMs);
  const read = new X509Certificate(certificate);
  assert.equal(read.subject, 'CN=Ringfold');
  assert.equal(read.issuer, 'CN=Ringfold');
  assert.ok(read.verify(read.publicKey));
  assert.ok(!read.ca, 'rustls takes no authority for a server');
  assert.equal(read.checkHost('localhost'), 'localhost');
  assert.equal(read.checkIP('127.0.0.1'), '127.0.0.1');
  assert.equal(read.checkIP('::1'), '::1');
  assert.equal(read.checkHost('elsewhere'), undefined);
  assert.ok(Date.parse(read.validFrom) < nowMs);
  assert.ok(Date.parse(read.validTo) > nowMs + 10 * 365 * 24 * 3_600_000);
  assert.match(key, /^-----BEGIN PRIVATE KEY-----/);
});

test('the certificate is made once and kept', async () => {
  const stored: SystemRecord[] = [];
  const parts = {
    records: {
      readAll: async () => new Map(stored.map(({ id, value }) => [id, value])),
      put: async (records: readonly SystemRecord[]) => {
        stored.push(...records);
      },
    },
    files: undefined,
    hosts: ['10.0.0.1'],
    clock: systemClock,
    log: silentLog,
  };
  const { secureContext, pem } = await serverCertificate(parts);
  assert.equal(stored.length, 0, 'nobody has asked for it yet');
  assert.equal(secureContext(), secureContext());
  assert.equal(stored.length, 1);
  const again = await serverCertificate(parts);
  again.secureContext();
  assert.equal(again.pem(), pem());
  assert.equal(stored.length, 1);
});

test('given files are used; those that cannot be are refused with the flag they came by', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ringfold-test-'));
  const { certificate, key } = selfSignedCertificate('given', ['localhost'], nowMs);
  const paths = { certificate: join(directory, 'cert.pem'), key: join(directory, 'key.pem') };
  const records = { readAll: async () => new Map(), put: async () => assert.fail('nothing is stored') };
  const parts = { records, files: paths, hosts: [], clock: systemClock, log: silentLog };
  const refusal = { code: 'bad-setting' };
  await assert.rejects(serverCertificate(parts), refusal);
  writeFileSync(paths.certificate, certificate);
  writeFileSync(paths.key, key);
  const given = await serverCertificate(parts);
  assert.ok(given.secureContext());
  assert.equal(given.pem(), certificate);
  writeFileSync(paths.key, selfSignedCertificate('other', ['localhost'], nowMs).key);
  await assert.rejects(serverCertificate(parts), refusal);
  rmSync(directory, { recursive: true });
});
