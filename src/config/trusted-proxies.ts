import { isIP } from 'node:net';
import type { Reading } from './reading.ts';

/** A range of addresses: those that share the first `prefix` bits with `address`. */
export type AddressRange = {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
};

const MOST_RANGES = 64;
// No operator owns more: 10.0.0.0/8 is the widest private range of IPv4. Otherwise a list of wide ranges could trust
// every address.
const WIDEST_PREFIX = { 4: 8, 6: 16 } as const;
// Unique local addresses are private as a whole.
const UNIQUE_LOCAL = /^f[cd][0-9a-f]{2}:/i;

export function readTrustedProxies(reading: Reading): readonly AddressRange[] {
  return reading.list('TRUSTED_PROXIES', MOST_RANGES).flatMap((entry, index) => {
    const range = rangeOf(entry);
    if (typeof range !== 'string') return [range];
    reading.fault('TRUSTED_PROXIES', `entry ${index + 1} ${range}`);
    return [];
  });
}

/** The range that a CIDR or a single address names, or what is wrong with it. */
function rangeOf(entry: string): AddressRange | string {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  const widest = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (version === 0 || rest.length > 0 || !(prefix <= widest)) return 'is not an IP address or a CIDR range';
  const shortest = version === 6 ? (UNIQUE_LOCAL.test(address) ? 7 : WIDEST_PREFIX[6]) : WIDEST_PREFIX[4];
  if (prefix < shortest)
    return `is wider than /${shortest}: callers could be in it and would choose their own address; list the proxies' own ranges`;
  // Callers' IPv4-mapped addresses are read as IPv4, so such a range would never match anything.
  if (/^::ffff:/i.test(address)) return 'is IPv4 in IPv6 spelling; write the IPv4 range';
  return Object.freeze({ address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' });
}
