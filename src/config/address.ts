import { BlockList, isIP, isIPv6 } from 'node:net';
import { recover } from 'tiny-secp256k1';
import { privateKeyToAddress, publicKeyToAddress } from 'viem/accounts';
import { bytesToHex, getAddress, hashMessage, hexToBytes } from 'viem/utils';
import { parseUrl } from '../domain/url.ts';

export type Address = `0x${string}`;

/**
 * EIP-55 spelling of an address; null if the text is not a valid one. All-lower and all-upper digits have no checksum
 * and are accepted.
 */
export function checksummed(text: string): Address | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null;
  const digits = text.slice(2);
  const right = getAddress(`0x${digits.toLowerCase()}`);
  return text === right || digits === digits.toLowerCase() || digits === digits.toUpperCase() ? right : null;
}

/** The address of a 0x-prefixed 32-byte private key; null if the text is not a valid key. */
export function addressOfKey(key: string): Address | null {
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) return null;
  try {
    return privateKeyToAddress(key as Address);
  } catch {
    // Zero, or not below the order of the curve.
    return null;
  }
}

/** The address that signed `message` with personal_sign (EIP-191); null if the 65-byte signature recovers to none. */
export function signerOf(message: string, signature: string): Address | null {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return null;
  const recoveryByte = Number.parseInt(signature.slice(130), 16);
  const recovery = recoveryByte >= 27 ? recoveryByte - 27 : recoveryByte;
  if (recovery !== 0 && recovery !== 1) return null;
  const rs = hexToBytes(`0x${signature.slice(2, 130)}`);
  try {
    const point = recover(hashMessage(message, 'bytes'), rs, recovery, false);
    return point && publicKeyToAddress(bytesToHex(point));
  } catch {
    // r or s outside the curve's order, or no point at r: not a signature.
    return null;
  }
}

/** Accounts 0 to 10 of the development mnemonic: their keys are public, and bots empty them at once. */
export const publicAccounts: readonly string[] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
  '0xBcd4042DE499D14e55001CcbB24a551F3b954096',
];

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** Reads an http(s) URL that has no credentials and no fragment. Otherwise returns what is wrong with the text. */
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

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The host as written in a URL. A wildcard says where to listen, not where to connect, so it becomes this machine. */
export function callable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

/** Whether a text is an IP address or a host name. */
export function isHost(text: string): boolean {
  const named = text.split('.').every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
  // A name that ends in a number, such as 127.0.0.256, is a mistyped address, which no URL accepts.
  return (isIP(text) !== 0 || named) && parseUrl(`http://${callable(text)}`) !== null;
}
