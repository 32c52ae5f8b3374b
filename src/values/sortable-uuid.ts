import type { KeyReader, KeyWriter } from './key-bytes.ts';

/** TimeUUIDType: by time, then by the last eight bytes as signed ones. */
export function writeTimeUuid(writer: KeyWriter, uuid: Buffer): void {
  const bytes = timeFirst(uuid);
  flipSignBits(bytes);
  writer.bytes(bytes);
}

export function readTimeUuid(reader: KeyReader): Buffer {
  const uuid = undoTimeFirst(reader.bytes(16));
  flipSignBits(uuid);
  return uuid;
}

/** UUIDType: by version, then by the time of version 1 or the bytes of others, and the rest as unsigned bytes. */
export function writeUuid(writer: KeyWriter, uuid: Buffer): void {
  writer.bytes(uuid.readUInt8(6) >> 4 === 1 ? timeFirst(uuid) : versionFirst(uuid));
}

export function readUuid(reader: KeyReader): Buffer {
  const bytes = reader.bytes(16);
  return bytes.readUInt8(0) >> 4 === 1 ? undoTimeFirst(bytes) : undoVersionFirst(bytes);
}

/** Bytes 6, 7, 4, 5, 0 to 3: the version, then the time from its highest bits. */
function timeFirst(uuid: Buffer): Buffer {
  const bytes = Buffer.from(uuid);
  uuid.copy(bytes, 0, 6, 8);
  uuid.copy(bytes, 2, 4, 6);
  uuid.copy(bytes, 4, 0, 4);
  return bytes;
}

function undoTimeFirst(bytes: Buffer): Buffer {
  const uuid = Buffer.from(bytes);
  bytes.copy(uuid, 6, 0, 2);
  bytes.copy(uuid, 4, 2, 4);
  bytes.copy(uuid, 0, 4, 8);
  return uuid;
}

/** The version is the thirteenth hexadecimal digit; it comes to the front and the others stay as they are. */
function versionFirst(uuid: Buffer): Buffer {
  const hex = uuid.toString('hex');
  return Buffer.from(hex.charAt(12) + hex.slice(0, 12) + hex.slice(13), 'hex');
}

function undoVersionFirst(bytes: Buffer): Buffer {
  const hex = bytes.toString('hex');
  return Buffer.from(hex.slice(1, 13) + hex.charAt(0) + hex.slice(13), 'hex');
}

function flipSignBits(bytes: Buffer): void {
  for (let at = 8; at < 16; at++) bytes.writeUInt8(bytes.readUInt8(at) ^ 0x80, at);
}
