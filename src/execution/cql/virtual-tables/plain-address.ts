/** A socket that takes both families shows IPv4 addresses inside IPv6 ones, and link-local ones with their interface. */
export function plainAddress(address: string): string {
  const [withoutInterface = address] = address.split('%');
  return withoutInterface.replace(/^::ffff:(?=\d+\.)/i, '');
}
