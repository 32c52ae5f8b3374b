import { invalidValue } from './invalid-value.ts';

/**
 * An address as java.net reads it, but never a name: nothing is looked up. IPv4 may leave out bytes (`127.1`); IPv6 may
 * stand in brackets, and an IPv4 address mapped into it is an IPv4 address. The number of a zone (`fe80::1%2`) is no part of the address;
 * the name of one would be that of an interface of this machine, and is not looked up either.
 */
export function parseInet(text: string): Buffer {
  const address = text.includes(':') ? readIpv6(text) : readIpv4(text);
  if (address === undefined) throw invalidValue(`Unable to make inet address from '${text}'`);
  return address;
}

/** IPv6 in full, without leading zeros: `0:0:0:0:0:0:0:1`. */
export function printInet(address: Buffer): string {
  const bytes = isMapped(address) ? address.subarray(12) : address;
  if (bytes.length === 4) return bytes.join('.');
  const groups: string[] = [];
  for (let at = 0; at < bytes.length; at += 2) groups.push(bytes.readUInt16BE(at).toString(16));
  return groups.join(':');
}

function isMapped(address: Buffer): boolean {
  return (
    address.length === 16 && address.readUInt16BE(10) === 0xffff && address.subarray(0, 10).every(isZero)
  );
}

function isZero(byte: number): boolean {
  return byte === 0;
}

const largestZone = 2 ** 31 - 1;

/** The last of fewer than four numbers fills the bytes that are left. */
function readIpv4(text: string): Buffer | undefined {
  const parts = text.split('.');
  if (parts.length > 4 || !parts.every((part) => /^\d{1,10}$/.test(part))) return undefined;
  const last = Number(parts.pop());
  if (last >= 256 ** (4 - parts.length) || parts.some((part) => Number(part) > 255)) return undefined;
  const address = Buffer.alloc(4);
  address.writeUInt32BE(last);
  for (const [at, part] of parts.entries()) address[at] = Number(part);
  return address;
}

function readIpv6(text: string): Buffer | undefined {
  const [bare = '', zone, ...more] = (/^\[(.*)\]$/.exec(text)?.[1] ?? text).split('%');
  if (zone === undefined) return readGroupsOf(bare);
  if (more.length > 0 || !/^\d+$/.test(zone) || Number(zone) > largestZone) return undefined;
  const address = readGroupsOf(bare);
  return address?.length === 16 ? address : undefined;
}

function readGroupsOf(bare: string): Buffer | undefined {
  const halves = bare.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(readGroups);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const missing = 16 - head.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  const address = Buffer.concat([head, Buffer.alloc(missing), tail ?? Buffer.alloc(0)]);
  return isMapped(address) ? address.subarray(12) : address;
}

function readGroups(text: string): Buffer | undefined {
  if (text === '') return Buffer.alloc(0);
  const groups = text.split(':');
  const parts: Buffer[] = [];
  for (const [at, group] of groups.entries()) {
    const isLast = at === groups.length - 1;
    const part = isLast && group.includes('.') ? readDotted(group) : readGroup(group);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function readGroup(text: string): Buffer | undefined {
  return /^[0-9a-f]{1,4}$/i.test(text) ? Buffer.from(text.padStart(4, '0'), 'hex') : undefined;
}

function readDotted(text: string): Buffer | undefined {
  return text.split('.').length === 4 ? readIpv4(text) : undefined;
}
