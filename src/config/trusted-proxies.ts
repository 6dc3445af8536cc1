import { isIP } from 'node:net';
import type { Reading } from './reading.ts';

/** A range of addresses: those that share the first `prefix` bits with `address`. */
export interface AddressRange {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const mostRanges = 64;

export function readTrustedProxies(reading: Reading): readonly AddressRange[] {
  return reading.list('TRUSTED_PROXIES', mostRanges).flatMap((entry, index) => {
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
  if (prefix === 0) return 'trusts every address there is, so that every caller could choose its own';
  // Callers' IPv4-mapped addresses are read as IPv4, so such a range would never match anything.
  if (/^::ffff:/i.test(address)) return 'is IPv4 in IPv6 spelling; write the IPv4 range';
  return Object.freeze({ address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' });
}
