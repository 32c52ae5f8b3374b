// `_rid`s: base64 of 3 to 16 bytes with `-` for `/`, in which SDKs find the database, the container and an item's number.
//
//   bytes 0–3   database
//   bytes 4–7   container if the highest bit of byte 4 is set, user if not
//   bytes 8–15  what is in a container: a number, little-endian, whose highest four bits are its type; or a permission of a user
//   offers have 3 bytes; encryption keys have no container, and 4 bytes each for their number and their type

import { assert } from '../foundation/assert.ts';

// Never change one: clients tell resources by them.
const types = {
  document: 0,
  conflict: 4,
  partitionKeyRange: 5,
  userDefinedFunction: 6,
  trigger: 7,
  storedProcedure: 8,
} as const;

/** What a container holds. */
export type ContainerChild = keyof typeof types;

const encryptionKeyType = 2;
const containerBit = 0x8000_0000;
/** The numbers of items and scripts are below this, so that the type's bits are free. */
const endOfNumbers = 2 ** 53;

export function databaseRid(number: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return textOf(bytes);
}

export function containerRid(database: string, number: number): string {
  assert(number >= 0 && number < containerBit, 'a container has a number of 31 bits');
  return childOf(database, (bytes) => bytes.writeUInt32BE(containerBit + number, 4), 8);
}

/** The number is above 0: 0 is the mark of what is no user. */
export function userRid(database: string, number: number): string {
  assert(number > 0 && number < containerBit, 'a user has a number of 31 bits');
  return childOf(database, (bytes) => bytes.writeUInt32BE(number, 4), 8);
}

export function permissionRid(user: string, number: number): string {
  return childOf(user, (bytes) => writeNumber(bytes, number, 0), 16);
}

export function encryptionKeyRid(database: string, number: number): string {
  return childOf(
    database,
    (bytes) => {
      bytes.writeUInt32LE(number, 8);
      bytes.writeUInt32LE(encryptionKeyType, 12);
    },
    16,
  );
}

/** Of an item, a script, a range. On the way of every item that is sent, most often of the container that was the last one too. */
export function ridInContainer(container: string, type: ContainerChild, number: number): string {
  if (container !== lastContainer) {
    scratch.write(container.replaceAll('-', '/'), 'base64');
    lastContainer = container;
  }
  writeNumber(scratch, number, types[type]);
  return textOf(scratch);
}

const scratch = Buffer.alloc(16);
let lastContainer = '';

/** Of a physical partition. */
export function rangeRid(container: string, physicalPartition: number): string {
  return ridInContainer(container, 'partitionKeyRange', physicalPartition);
}

/** Of 24 bits. */
export function offerRid(number: number): string {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntBE(number, 0, 3);
  return textOf(bytes);
}

/** The item's number; undefined for a text that is not the rid of an item of that container. */
export function numberOfItemRid(container: string, rid: string): number | undefined {
  const bytes = bytesOfRid(rid);
  if (bytes === undefined || bytes.length !== 16 || (bytes[15] ?? 0) >> 4 !== types.document)
    return undefined;
  if (!bytes.subarray(0, 8).equals(bytesOfRid(container) ?? Buffer.alloc(0))) return undefined;
  const number = Number(bytes.readBigUInt64LE(8));
  return number < endOfNumbers ? number : undefined;
}

/** Undefined for a text that is no rid at all. */
export function bytesOfRid(rid: string): Buffer | undefined {
  if (rid.length % 4 !== 0 || !/^[A-Za-z0-9+-]+={0,2}$/.test(rid)) return undefined;
  return Buffer.from(rid.replaceAll('-', '/'), 'base64');
}

function childOf(parent: string, write: (bytes: Buffer) => void, length: number): string {
  const bytes = Buffer.alloc(length);
  bytes.write(parent.replaceAll('-', '/'), 'base64');
  write(bytes);
  return textOf(bytes);
}

function writeNumber(bytes: Buffer, number: number, type: number): void {
  assert(number >= 0 && number < endOfNumbers, 'a number fits beside the type');
  bytes.writeUInt32LE(number >>> 0, 8);
  bytes.writeUInt32LE(Math.floor(number / 2 ** 32), 12);
  bytes[15] = (bytes[15] ?? 0) | (type << 4);
}

function textOf(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('/', '-');
}
