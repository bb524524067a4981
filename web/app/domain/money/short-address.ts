/** Both ends of an address, enough to tell two apart at a glance; never enough to approve by. */
export function shortAddress(address: string): string {
  return address.length <= 16 ? address : `${address.slice(0, 6)}…${address.slice(-6)}`;
}
