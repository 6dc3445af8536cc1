import { BlockList, isIP, isIPv4 } from 'node:net';
import type { Asking } from '../calls/calls.ts';

/** A range of addresses: those that share the first `prefix` bits with `address`. */
export interface AddressRange {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

export interface Peer {
  /** The address of the connection; undefined once it is closed. */
  readonly socketAddress: string | undefined;
  /** X-Forwarded-For, all its lines joined by commas; null or undefined if absent. */
  readonly forwardedFor: string | null | undefined;
}

// A chain of an operator's own proxies is short; a longer header is a forgery.
const mostHops = 16;
// The longest spelling is a bracketed IPv6 address with an IPv4 tail, a zone and a port.
const longestHop = 80;

/**
 * Makes the function that names a caller for counting: an IPv4 address, the /64 of an IPv6 address (one subscriber has
 * at least that many), or `unknown`. X-Forwarded-For counts only on a connection from a trusted range, and is read from
 * the right. Each proxy vouches for the hop before it, so the first untrusted hop is the caller, and nothing to its
 * left is believed. A malformed hop ends the walk at the last good address.
 */
export function createClientAddress(trusted: readonly AddressRange[]): (peer: Peer) => string {
  const trusts = trustIn(trusted);
  return function clientAddress({ socketAddress, forwardedFor }) {
    const socket = plainAddress(socketAddress ?? '');
    if (socket === null) return 'unknown';
    return counted(forwardedFor && trusts(socket) ? lastUntrusted(socket, forwardedFor, trusts) : socket);
  };
}

/** Returns a connection's address in the form that callers are counted by; null for a trusted proxy. */
export function directPeer(trusted: readonly AddressRange[]): (address: string | undefined) => string | null {
  const trusts = trustIn(trusted);
  return (address = '') => {
    const plain = plainAddress(address);
    if (plain === null) return 'unknown';
    return trusts(plain) ? null : counted(plain);
  };
}

function trustIn(trusted: readonly AddressRange[]): (address: string) => boolean {
  const ranges = new BlockList();
  for (const { address, prefix, family } of trusted) ranges.addSubnet(address, prefix, family);
  return (address) => trusted.length > 0 && ranges.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Names the caller of a request for counting. */
export function callersBehind(trustedProxies: readonly AddressRange[]): (asking: Asking) => string {
  const clientAddress = createClientAddress(trustedProxies);
  return ({ socketAddress, header }) =>
    clientAddress({
      socketAddress,
      forwardedFor: trustedProxies.length === 0 ? null : header('x-forwarded-for'),
    });
}

function lastUntrusted(socket: string, forwardedFor: string, trusts: (address: string) => boolean): string {
  let caller = socket;
  let end = forwardedFor.length;
  for (let hops = 0; hops < mostHops && end >= 0; hops += 1) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1);
    const hop = end - comma > longestHop ? null : plainAddress(forwardedFor.slice(comma + 1, end).trim());
    if (hop === null) return caller;
    caller = hop;
    if (!trusts(hop)) return caller;
    end = comma;
  }
  return caller;
}

/** An address without port, brackets, zone and IPv4 mapping; null if the text is not an address. */
function plainAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const bracketed = /^\[([^\]]*)\](:\d{1,5})?$/.exec(text)?.[1];
  const withoutPort = bracketed ?? (isIP(text) === 0 ? text.replace(/:\d{1,5}$/, '') : text);
  const bare = withoutPort.replace(/%[\w.:-]+$/, '');
  if (isIPv4(bare)) return bracketed === undefined && bare === withoutPort ? bare : null;
  // Without brackets, a port cannot be distinguished from the last group.
  if (isIP(bare) !== 6 || (bracketed === undefined && withoutPort !== text)) return null;
  return mappedIpv4(bare) ?? bare;
}

function mappedIpv4(ipv6: string): string | null {
  if (!/^[0:]*:ffff:/i.test(ipv6)) return null;
  const groups = groupsOf(ipv6);
  if (!groups.slice(0, 5).every((group) => group === 0) || groups[5] !== 0xffff) return null;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function counted(address: string): string {
  if (isIPv4(address)) return address;
  const network = groupsOf(address).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. A URL writes all of them in hexadecimal. */
function groupsOf(ipv6: string): number[] {
  const { hostname } = new URL(`http://[${ipv6}]`);
  const sides = hostname.slice(1, -1).split('::');
  const [front = [], back = []] = sides.map((side) =>
    side === '' ? [] : side.split(':').map((group) => Number.parseInt(group, 16)),
  );
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}
