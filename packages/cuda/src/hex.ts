/** An address as error messages show it. */
export function hex(address: bigint): string {
  return `0x${address.toString(16)}`;
}
