// An X.509 certificate signed by its own key, for a server that nobody gave one (RFC 5280). Node makes keys and signatures but no
// certificates; this is the little of DER that is missing.

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { parseInet } from '../../values/inet-text.ts';

export interface Certificate {
  /** PEM, both. */
  readonly certificate: string;
  readonly key: string;
}

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;
const ecdsaWithSha256 = sequence(element(tags.objectId, Buffer.from('2a8648ce3d040302', 'hex')));
const commonName = '550403';
const basicConstraints = '551d13';
const subjectAlternativeName = '551d11';
const validYears = 20;

/**
 * For these names and addresses. Clients that check it are given it among those that they trust. It is no authority for others: some clients,
 * Rust's among them, take no server that shows the certificate of one.
 */
export function selfSignedCertificate(
  commonNameText: string,
  hosts: readonly string[],
  nowMs: number,
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(
    element(tags.set, sequence(objectId(commonName), element(tags.utf8String, Buffer.from(commonNameText)))),
  );
  const from = new Date(nowMs - 24 * 3_600_000);
  const until = new Date(nowMs);
  until.setUTCFullYear(until.getUTCFullYear() + validYears);
  // The first bit of a positive number is 0.
  const serial = randomBytes(16);
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0);
  const content = sequence(
    element(0xa0, element(tags.integer, Buffer.of(2))),
    element(tags.integer, serial),
    ecdsaWithSha256,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(
      0xa3,
      sequence(
        extension(basicConstraints, true, sequence()),
        extension(subjectAlternativeName, false, sequence(...hosts.map(alternativeName))),
      ),
    ),
  );
  const signature = Buffer.concat([Buffer.of(0), sign('sha256', content, privateKey)]);
  const der = sequence(content, ecdsaWithSha256, element(tags.bitString, signature));
  return { certificate: pem(der), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(tags.sequence, Buffer.concat(parts));
}

function objectId(hex: string): Buffer {
  return element(tags.objectId, Buffer.from(hex, 'hex'));
}

function time(date: Date): Buffer {
  const text = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return element(tags.generalizedTime, Buffer.from(text));
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [element(tags.boolean, Buffer.of(0xff))] : [];
  return sequence(objectId(id), ...critical, element(tags.octetString, value));
}

function alternativeName(host: string): Buffer {
  return isIP(host) === 0 ? element(0x82, Buffer.from(host)) : element(0x87, parseInet(host));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
