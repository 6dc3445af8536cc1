import { BlockList, isIP, isIPv6 } from 'node:net';
import { parseUrl } from '../domain/url.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** An http(s) URL without credentials or fragment, or what is wrong with the text. */
export function webAddress(text: string): URL | string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\/[^/\\]/i.test(text))
    return 'is not an http:// or https:// URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not have a fragment';
  return url;
}

/** Whether a host is this machine; an IPv6 address may have brackets. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

const privateRanges = new BlockList();
for (const [address, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateRanges.addSubnet(address, prefix, 'ipv4');
privateRanges.addSubnet('fc00::', 7, 'ipv6');
// Names that no public DNS server knows: a single label, as in Docker, or a name under one of these.
const PRIVATE_NAME = /^[a-z0-9-]+$|\.(internal|local|lan|home\.arpa|svc)$/i;

/** Whether a host is this machine or on a private network, by its address or its name. */
export function isPrivateHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  const version = isIP(bare);
  if (isLoopback(host)) return true;
  return version === 0 ? PRIVATE_NAME.test(bare) : privateRanges.check(bare, version === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a connection stays on this machine or is encrypted. */
export function isPrivateChannel(url: URL): boolean {
  return /^(https|rediss):$/.test(url.protocol) || isLoopback(url.hostname);
}

/** The origin of an http(s) URL that is only an origin (one trailing slash is dropped), or what is wrong. */
export function originOf(text: string): { readonly origin: string } | string {
  const url = webAddress(text);
  if (typeof url === 'string') return url;
  if (url.pathname !== '/' || text.includes('?'))
    return 'must be an origin such as https://calc.example, without a path or query';
  return { origin: url.origin };
}

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The host as written in a URL. A wildcard says where to listen, not where to connect, so it becomes this machine. */
export function callable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

/** Whether a text is an IP address or the name of a host. */
export function isHost(text: string): boolean {
  const named = text.split('.').every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
  // A name that ends in a number, such as 127.0.0.256, is a mistyped address, which no URL accepts.
  return (isIP(text) !== 0 || named) && parseUrl(`http://${callable(text)}`) !== null;
}
