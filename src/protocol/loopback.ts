import { plainAddress } from '../execution/cql/virtual-tables/plain-address.ts';

export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain === '::1' || plain.startsWith('127.');
}
